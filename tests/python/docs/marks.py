"""The marks above a block of a document: how its commands are run, or why they are not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from documents import Block

RUN = re.compile(r"run(?:: exit (\d+(?: or \d+)*))?")
NOT_RUN = re.compile(r"not run: (?:`(?P<command>[^`]+)`: )?(?P<reason>[^`]{10,})", re.DOTALL)
FILE = re.compile(r"file: (\S+)")
PREPARE = re.compile(r"prepare: ?\n?(.+)", re.DOTALL)


@dataclass
class Marked:
    """What is to be done with a block."""

    run: bool = False
    exit_codes: list[int] = field(default_factory=lambda: [0])
    """Each command must end with one of them."""
    file: str | None = None
    prepare: str = ""
    """What a reader has done already: it makes the files that the commands use."""
    why_not: str = ""
    """The reason why no command is run."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Commands that are not run, with the reasons."""
    unknown: list[str] = field(default_factory=list)

    def runs(self, command: str) -> bool:
        """Whether this command is run."""
        return self.run and without_comment(command) not in self.left_out


def without_comment(command: str) -> str:
    """The command without what follows `#`."""
    return re.sub(r"\s+# .*$", "", command).strip()


def marked(block: Block) -> Marked:
    """The block's marks, understood."""
    found = Marked()
    for mark in block.marks:
        if match := RUN.fullmatch(mark):
            found.run = True
            found.exit_codes = [int(code) for code in (match[1] or "0").split(" or ")]
        elif match := FILE.fullmatch(mark):
            found.file = match[1]
        elif match := PREPARE.fullmatch(mark):
            found.prepare += match[1] + "\n"
        elif not (match := NOT_RUN.fullmatch(mark)):
            found.unknown.append(mark)
        elif match["command"]:
            found.left_out[match["command"]] = match["reason"]
        else:
            found.why_not = match["reason"]
    return found


def faults(block: Block, found: Marked) -> list[str]:
    """What is wrong with a block and its marks."""
    said = []
    commands = [without_comment(command) for command in block.commands]
    if commands and not found.run and not found.why_not:
        said.append("its commands are neither run nor marked as not run")
    if found.run and found.why_not:
        said.append("it is marked as run and as not run")
    if (found.run or found.why_not) and not commands:
        said.append("it is marked, and has no command")
    if commands and block.language not in ("console", "table"):
        said.append("it has commands and is no console block")
    said += [f"no such command: {name}" for name in found.left_out if name not in commands]
    said += [f"no such mark: {mark}" for mark in found.unknown if mark.startswith(KNOWN_BEGINNINGS)]
    return said


KNOWN_BEGINNINGS: tuple[str, ...] = ("run", "not run", "file", "prepare")


def script(block: Block, found: Marked) -> str:
    """The commands for bash; it ends with the code of the first that ends as it must not."""
    codes = "|".join(map(str, found.exit_codes))
    lines = [f'must() {{ case $1 in {codes}) ;; *) echo "ended with $1: $2" >&2; exit 99 ;; esac; }}']
    for number, command in enumerate(block.commands, 1):
        if found.runs(command):
            lines += [command, f"must $? 'command {number} of the block'"]
    return "\n".join(lines) + "\n"


def counted(marks: Sequence[tuple[Block, Marked]]) -> tuple[int, int]:
    """How many commands are run, and how many are not."""
    run = sum(found.runs(command) for block, found in marks for command in block.commands)
    return run, sum(len(block.commands) for block, _ in marks) - run

"""A program that a node does not have, by the words of the launcher that was to start it there."""

import re
from dataclasses import dataclass

_SAID = (
    # Open MPI
    re.compile(r"or execute an executable:\s+Executable: (?P<program>\S.*?)\s*\n\s*Node: (?P<node>\S+)"),
    re.compile(
        r"unable to find the specified executable file.*?Node: (?P<node>\S+)\s+Executable: (?P<program>\S+)",
        re.S,
    ),
    # MPICH's Hydra
    re.compile(r"@(?P<node>[^\]\s]+)\] .*execvp error on file (?P<program>\S+) \("),
    # Slurm, which names the node in another line
    re.compile(
        r"execve\(\): (?P<program>\S+): (?:No such file or directory|Permission denied)"
        r"(?:.*?error: (?P<node>\S+): task)?",
        re.S,
    ),
)


@dataclass(frozen=True)
class Absent:
    """The program, and the node where it could not be started; null where the launcher does not say which."""

    program: str
    node: str | None = None

    @property
    def problem(self) -> str:
        """ "node n2 cannot run weir-core"."""
        who = "a node" if self.node is None else f"node {self.node}"
        return f"{who} cannot run {self.program.rpartition('/')[2]}"

    @property
    def reason(self) -> str:
        """What it lacks."""
        return f"there is no program '{self.program}' there that may be executed"

    @property
    def advice(self) -> str:
        """What to do."""
        return "install Weir on every node at the same path, or where all nodes see it"


def absent_program(text: str) -> Absent | None:
    """What the launcher said is not there; null where it said nothing of the kind."""
    found = next((one for pattern in _SAID if (one := pattern.search(text))), None)
    return None if found is None else Absent(found["program"], found["node"])

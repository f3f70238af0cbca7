"""What the documents hold that can be tested: code, tables of commands, the marks above them, links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

_MARKS = r"(?P<marks>(?:^<!-- (?:(?!-->)[\s\S])*?\s-->\n)*)"
_BLOCK = re.compile(_MARKS + r"^```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(_MARKS + r"^(?P<text>\| .*\n\|[-|]+\n(?:\|.*\n)*)", re.MULTILINE)
_MARK = re.compile(r"<!-- (.*?)\s-->\n", re.DOTALL)
_ROW = re.compile(r"^\| `((?:weir|weir-core|mpirun|make|scripts/\w+) [^`]*)` \|", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
SHELLS = ("", "console", "bash", "sh", "shell", "text")


@dataclass(frozen=True)
class Block:
    """A fenced block of a document, or a table; `marks` are the HTML comments right above it."""

    language: str
    """Of a table, `table`."""
    text: str
    marks: tuple[str, ...]
    line: int

    @property
    def commands(self) -> list[str]:
        """What is typed: the lines behind `$ ` with those that they go on with; of a table, the commands that
        its rows begin with."""
        if self.language == "table":
            return [command.replace("\\|", "|") for command in _ROW.findall(self.text)]
        typed: list[str] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                typed.append(line[2:])
            elif typed and typed[-1].endswith("\\"):
                typed[-1] += f"\n{line.strip()}"
        return typed if self.language in SHELLS else []


def documents() -> list[Path]:
    """Every document in the repository."""
    folders = ("docs", "src", "examples", "fortran", "packaging", "studies", "tests")
    return sorted([*ROOT.glob("*.md"), *(path for name in folders for path in (ROOT / name).rglob("*.md"))])


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks and the tables of a document, in order."""
    text = document.read_text(encoding="utf-8")
    fenced = list(_BLOCK.finditer(text))
    outside = _BLOCK.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in sorted([*fenced, *_TABLE.finditer(outside)], key=lambda match: match.start()):
        language = match["language"] if match in fenced else "table"
        line = text.count("\n", 0, match.start("text")) + (language == "table")
        yield Block(language, match["text"], tuple(_MARK.findall(match["marks"])), line)


def links(document: Path) -> list[str]:
    """The targets of links to other files, as written."""
    return _LINK.findall(document.read_text(encoding="utf-8"))


def name_of(document: Path) -> str:
    """The document's path from the repository's root: a readable test name."""
    return str(document.relative_to(ROOT))

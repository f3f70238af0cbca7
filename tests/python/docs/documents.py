"""What the documents hold that can be tested: blocks of code, the marks above them, and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^>]*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a document; `mark` is the HTML comment right above it."""

    language: str
    text: str
    mark: str
    line: int

    @property
    def commands(self) -> str:
        """What is typed in a console block: the lines behind `$ `, and those that they go on with."""
        typed: list[str] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                typed.append(line[2:])
            elif typed and typed[-1].endswith("\\"):
                typed.append(line.strip())
        return "\n".join(typed) + "\n"


def documents() -> list[Path]:
    """Every document in the repository."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")])


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match["language"], match["text"], match["mark"] or "", line)


def links(document: Path) -> list[str]:
    """The targets of links to other files, as written."""
    return _LINK.findall(document.read_text(encoding="utf-8"))


def name_of(document: Path) -> str:
    """The document's path from the repository's root: a readable test name."""
    return str(document.relative_to(ROOT))

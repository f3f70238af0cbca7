"""What sections give: a part of the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from weir.registry import Registry

from .summary import TraceSummary


@dataclass(frozen=True)
class PageTable:
    """Cells in words. A heading that begins with ">" is of numbers, which stand to the right; with "~", of
    long words."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """Below it: what it leaves out."""


@dataclass(frozen=True)
class PageSection:
    """A part of the page: a title, what must be known, a picture, a table."""

    name: str
    title: str
    words: str = ""
    picture: Markup | None = None
    table: PageTable | None = None


Maker = Callable[[TraceSummary], PageSection | None]

_makers = Registry[Maker]("weir.explain.sections", "section")


def page_section(place: int) -> Callable[[Maker], Maker]:
    """Registers a part of the page, which `place` orders; None where the summary has nothing of it."""
    return _makers.register(f"{place:03}")


def sections_of(summary: TraceSummary) -> list[PageSection]:
    """All parts of the page that the summary suffices for, in order."""
    return [made for make in _makers.all().values() if (made := make(summary)) is not None]

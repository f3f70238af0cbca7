"""What sections give: a part of the page, and remarks on what stands out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from weir.registry import Registry

from .summary import Head, TraceSummary


@dataclass(frozen=True)
class Remark:
    """`text` says what was seen, with its numbers; `advice`, what usually helps ("" for a mere fact).

    `share` is the part of all ranks' time in I/O calls that it concerns: the most that a change can gain.
    None where that is not known.
    """

    text: str
    advice: str = ""
    share: float | None = None
    incomplete: bool = False
    """Does it say that the tables lack something? That comes before all else."""


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


Rule = Callable[[TraceSummary], Iterator[Remark]]
Maker = Callable[[TraceSummary], PageSection | None]

_rules = Registry[Rule]("weir.explain.sections", "rule")
_makers = Registry[Maker]("weir.explain.sections", "section")


def rule(function: Rule) -> Rule:
    """Registers a rule: it yields remarks on the numbers of a summary."""
    return _rules.register(function.__name__)(function)


def page_section(place: int) -> Callable[[Maker], Maker]:
    """Registers a part of the page, which `place` orders; None where the summary has nothing of it."""
    return _makers.register(f"{place:03}")


def sections_of(summary: TraceSummary) -> list[PageSection]:
    """All parts of the page that the summary suffices for, in order."""
    return [made for make in _makers.all().values() if (made := make(summary)) is not None]


def remarks_on(summary: TraceSummary) -> tuple[Remark, ...]:
    """What all rules say, that of the greatest share first."""
    found = [remark for look in _rules.all().values() for remark in look(summary)]
    return tuple(sorted(found, key=lambda remark: (not remark.incomplete, -(remark.share or 0))))


def lacks(head: Head) -> tuple[Remark, ...]:
    """What the trace lacks, by its head alone."""
    return tuple(remark for remark in remarks_on(TraceSummary(head)) if remark.incomplete)

"""What stands out in a trace's tables, in words; and where the rules that say so are found."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass

import weir.explain.remarks as package

from .summary import Head, Summary


@dataclass(frozen=True)
class Remark:
    """`text` says what was seen, with its numbers; `advice`, what usually helps ("" for a mere fact).

    `share` is the part of all ranks' time in I/O calls that it concerns: the most that mending it can gain.
    None where that cannot be told.
    """

    text: str
    advice: str = ""
    share: float | None = None
    incomplete: bool = False
    """Does it say that the tables lack something? That comes before all else."""


def remarks_on(summary: Summary) -> tuple[Remark, ...]:
    """What all rules say, that of the greatest share first. Each rule is a module of `weir.explain.remarks`
    whose function `remarks` takes the summary."""
    found: list[Remark] = []
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda one: one.name):
        if not module.name.startswith("_"):
            found += importlib.import_module(f"{package.__name__}.{module.name}").remarks(summary)
    return tuple(sorted(found, key=lambda remark: (not remark.incomplete, -(remark.share or 0))))


def lacks(head: Head) -> tuple[Remark, ...]:
    """What the trace lacks, by its head alone."""
    return tuple(remark for remark in remarks_on(Summary(head)) if remark.incomplete)


def io_seconds(summary: Summary) -> float:
    """Time of all ranks in outermost I/O calls."""
    return sum(row.read_s + row.write_s + row.other_s for row in summary.ranks)


def share_of_run(summary: Summary) -> float | None:
    """That time as a share of the run; None where there was none, or the run's end is not known."""
    whole = summary.head.whole_s if summary.ranks else 0
    return io_seconds(summary) / whole if whole > 0 else None


def share_of_io(summary: Summary, seconds: float) -> float | None:
    """These seconds as a share of all ranks' time in I/O calls; None where there was none, or it is not
    known."""
    whole = io_seconds(summary)
    return min(1.0, seconds / whole) if whole > 0 else None

"""The implementations of MPI-IO against each other, and what the kernel's counts say about the difference."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.detail import Counts
from weir.answers import answer
from weir.answers.answer import Number
from weir.answers.ratios import faster_and_slower
from weir.figures.figure import Card, Finding, Panel
from weir.questions.comparison import finding_of, strategy_panels
from weir.questions.question import figure
from weir.results.pairing import Ratio, pairs
from weir.results.row import Row
from weir.results.words import mpi_io_words
from weir.units import format_bytes, format_seconds, significant

REFERENCE = "romio"
ALIKE_BELOW = 1.25
"""Counts that differ by a smaller factor are called alike: they explain nothing."""
IGNORED = frozenset({"mpi_io", "env"})


def judge_mpi_io(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The others against ROMIO, and behind each sure difference the requests, ranks and waiting."""
    found = pairs(
        rows, IGNORED, lambda row: row.mpi_io not in (None, REFERENCE), lambda row: row.mpi_io == REFERENCE
    )
    if not found:
        return None
    finding = finding_of(found, rows, IGNORED, mpi_io_words)
    behind = tuple(one for ratio in found if ratio.differs for one in counts_behind(ratio))
    return replace(finding, numbers=(*finding.numbers, *behind))


def counts_behind(ratio: Ratio) -> Iterator[Number]:
    """What the slower one did more of, by the kernel's counts: how many times the faster's, and both. Fewer
    ranks that move anything count too."""
    fast, slow = faster_and_slower(ratio)
    ones, others = slow.detail.counts, fast.detail.counts
    if ones is None or others is None:
        return
    for noun, count, show in COUNTS:
        one, other = count(ones), count(others)
        if one is None or not other or (one < ALIKE_BELOW * other and (noun != ACTIVE or one == other)):
            continue
        if noun == ROUNDS and not slow.options.get("collective"):
            continue
        times = answer.Ratio(one / other, None, None, slow.n)
        subject = mpi_io_words(slow), mpi_io_words(fast), f"{slow.phase}, {noun}"
        yield Number(subject, times, f"{show(one)} against {show(other)}")


def _whole(number: float) -> str:
    return f"{number:,.0f}"


ACTIVE = "active ranks"
ROUNDS = "requests of a rank for each call"
COUNTS: tuple[tuple[str, Callable[[Counts], float | None], Callable[[float], str]], ...] = (
    ("requests of the system", lambda counts: counts.requests, _whole),
    ("bytes moved", lambda counts: counts.request_bytes, format_bytes),
    (ACTIVE, lambda counts: counts.ranks, "{:g}".format),
    (ROUNDS, lambda counts: counts.rounds, significant),
    ("context switches", lambda counts: counts.switches, _whole),
    ("processor time", lambda counts: counts.cpu_s, format_seconds),
)


@figure("mpi-io", judge_mpi_io, "MPI-IO", "Which implementation of MPI-IO is faster?")
def mpi_io(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads; the counts behind them are in the words."""
    return strategy_panels(rows, mpi_io_words, IGNORED)

"""The HPC Challenge: its tests over rank counts, and how memory and network balance the rate of HPL."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import ratio_of_neighbours
from weir.analyse.statistics import MedianEstimate
from weir.figures.figure import Asked, Card, Finding, Panel, State
from weir.questions.over_ranks import panel_over_ranks
from weir.questions.question import figure
from weir.results.pairing import by_turn
from weir.results.row import Row, measured, with_metric
from weir.results.words import capital
from weir.units import count_words, significant

PANELS = {
    "HPL and products of matrices": ("hpl", "star-dgemm", "single-dgemm"),
    "Bandwidth of memory": ("star-copy", "star-triad", "single-copy", "single-triad", "ptrans"),
    "Random updates": ("random-access", "star-random-access", "single-random-access"),
    "Fourier transforms": ("fft", "star-fft", "single-fft"),
    "Rings and ping-pong of 8 B": ("ping-pong", "natural-ring", "random-ring"),
}
"""The curves of each panel, which have one metric."""
CONDITIONS = (
    "By HPCC's definitions. star: each rank by itself, all at once, and the value is that of a rank; single: "
    "one rank, while the others sleep. The rules want a matrix of half the system's memory or more for HPL; "
    "with a smaller one its rate is lower."
)


@dataclass(frozen=True)
class Balance:
    """How much of something there is for the floating-point rate of HPL, as Saini et al. (2006, section 4.1)
    and R. Rabenseifner (EuroPVM/MPI 2005) take it: of all ranks, over HPL's rate."""

    phase: str
    words: str
    """With one gap, for the number."""
    inverse: bool = False
    """HPL's rate over that of the phase."""


BALANCES = (
    Balance("star-dgemm", "HPL runs at {} of the rate of products of matrices", inverse=True),
    Balance("star-copy", "For each of its operations, {} B can be copied in memory (STREAM copy)"),
    Balance("random-ring", "For each of its operations, {} B can cross random rings"),
)


def judge_hpcc(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The balance with the most ranks; null without HPL."""
    found = [row for row in measured(rows) if row.benchmark == "hpcc"]
    systems = [row for row in found if row.phase == "hpl"]
    if not systems:
        return None
    most = max(systems, key=lambda row: row.ranks)
    beside = {row.phase: row for row in found if row.case == most.case}
    told = [(one, _estimate(one, most, beside)) for one in BALANCES]
    sentences = [f"{capital(one.words.format(_words(found)))}." for one, found in told if found]
    first = next((found for one, found in told if found and one.inverse), None)
    ranks = count_words(most.ranks, "rank")
    title = f"HPL: {most.metric.words(most.median)} with {ranks}" if most.median else ""
    if first is not None and first.low is not None:
        title += f", {significant(first.median)} of the rate of products of matrices"
    known = most.low is not None
    wanting = "" if known else "it takes more samples, with a larger --budget"
    asked = Asked("HPL") if known else Asked("HPL", State.OPEN, wanting, frozenset({most.case}))
    return Finding(title, tuple(sentences), CONDITIONS, asked=(asked,))


def _estimate(balance: Balance, system: Row, beside: Mapping[str, Row]) -> MedianEstimate | None:
    """Of all ranks, from samples of the same launches."""
    other = beside.get(balance.phase)
    key = "bandwidth_bytes_per_s" if balance.phase == "random-ring" else None
    if other is None:
        return None
    values = by_turn(with_metric(other, key) or other)
    of_all = {turn: value * system.ranks for turn, value in values.items()}
    top, bottom = (by_turn(system), of_all) if balance.inverse else (of_all, by_turn(system))
    return ratio_of_neighbours(top, bottom)


def _words(found: MedianEstimate) -> str:
    """ "0.843 [0.82, 0.86] (n = 12)"."""
    number = significant(found.median)
    if found.low is None or found.high is None:
        return f"{number} (no interval, n = {found.count})"
    return f"{number} [{significant(found.low)}, {significant(found.high)}] (n = {found.count})"


@figure("hpcc", judge_hpcc)
def hpcc(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for tests of one metric: a curve each, over rank counts."""
    found = [row for row in measured(rows) if row.benchmark == "hpcc"]
    panels = []
    for title, phases in PANELS.items():
        some = [row for phase in phases for row in found if row.phase == phase]
        if some:
            panels.append(Panel(title, panel_over_ranks(sorted(some, key=lambda row: row.ranks), str)))
    return panels

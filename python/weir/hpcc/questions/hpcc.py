"""The HPC Challenge: its tests over rank counts, and how memory and network balance the rate of HPL."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, State
from weir.hpcc.over_ranks import panel_over_ranks
from weir.hpcc.rates import (
    HPL,
    Case,
    HplMemory,
    SystemRate,
    hpcc_cases,
    hpl_memory,
    in_caches,
    quotients,
)
from weir.questions.question import figure
from weir.results.row import Row, measured, median_of, with_metric
from weir.results.words import capital, quotient_words
from weir.units import count_words, format_share, significant

PANELS = {
    "HPL and products of matrices": ("hpl", "star-dgemm", "single-dgemm"),
    "Bandwidth of memory, per process": ("star-copy", "star-triad", "single-copy", "single-triad"),
    "Transposition of a matrix, by all ranks": ("ptrans",),
    "Random updates": ("random-access", "star-random-access", "single-random-access"),
    "Fourier transforms": ("fft", "star-fft", "single-fft"),
    "Rings and ping-pong of 8 B": ("ping-pong", "natural-ring", "random-ring"),
}
"""The curves of each panel, which have one metric."""
CONDITIONS = (
    "By HPCC's definitions. star: each rank by itself, all at once, and the value is that of a rank; single: "
    "one rank, while the others sleep. The rules want a matrix of half the system's memory or more for HPL; "
    "with a smaller one its rate can be lower, and what there is for each of its operations greater."
)


@dataclass(frozen=True)
class Balance:
    """How much of one there is for each of the other, both of all ranks, as Saini et al. (2006, section 4.1)
    and R. Rabenseifner (EuroPVM/MPI 2005) take it of HPL. `words` have one gap, for the number."""

    words: str
    one: SystemRate
    other: SystemRate
    unit: str = ""

    def estimate(self, case: Case) -> MedianEstimate | None:
        """From samples of the same launches."""
        return estimate_median([*quotients(self.one, self.other, case).values()])


EFFICIENCY = Balance("HPL runs at {} of the rate of products of matrices", HPL, SystemRate("star-dgemm"))
BALANCES = (
    EFFICIENCY,
    Balance(
        "For each of its operations, STREAM copy reads and writes {}",
        SystemRate("star-copy"),
        HPL,
        "B",
    ),
    Balance(
        "For each of its operations, {} can cross random rings",
        SystemRate("random-ring", "bandwidth_bytes_per_s"),
        HPL,
        "B",
    ),
)


def judge_hpcc(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The balance with the most ranks, and what its launches ran under; null without HPL."""
    found = [case for case in hpcc_cases(rows) if "hpl" in case]
    if not found:
        return None
    most = max(found, key=lambda case: case["hpl"].ranks)
    system = most["hpl"]
    told = [(one, of) for one in BALANCES if (of := one.estimate(most))]
    sentences = [
        f"{capital(one.words.format(quotient_words(of, one.unit)))}{_cache_words(one, most)}."
        for one, of in told
    ]
    memory = hpl_memory(system)
    sentences += filter(None, [_memory_words(memory), _noise_words(most)])
    known = system.low is not None
    wanting = "" if known else MORE_SAMPLES
    asked = Asked("HPL") if known else Asked("HPL", State.OPEN, wanting, frozenset({system.case}))
    return Finding(_title(most, memory), tuple(sentences), CONDITIONS, asked=(asked,))


def _cache_words(balance: Balance, case: Case) -> str:
    cached = in_caches((balance.one, balance.other), case)
    return ", where data that fitted the caches were measured" if cached else ""


def _title(case: Case, memory: HplMemory | None) -> str:
    system, efficiency = case["hpl"], EFFICIENCY.estimate(case)
    title = f"HPL: {system.metric.words(median_of(system))} with {count_words(system.ranks, 'rank')}"
    if efficiency is not None and efficiency.low is not None:
        title += f", {significant(efficiency.median)} of the rate of products of matrices"
    return title + ("" if memory is None or memory.conforming else "; its size is not conforming")


def _memory_words(memory: HplMemory | None) -> str:
    if memory is None:
        return ""
    order = "" if memory.conforming else f", here an order of {memory.conforming_size:,}"
    share = format_share(memory.share)
    return f"HPL's matrix took {share} of the memory; results to publish need half of it or more{order}."


def _noise_words(case: Case) -> str:
    """Medians over the launches; empty where no other work was looked for."""
    rows = {when: case.get(f"noise-{when}") for when in ("before", "after")}
    noise = {when: with_metric(row, "lost_share") for when, row in rows.items() if row is not None}
    shares = [(when, _share_words(row)) for when, row in noise.items() if row is not None]
    if not shares:
        return ""
    (when, share), *others = shares
    more = "".join(f" and {later} {other}" for other, later in others)
    return f"Other work took {share} of the processors' time {when} the tests{more} (medians)."


def _share_words(row: Row) -> str:
    """ "0.4 % [0.3 %, 0.9 %] (n = 8)"."""
    share = format_share(median_of(row))
    if row.low is None or row.high is None:
        return f"{share} (no interval, n = {row.n})"
    return f"{share} [{format_share(row.low)}, {format_share(row.high)}] (n = {row.n})"


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

"""The HPC Challenge: its tests over rank counts, and how memory and network balance the rate of HPL."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import estimate_median
from weir.answers.answer import Answer, Certainty, Number, Quantity, Ratio
from weir.answers.quantities import NUMBER, if_known, quantity_of
from weir.figures.figure import Card, Finding, Panel
from weir.hpcc.over_ranks import panel_over_ranks
from weir.hpcc.rates import (
    HPL,
    MESSAGES,
    Case,
    SystemRate,
    hpcc_cases,
    hpl_memory,
    in_caches,
    quotients,
)
from weir.network.reach import titled
from weir.questions.question import figure
from weir.results.row import IN_CACHES, Row, measured, median_of, with_metric
from weir.units import count_words

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
    "By HPCC's definitions; star: all ranks at once, the value is that of one; single: one rank, while the "
    "others sleep. Results to publish need a matrix of half the memory: with a smaller one HPL can be slower."
)


@dataclass(frozen=True)
class Balance:
    """How much of one there is for each of the other, both of all ranks, as Saini et al. (2006, section 4.1)
    and R. Rabenseifner (EuroPVM/MPI 2005) take it of HPL."""

    name: str
    one: SystemRate
    other: SystemRate
    unit: str

    def ratio(self, case: Case) -> Ratio | None:
        """From samples of the same launches."""
        found = estimate_median([*quotients(self.one, self.other, case).values()])
        return Ratio(found.median, found.low, found.high, found.count, unit=self.unit) if found else None


BALANCES = (
    Balance("share of DGEMM", HPL, SystemRate("star-dgemm"), "%"),
    Balance("STREAM copy", SystemRate("star-copy"), HPL, "B/flop"),
    Balance("random rings", SystemRate("random-ring", "bandwidth_bytes_per_s"), HPL, "B/flop"),
)


def judge_hpcc(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The rate of HPL and its balance with the most ranks, and what its launches ran under; null without
    HPL."""
    found = [case for case in hpcc_cases(rows) if "hpl" in case]
    if not found:
        return None
    most = max(found, key=lambda case: case["hpl"].ranks)
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(_answers(most)),
        columns=("what",),
        numbers=(*_memory(most["hpl"]), *_noise(most)),
    )


def _answers(case: Case) -> Iterator[Answer]:
    system = case["hpl"]
    yield _answer("rate", quantity_of(system), system)
    for one in BALANCES:
        if ratio := one.ratio(case):
            yield _answer(_named(one, case), ratio, system, cached=in_caches((one.one, one.other), case))


def _named(one: Balance, case: Case) -> str:
    """Rings of one node are no network."""
    row = one.one.row(case) if one.one.phase in MESSAGES else None
    return titled(one.name, [row] if row else [])


def _answer(of: str, value: Quantity | Ratio, system: Row, *, cached: bool = False) -> Answer:
    """Open without an interval: it takes more samples where HPL has too few."""
    setting = ", ".join([count_words(system.ranks, "rank"), *([IN_CACHES] if cached else [])])
    certainty = Certainty.WITHIN if cached else Certainty.SURE
    found = Answer("", (of,), value, certainty, weight=NUMBER, setting=setting)
    return if_known(found, frozenset({system.case}) if system.low is None else frozenset())


def _memory(system: Row) -> Iterator[Number]:
    """What HPL's matrix took of it, by the last sample."""
    if memory := hpl_memory(system):
        remark = "" if memory.conforming else f"conforming from order {memory.conforming_size:,}"
        yield Number(("matrix of HPL",), Ratio(memory.share, None, None, 1, "of the memory", "%"), remark)


def _noise(case: Case) -> Iterator[Number]:
    """Medians over the launches; nothing where no other work was looked for."""
    for when in ("before", "after"):
        row = case.get(f"noise-{when}")
        if lost := row and with_metric(row, "lost_share"):
            share = Ratio(median_of(lost), lost.low, lost.high, lost.n, "of the processors' time", "%")
            yield Number((f"other work {when} the tests",), share)


@figure("hpcc", judge_hpcc, "HPL", "What does HPL reach, and how do memory and network balance it?")
def hpcc(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for tests of one metric: a curve each, over rank counts."""
    found = [row for row in measured(rows) if row.benchmark == "hpcc"]
    panels = []
    for title, phases in PANELS.items():
        some = [row for phase in phases for row in found if row.phase == phase]
        if some:
            said = titled(title, some) if phases[0] in MESSAGES else title
            panels.append(Panel(said, panel_over_ranks(sorted(some, key=lambda row: row.ranks), str)))
    return panels

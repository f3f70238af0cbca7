"""The work of each test of the HPC Challenge, and what it reaches of what a simpler test reached."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.hpcc.rates import (
    HPL,
    Case,
    SystemRate,
    hpcc_cases,
    in_caches,
    quotients,
    ranks_of,
)
from weir.hpcc.tables.hpcc import GBYTES, GFLOPS, GUPS, MARK, caches_note, case_headings
from weir.results.quantity_words import quotient_words
from weir.results.row import Row
from weir.tables.table import Column, Table, table_of_all
from weir.units import Shown

NONE_MEASURED = "none measured"
NO_BOUND = "above 1: no bound"
CAPTION = (
    "Held against: what a simpler test reached in the same launches, on all ranks together, as this test "
    "counts. It is a yardstick and no bound, since each test has its own size, from the same memory, and its "
    "own caches. Shares are medians of launches, in brackets their intervals of 95 %."
)
EXCEEDED = (
    f"{NO_BOUND}: the test is quicker than the simpler one, in the median or within its interval. The "
    "simpler one then says nothing of what more could be reached."
)


@dataclass(frozen=True)
class HeldTest:
    """A test with its work as a formula, and the rate that it is held against, with how that is made; null
    where nothing simpler is measured."""

    name: str
    work: str
    rate: SystemRate
    shown: Shown
    against: str = NONE_MEASURED
    simpler: SystemRate | None = None

    def is_cached(self, case: Case) -> bool:
        """Whether the rate or the simpler one is of the caches."""
        return in_caches(filter(None, (self.rate, self.simpler)), case)


_MATRICES, _COPY = SystemRate("star-dgemm"), SystemRate("star-copy")
_RINGS = SystemRate("random-ring", "bandwidth_bytes_per_s")
_UPDATE = "16 B an update"
_TRANSFORM = "5 N log2 N flop"
TESTS = (
    HeldTest("HPL", "2/3 N^3 + 3/2 N^2 flop", HPL, GFLOPS, "ranks x star DGEMM", _MATRICES),
    HeldTest("star DGEMM", "2 N^3 flop", _MATRICES, GFLOPS),
    HeldTest(
        "PTRANS",
        "24 B an element, of which it counts 8",
        SystemRate("ptrans"),
        GBYTES,
        "ranks x star STREAM copy x 8/24",
        SystemRate("star-copy", times=8 / 24),
    ),
    HeldTest("star STREAM copy", "16 B an element", _COPY, GBYTES),
    HeldTest(
        "star STREAM triad",
        "24 B and 2 flop an element",
        SystemRate("star-triad"),
        GBYTES,
        "ranks x star STREAM copy",
        _COPY,
    ),
    *(
        HeldTest(
            f"RandomAccess{name}",
            _UPDATE,
            SystemRate(f"{series}random-access"),
            GUPS,
            f"ranks x star RandomAccess{name}",
            SystemRate(f"{series}star-random-access"),
        )
        for name, series in {" LCG": "lcg-", "": ""}.items()
    ),
    HeldTest("star RandomAccess", _UPDATE, SystemRate("star-random-access"), GUPS),
    HeldTest("FFT", _TRANSFORM, SystemRate("fft"), GFLOPS, "ranks x star FFT", SystemRate("star-fft")),
    HeldTest("star FFT", _TRANSFORM, SystemRate("star-fft"), GFLOPS),
    HeldTest("random rings", "2 MB to and from two neighbours", _RINGS, GBYTES),
)
"""The work as HPCC counts it; but PTRANS, of which it counts one matrix, reads two and writes one, and an
update reads and writes a word of 8 B."""


@table_of_all("hpcc-shares", ("test", "share"))
def hpcc_shares(rows: Sequence[Row]) -> Table | None:
    """A line a test without a simpler one, a line a case of others; null without the benchmark `hpcc`."""
    cases = hpcc_cases(rows)
    tests = [test for test in TESTS if any(test.rate.phase in case for case in cases)]
    if not tests:
        return None
    headings = [*case_headings(rows).values()]
    return Table(
        name="hpcc-shares",
        title="What the tests reach of what simpler ones reached",
        caption=CAPTION,
        columns=tuple(map(Column, ("test", "work", "held against", "case", "that reached", "share of it"))),
        rows=tuple(line for test in tests for line in _lines(test, cases, headings)),
        notes=(
            *([EXCEEDED] if any(_exceeds(_share(test, case)) for test in tests for case in cases) else []),
            *([caches_note(cases)] if any(test.is_cached(case) for test in tests for case in cases) else []),
        ),
        data={"tests": [_data(test, cases) for test in tests]},
    )


def _lines(test: HeldTest, cases: Sequence[Case], headings: Sequence[str]) -> list[tuple[str, ...]]:
    """The test is named on the first one."""
    what = (test.name, test.work, test.against)
    if test.simpler is None:
        return [(*what, "", "", "")]
    found = zip(headings, cases, strict=True)
    lines = [(heading, *_cells(test, case)) for heading, case in found if test.rate.phase in case]
    return [(*(what if at == 0 else ("", "", "")), *line) for at, line in enumerate(lines)]


def _share(test: HeldTest, case: Case) -> tuple[MedianEstimate, MedianEstimate] | None:
    """What the simpler test reached, and the share of it; null where no launch has both."""
    if test.simpler is None or not (shares := quotients(test.rate, test.simpler, case)):
        return None
    rates = test.simpler.by_turn(case)
    found = estimate_median([rates[turn] for turn in shares]), estimate_median([*shares.values()])
    return (found[0], found[1]) if found[0] and found[1] else None


def _exceeds(found: tuple[MedianEstimate, MedianEstimate] | None) -> bool:
    """Whether a share that is shown is above 1, the end of its interval included."""
    return found is not None and max(found[1].median, found[1].high or 0) > 1


def _cells(test: HeldTest, case: Case) -> tuple[str, str]:
    found = _share(test, case)
    if found is None:
        return "", NONE_MEASURED
    rate, share = found
    cached = in_caches([test.simpler] if test.simpler else [], case), test.is_cached(case)
    rate_mark, share_mark = (MARK if one else "" for one in cached)
    exceeded = f"; {NO_BOUND}" if _exceeds(found) else ""
    return (
        f"{test.shown.show(rate.median)} {test.shown.unit}{rate_mark}",
        f"{quotient_words(share)}{share_mark}{exceeded}",
    )


def _data(test: HeldTest, cases: Sequence[Case]) -> dict[str, Any]:
    against = test.against if test.simpler else None
    numbers = [{"ranks": ranks_of(case), **_numbers(test, case)} for case in cases]
    return {"test": test.name, "work": test.work, "held_against": against, "cases": numbers}


def _numbers(test: HeldTest, case: Case) -> dict[str, Any]:
    found, row = _share(test, case), test.rate.row(case)
    if found is None or row is None:
        return {"share": None}
    rate, share = found
    known = {"share": share.median, "low": share.low, "high": share.high, "launches": share.count}
    marks = {"exceeds": _exceeds(found), "in_caches": test.is_cached(case)}
    return {f"simpler_{row.metric.key}": rate.median, **known, **marks}

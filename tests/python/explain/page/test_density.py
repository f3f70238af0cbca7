"""The trace from afar: time is neither lost nor made."""

import numpy as np
import pytest

from made_trace import CALLS, lane
from made_trace import trace as made
from weir.explain.page.calls import Calls
from weir.explain.page.density import MOST_CELLS, MOST_ROWS, STEPS, Density, Gauge
from weir.trace.model import Trace

from .synthetic import trace

KINDS = list(dict.fromkeys(call.kind for call in CALLS))


def density(some: Trace) -> Density:
    kinds = list(dict.fromkeys(call.kind for call in some.calls))
    gauge = Gauge(some, np.array([kinds.index(call.kind) for call in some.calls]), len(kinds))
    for piece in Calls(some):
        gauge.add(piece)
    return gauge.density()


def test_shares_tell_which_part_of_each_bin_a_call_took() -> None:
    rows = [("pwrite", 1, 0, 640, 0, 8, 8, 0), ("pread", 1, 650, 655, 0, 8, 8, 0)]
    found = density(made(lane(0, rows), lane(1, []), run_ns=6400))
    assert found.bins == 64 and found.bin_ns == 100
    assert [(row, level, KINDS[kind]) for row, level, kind in found.series] == [
        (0, 0, "write"),
        (0, 0, "read"),
    ]
    write, read = found.shares.tolist()
    assert write[:7] == [STEPS] * 6 + [round(0.4 * STEPS)] and not any(write[7:])
    assert read[6] == max(1, round(0.05 * STEPS)) and sum(map(bool, read)) == 1


def test_a_call_that_is_hardly_there_can_be_seen() -> None:
    found = density(made(lane(0, [("pwrite", 1, 10, 11, 0, 8, 8, 0)]), run_ns=10**9))
    assert found.shares.sum() == 1


def test_many_ranks_share_rows_and_stay_within_the_bound() -> None:
    some = trace(1024, 20)
    found = density(some)
    assert found.rows == MOST_ROWS and found.shares.size <= MOST_CELLS
    shares = found.shares.sum() / STEPS * found.bin_ns * 2
    took = sum(
        int(lane.records["end_ticks"].sum() - lane.records["begin_ticks"].sum()) for lane in some.lanes
    )
    assert shares == pytest.approx(took, rel=0.1)

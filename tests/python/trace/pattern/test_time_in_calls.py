"""The time in I/O calls, and what of it is waiting for ranks that compute."""

from typing import Any

import numpy as np
import pytest

from weir.trace.pattern.operations.operation import OPERATION, Kind
from weir.trace.pattern.operations.time_in_calls import time_in_calls

MS = 1_000_000


def calls(*rows: tuple[int, Kind, float, float, bool]) -> Any:
    """Each of a rank, a kind, from when to when in ms, and whether it is collective; all of file 1."""
    found = np.zeros(len(rows), OPERATION)
    for row, (rank, kind, begin, end, collective) in zip(found, sorted(rows), strict=True):
        row["rank"], row["kind"], row["file"], row["collective"] = rank, kind, 1, collective
        row["begin_ns"], row["end_ns"] = round(begin * MS), round(end * MS)
    return found


@pytest.mark.parametrize(
    ("of_last", "waiting_ms"),
    [
        ([], 4),  # it computes until it enters
        ([(1, Kind.WRITE, 0, 3, False)], 2),  # it writes until 3 ms: this the other waits for is I/O
        ([(1, Kind.WRITE, 0, 5, False)], 0),
        ([(1, Kind.WRITE, 2, 3, False)], 3),
    ],
)
def test_a_rank_waits_for_one_that_computes(
    of_last: list[tuple[int, Kind, float, float, bool]], waiting_ms: float
) -> None:
    both = [(0, Kind.OPEN, 1, 6, True), (1, Kind.OPEN, 5, 6, True)]
    found = time_in_calls(calls(*both, *of_last), 2)
    assert found.waiting_s == pytest.approx(waiting_ms * 1e-3 / 2)
    assert found.of_io_s == pytest.approx(found.all_s - waiting_ms * 1e-3 / 2)


def test_what_does_not_belong_together_is_no_waiting() -> None:
    some = [(0, Kind.OPEN, 0, 9, True), (0, Kind.WRITE, 9, 10, True), (1, Kind.OPEN, 8, 9, True)]
    assert time_in_calls(calls(*some), 2).waiting_s == 0
    alone = [(0, Kind.WRITE, 0, 9, False), (1, Kind.WRITE, 8, 9, False)]
    assert time_in_calls(calls(*alone), 2).waiting_s == 0
    assert time_in_calls(calls(*alone), 2).all_s == pytest.approx(0.005)


def test_a_call_that_returns_before_the_last_one_enters_waits_no_longer() -> None:
    found = time_in_calls(calls((0, Kind.CLOSE, 0, 2, True), (1, Kind.CLOSE, 5, 6, True)), 2)
    assert found.waiting_s == pytest.approx(0.001)

"""Latencies: the longest tail, and the numbers of every case."""

import pytest

from rows import found, row
from weir.analyse.detail import Detail
from weir.analyse.latency import PooledLatency
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.questions.latency import judge_latency
from weir.results.row import Row


def timed(phase: str, slow_s: float, count: int = 1000, **changes: object) -> Row:
    slow = count // 50
    pooled = PooledLatency(
        phase, count, 12, 0.9e-3, 1e-3, slow_s, 1, 0.0, ((1e-3, count - slow), (slow_s, slow))
    )
    return row(phase, 1000, detail=Detail(latencies=(pooled,)), **changes)


def test_the_longest_tail_is_the_answer_and_all_percentiles_are_numbers() -> None:
    finding = found(judge_latency, [timed("write", 4e-3), timed("write", 9e-3, backend="mpiio")])
    (said,) = finding.answers
    assert (said.subject, said.certainty) == (("write",), Certainty.WITHIN)
    assert said.value == Ratio(9.0, None, None, 1000, "the median")
    assert said.setting == "MPI-IO independent"
    told = {
        one.subject: (one.value.median, one.value.n, one.remark)
        for one in finding.numbers
        if isinstance(one.value, Quantity)
    }
    assert told["write", "POSIX", "p50"] == (pytest.approx(1e-3), 1000, "")
    assert told["write", "POSIX", "p99"] == (pytest.approx(4e-3), 1000, "")
    assert told["write", "POSIX", "longest"] == (4e-3, 1000, "on rank 1")
    assert len(told) == 10


def test_writes_and_reads_have_their_own_tails() -> None:
    finding = found(judge_latency, [timed("read", 4e-3), timed("write", 9e-3)])
    assert [(one.subject, one.value) for one in finding.answers] == [
        (("write",), Ratio(9.0, None, None, 1000, "the median")),
        (("read",), Ratio(4.0, None, None, 1000, "the median")),
    ]


def test_too_few_requests_have_no_tail() -> None:
    finding = found(judge_latency, [timed("write", 4e-3, count=50)])
    (said,) = finding.answers
    assert (said.value, said.certainty, said.action) == (None, Certainty.OPEN, "more-requests")
    assert not any(one.subject[2] == "p99" for one in finding.numbers)


def test_without_latencies_there_is_nothing_to_say() -> None:
    assert judge_latency([row("write", 1000)], {}) is None

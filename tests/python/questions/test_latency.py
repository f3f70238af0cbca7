"""Latencies in words: the longest tail, and the numbers of every case."""

from rows import found, row
from weir.analyse.detail import Detail
from weir.analyse.latency import PooledLatency
from weir.questions.latency import judge_latency
from weir.results.row import Row


def timed(phase: str, slow_s: float, count: int = 1000, **changes: object) -> Row:
    slow = count // 50
    pooled = PooledLatency(
        phase, count, 12, 0.9e-3, 1e-3, slow_s, 1, 0.0, ((1e-3, count - slow), (slow_s, slow))
    )
    return row(phase, 1000, detail=Detail(latencies=(pooled,)), **changes)


def test_the_longest_tail_is_in_the_title_and_all_numbers_in_the_details() -> None:
    finding = found(judge_latency, [timed("write", 4e-3), timed("write", 9e-3, backend="mpiio")])
    assert finding.title == (
        "One request in a hundred takes 4.00 times to 9.00 times the median or longer; "
        "the longest tail is that of write, MPI-IO independent"
    )
    assert finding.details[0] == (
        "Write, POSIX: p50 1.00 ms, p90 1.00 ms, p99 4.00 ms, p99.9 4.00 ms, longest 4.00 ms, on rank 1 "
        "(n = 1,000 requests in 12 samples)."
    )


def test_too_few_requests_have_no_tail() -> None:
    finding = found(judge_latency, [timed("write", 4e-3, count=50)])
    assert finding.title.startswith("Too few requests")
    assert "p99" not in finding.details[0]


def test_without_latencies_there_is_nothing_to_say() -> None:
    assert judge_latency([row("write", 1000)], {}) is None

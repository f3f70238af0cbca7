"""Bounds of several remarks: together they claim no more than the run."""

from made_trace import CallRow, lane, trace
from weir.explain.remark import Remark, remarks_on
from weir.explain.summarise import summarise
from weir.explain.summary import Head, RankRow, TraceSummary
from weir.explain.together import together

HEAD = Head("made", "Weir trace", "app", 2, ("n",), 2, 0.0, 10.0, 100, 0, ())


def ranks(*io_s: float) -> tuple[RankRow, ...]:
    return tuple(RankRow(at, 0, 0, 0, seconds, 0.0, 0.0, 0.0) for at, seconds in enumerate(io_s))


def bounds(*seconds: float | None) -> list[Remark]:
    return [Remark("seen", "why", "advice", one) for one in seconds]


def test_two_bounds_of_the_same_time_are_at_most_that_of_the_slowest_rank() -> None:
    summary = TraceSummary(HEAD, ranks=ranks(4.0, 8.0))
    found = together(summary, bounds(8.0, 7.0))
    assert found is not None and (found.sum_s, found.at_most_s) == (15.0, 8.0)
    assert found.words(HEAD) == (
        "Together these 2 findings may explain at most 8.00 s, 80 % of the run, the time of rank 1, the "
        "longest in I/O calls. Their bounds add up to 15.0 s, "
        "because they count the same time more than once."
    )


def test_bounds_that_need_not_overlap_are_left_alone() -> None:
    summary = TraceSummary(HEAD, ranks=ranks(4.0, 8.0))
    assert together(summary, bounds(5.0, 3.0)) is None
    assert together(summary, bounds(8.0)) is None
    assert together(summary, bounds(8.0, None)) is None, "a mere fact claims nothing"


def test_without_ranks_the_run_is_the_most() -> None:
    found = together(TraceSummary(HEAD), bounds(9.0, 9.0))
    assert found is not None and found.at_most_s == 10.0
    assert "may explain at most the whole run. Their bounds add up to 18.0 s," in found.words(HEAD)


def test_ranks_whose_threads_take_longer_than_the_run_explain_no_more_than_it() -> None:
    found = together(TraceSummary(HEAD, ranks=ranks(4.0, 80.0)), bounds(9.0, 9.0))
    assert found is not None and found.at_most_s == 10.0


def test_random_small_reads_of_one_trace_are_told_to_overlap() -> None:
    rows: list[CallRow] = [
        ("pread", 1, 10 * i, 10 * i + 10, 4096 * (i * 7919 % 2000), 4096, 4096, 0) for i in range(2000)
    ]
    summary = summarise(trace(lane(0, rows)))
    remarks = remarks_on(summary)
    assert len(remarks) >= 2
    found = together(summary, remarks)
    assert found is not None and found.at_most_s <= summary.head.run_s < found.sum_s

"""Bounds of several answers: together they claim no more than the run."""

from made_trace import CallRow, lane, trace
from weir.answers.answer import Answer, Changes, Cost
from weir.explain.rule import answers_on
from weir.explain.summarise import summarise
from weir.explain.summary import Head, RankRow, TraceSummary
from weir.explain.together import Together, together

HEAD = Head("made", "Weir trace", "app", 2, ("n",), 2, 0.0, 10.0, 100, 0, ())


def ranks(*io_s: float) -> tuple[RankRow, ...]:
    return tuple(RankRow(at, 0, 0, 0, seconds, 0.0, 0.0, 0.0) for at, seconds in enumerate(io_s))


def bounds(*seconds: float | None) -> list[Answer]:
    return [Answer("seen", (), None if one is None else Cost(one)) for one in seconds]


def test_two_bounds_of_the_same_time_are_at_most_that_of_the_slowest_rank() -> None:
    summary = TraceSummary(HEAD, ranks=ranks(4.0, 8.0))
    found = together(summary, bounds(8.0, 7.0))
    assert found == Together(answers=2, sum_s=15.0, at_most_s=8.0, of="rank 1")
    caveat = found.caveat(HEAD)
    assert (caveat.code, caveat.count, caveat.changes) == ("overlap", 2, Changes.VERDICT)
    assert caveat.words == {"most": "up to 8.00 s, 80 %", "who": "rank 1"}


def test_bounds_that_need_not_overlap_are_left_alone() -> None:
    summary = TraceSummary(HEAD, ranks=ranks(4.0, 8.0))
    assert together(summary, bounds(5.0, 3.0)) is None
    assert together(summary, bounds(8.0)) is None
    assert together(summary, bounds(8.0, None)) is None, "what has no cost claims nothing"


def test_without_ranks_the_run_is_the_most() -> None:
    found = together(TraceSummary(HEAD), bounds(9.0, 9.0))
    assert found == Together(answers=2, sum_s=18.0, at_most_s=10.0, of="the run")


def test_ranks_whose_threads_take_longer_than_the_run_explain_no_more_than_it() -> None:
    found = together(TraceSummary(HEAD, ranks=ranks(4.0, 80.0)), bounds(9.0, 9.0))
    assert found is not None and found.at_most_s == 10.0


def test_random_small_reads_of_one_trace_are_told_to_overlap() -> None:
    rows: list[CallRow] = [
        ("pread", 1, 10 * i, 10 * i + 10, 4096 * (i * 7919 % 2000), 4096, 4096, 0) for i in range(2000)
    ]
    summary = summarise(trace(lane(0, rows)))
    answers = answers_on(summary)
    assert len(answers) >= 2
    found = together(summary, answers)
    assert found is not None and found.at_most_s <= summary.head.run_s < found.sum_s

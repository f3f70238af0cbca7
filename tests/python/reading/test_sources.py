"""Sources of results against each other."""

from typing import Any

import pytest

from rows import found, row
from weir.analyse.metric import Metric
from weir.answers.answer import Certainty, Count, Ratio
from weir.questions.question import draw
from weir.reading.questions.sources import judge_sources
from weir.results.row import Row

TIME = Metric("time_us", "us", "time", greater_is_better=False)


def call(source: str, us: float, *, function: str = "PingPong", size: int | None = 8, **more: Any) -> Row:
    options = {"function": function, "bytes": size, "imb": "2021", "source": source, "active": 2, "group": 2}
    return row(
        "call",
        us / (1 << 20),
        spread=more.pop("spread", 0.02),
        metric=TIME,
        ranks=more.pop("ranks", 2),
        benchmark="network",
        moves=None,
        options=options | more,
        case=repr((source, function, size, more)),
    )


def test_each_source_is_held_against_the_first() -> None:
    rows = [call("old", 4.0), call("new", 2.0), call("slow", 8.0)]
    finding = found(judge_sources, rows)
    assert [(one.subject, one.value, one.certainty) for one in finding.answers] == [
        (("new against old",), Count(1, 1), Certainty.SURE),
        (("slow against old",), Count(1, 1), Certainty.SURE),
    ]
    assert [one.subject for one in finding.numbers] == [
        ("new", "old", "PingPong, 2 ranks, 8 B"),
        ("slow", "old", "PingPong, 2 ranks, 8 B"),
    ]
    times = [(one.value.times, one.value.unit) for one in finding.numbers if isinstance(one.value, Ratio)]
    assert times == [(pytest.approx(2), "times as fast"), (pytest.approx(0.5), "times as fast")]


def test_what_hardly_differs_is_counted_as_that() -> None:
    (said,) = found(judge_sources, [call("old", 4.0), call("new", 4.02)]).answers
    assert (said.value, said.certainty, said.action) == (Count(0, 1), Certainty.SURE, "")


def test_single_samples_have_no_interval() -> None:
    rows = [
        call(name, us, size=size, spread=None) for size in (8, 16) for name, us in (("a", 2.0), ("b", 1.0))
    ]
    (said,) = found(judge_sources, rows).answers
    assert (said.value, said.certainty, said.action) == (None, Certainty.OPEN, "more-samples")


@pytest.mark.parametrize(("function", "alike"), [("PingPong", True), ("Allreduce", False)])
def test_two_definitions_compare_only_where_they_agree(function: str, alike: bool) -> None:
    rows = [call("old", 4.0, function=function, imb="2.3"), call("new", 2.0, function=function)]
    assert (judge_sources(rows, {}) is not None) is alike


def test_what_one_source_lacks_is_not_compared() -> None:
    rows = [call("old", 4.0), call("new", 2.0, size=16), call("new", 2.0, off_cache="-1")]
    assert judge_sources(rows, {}) is None
    assert judge_sources([row("write", 100.0)], {}) is None


def test_a_panel_a_function_and_number_of_ranks_with_a_line_a_size() -> None:
    rows = [
        call(name, us, function=function, size=size, ranks=ranks, active=ranks, group=2)
        for function, size, ranks in (
            ("Bcast", 8, 2),
            ("Bcast", 16, 2),
            ("Bcast", 8, 4),
            ("Barrier", None, 2),
        )
        for name, us in (("a", 2.0), ("b", 1.0))
    ]
    drawing = draw("sources", rows, {})
    assert drawing is not None
    titles = [panel.title for panel in drawing.panels]
    assert titles == ["Bcast, 2 ranks", "Bcast, 4 ranks, groups of 2", "Barrier, 2 ranks"]
    places = [[value["place"] for value in panel.spec["data"]["values"]] for panel in drawing.panels]
    assert places == [["8 B", "16 B"], ["8 B"], ["call"]]

"""A phase over time, in words."""

import re

import pytest

from rows import MIB, found, row
from weir.analyse.detail import Course, Detail
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.figures.figure import Finding
from weir.figures.render import still
from weir.questions.question import draw
from weir.questions.timeline import PARTS, judge_timeline
from weir.results.row import Row


def timed(phase: str, speed: float, elapsed_s: float, **changes: object) -> Row:
    course = Course(0.1, (10 * MIB, 30 * MIB, 20 * MIB), elapsed_s)
    return row(phase, speed, detail=Detail(course=course, first_done_s=0.2, last_done_s=0.3), **changes)


def numbers(finding: Finding, case: int = 0) -> dict[str, tuple[float, int, str]]:
    """Of a case: value, count and remark by what they are of; rates in MiB/s."""
    places = list(dict.fromkeys(one.subject[:2] for one in finding.numbers))
    found = {}
    for one in finding.numbers:
        if one.subject[:2] == places[case] and isinstance(one.value, Quantity):
            scale = MIB if one.value.metric.unit == "B/s" else 1
            found[one.subject[2]] = (pytest.approx(one.value.median / scale), one.value.n, one.remark)
    return found


def test_what_follows_the_last_request_is_told_of_the_fastest_case() -> None:
    finding = found(
        judge_timeline, [timed("write", 100, 0.6, ranks=1), timed("write", 200, 0.4), timed("read", 1, 0.3)]
    )
    shares = {one.subject: one.value for one in finding.answers}
    assert shares == {
        ("write",): Ratio(pytest.approx(0.75), None, None, 1, "of the time", "%"),
        ("read",): Ratio(pytest.approx(1), None, None, 1, "of the time", "%"),
    }
    assert finding.certainty is None, "it shows numbers and decides nothing"
    assert numbers(finding, 1) == {
        "requests done after": (0.3, 1, "of 400 ms"),
        "rate until then": (200, 1, ""),
        "busiest moment": (300, 1, "for 100 ms"),
        "first rank done after": (0.2, 12, "median"),
        "last rank done after": (0.3, 12, "median"),
    }
    assert "first rank done after" not in numbers(finding, 0), "one rank is first and last"


def test_the_share_of_requests_is_of_all_samples_and_sure_only_with_an_interval() -> None:
    course = Course(0.1, (MIB,), 0.2)
    few, many = (
        found(judge_timeline, [row("write", 1, detail=Detail(course=course, request_shares=shares))])
        for shares in ((0.5,), (0.45, 0.5, 0.5, 0.5, 0.55, 0.5))
    )
    assert [(one.value, one.certainty) for one in (*few.answers, *many.answers)] == [
        (Ratio(0.5, None, None, 1, "of the time", "%"), Certainty.OPEN),
        (Ratio(0.5, 0.45, 0.55, 6, "of the time", "%"), Certainty.SURE),
    ]


def test_the_last_interval_reaches_no_further_than_the_phase() -> None:
    assert Course(0.1, (MIB,) * 3, 0.25).requests_done_s == 0.25


def test_the_busiest_moment_may_begin_in_any_interval() -> None:
    done = (MIB, 5 * MIB, 4 * MIB, *[0] * (2 * PARTS - 4), MIB)  # a moment is two intervals of 0.5 s
    moved = Detail(course=Course(0.5, done, PARTS))
    finding = found(judge_timeline, [row("read", 1, detail=moved)])
    assert numbers(finding)["busiest moment"] == (9, 1, "for 1.00 s")


def test_without_timelines_there_is_nothing_to_say() -> None:
    assert judge_timeline([row("write", 1000)], {}) is None


def test_no_two_ticks_of_time_read_the_same() -> None:
    """By significant digits, an axis up to 0.12 s read 0.08, 0.1, 0.1."""
    course = Course(0.02, (10 * MIB,) * 6, 0.12)
    drawing = draw("timeline", [row("write", 1, detail=Detail(course=course))], {})
    assert drawing is not None
    assert {"0.08", "0.1", "0.12"} <= set(re.findall(r">([0-9.]+)</text>", still(drawing)))

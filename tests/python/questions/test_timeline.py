"""A phase over time, in words."""

import re

from rows import MIB, found, row
from weir.analyse.detail import Course, Detail
from weir.figures.render import still
from weir.questions.question import draw
from weir.questions.timeline import PARTS, judge_timeline
from weir.results.row import Row


def timed(phase: str, speed: float, elapsed_s: float, **changes: object) -> Row:
    course = Course(0.1, (10 * MIB, 30 * MIB, 20 * MIB), elapsed_s)
    return row(phase, speed, detail=Detail(course=course, first_done_s=0.2, last_done_s=0.3), **changes)


def test_what_follows_the_last_request_is_said_of_the_fastest_case() -> None:
    finding = found(
        judge_timeline, [timed("write", 100, 0.6, ranks=1), timed("write", 200, 0.4), timed("read", 1, 0.3)]
    )
    assert finding.title == (
        "The last request is done after 75 % of the time (writes) and 100 % of the time (reads)"
    )
    assert finding.sentences[0] == (
        "Write, 2 ranks: requests done after 300 ms of 400 ms, until then 200 MiB/s, 300 MiB/s in the "
        "busiest 100 ms. The first rank was done after 200 ms, the last after 300 ms (medians, n = 12). "
        "The rest is syncing and closing."
    )
    assert len(finding.sentences) == 2 and len(finding.details) == 3


def test_the_last_interval_reaches_no_further_than_the_phase() -> None:
    assert Course(0.1, (MIB,) * 3, 0.25).requests_done_s == 0.25


def test_the_busiest_moment_may_begin_in_any_interval() -> None:
    done = (MIB, 5 * MIB, 4 * MIB, *[0] * (2 * PARTS - 4), MIB)  # a moment is two intervals of 0.5 s
    moved = Detail(course=Course(0.5, done, PARTS))
    finding = found(judge_timeline, [row("read", 1, detail=moved)])
    assert "9.00 MiB/s in the busiest 1.00 s" in finding.sentences[0]


def test_without_timelines_there_is_nothing_to_say() -> None:
    assert judge_timeline([row("write", 1000)], {}) is None


def test_no_two_ticks_of_time_read_the_same() -> None:
    """By significant digits, an axis up to 0.12 s read 0.08, 0.1, 0.1."""
    course = Course(0.02, (10 * MIB,) * 6, 0.12)
    drawing = draw("timeline", [row("write", 1, detail=Detail(course=course))], {})
    assert drawing is not None
    assert {"0.08", "0.1", "0.12"} <= set(re.findall(r">([0-9.]+)</text>", still(drawing)))

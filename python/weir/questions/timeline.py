"""Bandwidth over the time of a phase: when its requests were done, and how steadily."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from weir.analyse.detail import Course
from weir.analyse.statistics import estimate_median
from weir.answers.answer import Answer, Number, Ratio, Value
from weir.answers.quantities import if_known, single
from weir.figures.charts import step_lines
from weir.figures.encoding import TICKS, drawn_by_direction, quantitative
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.questions.latency import case_name
from weir.questions.question import figure
from weir.results.row import Row, directions, measured, median_of
from weir.units import format_seconds

HEIGHT = 240
MOST_INTERVALS = 60

MIB = float(1 << 20)
PARTS = 20
"""The busiest moment is sought among intervals of at least this part of the time: in any shorter one a
single request makes a peak."""
CONDITIONS = (
    "Bytes count when their request is done: a write may still be in the page cache. Drawn is the sample "
    "nearest the median."
)


def judge_timeline(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """When the last request was done, and how far the busiest moment lies from the mean; null without
    timelines."""
    found = [row for row in measured(rows) if row.detail.course]
    if not found:
        return None
    order = directions(found)
    ordered = sorted(found, key=lambda row: order.index(row.direction))
    name = case_name(found)
    return Finding(
        conditions=" ".join(filter(None, [drawn_by_direction(found)[1], CONDITIONS])),
        answers=tuple(_answer(row) for row in _best_of(ordered)),
        columns=("phase", "case", ""),
        numbers=tuple(
            Number((row.phase, name(row), what), value, remark)
            for row in ordered
            for what, value, remark in _numbers(row)
        ),
    )


def _best_of(rows: list[Row]) -> list[Row]:
    """The fastest case of each direction."""
    return [
        max((row for row in rows if row.direction == direction), key=median_of)
        for direction in directions(rows)
    ]


def _course(row: Row) -> Course:
    assert row.detail.course is not None
    return row.detail.course


def _answer(row: Row) -> Answer:
    """Which share of the time goes to requests: the rest is syncing and closing."""
    course = _course(row)
    found = estimate_median(row.detail.request_shares or [course.requests_done_s / course.elapsed_s])
    assert found is not None
    share = Ratio(found.median, found.low, found.high, found.count, "of the time", "%")
    return if_known(Answer("", (row.direction,), share, weight=WEIGHT, decides=False))


WEIGHT = 0.03
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def _numbers(row: Row) -> Iterator[tuple[str, Value, str]]:
    """When requests were done and how fast, of the sample that is drawn; when ranks were done, of all."""
    course = _course(row)
    done, (moment_s, most) = course.requests_done_s, _busiest(course)
    yield "requests done after", single("s", "s", done, 1), f"of {format_seconds(course.elapsed_s)}"
    yield "rate until then", single("rate", "B/s", sum(course.bytes) / done, 1), ""
    yield "busiest moment", single("rate", "B/s", most * MIB, 1), f"for {format_seconds(moment_s)}"
    first, last = row.detail.first_done_s, row.detail.last_done_s
    if first is not None and last is not None and row.ranks > 1:
        yield "first rank done after", single("s", "s", first, row.n), "median"
        yield "last rank done after", single("s", "s", last, row.n), "median"


def _busiest(course: Course) -> tuple[float, float]:
    """How long the moment is, and its MiB/s; it may begin in any interval."""
    moment_s = course.coarser(course.requests_done_s / PARTS).interval_s
    times = round(moment_s / course.interval_s)
    sums = (sum(course.bytes[at : at + times]) for at in range(max(1, len(course.bytes) - times + 1)))
    return moment_s, max(sums) / moment_s / MIB


@figure("timeline", judge_timeline, "Requests take", "How steadily do data flow, and when are requests done?")
def timeline(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a direction: bytes finished a second, over the time since the phase's start, a curve a case."""
    found = [row for row in measured(rows) if row.detail.course]
    drawn, _ = drawn_by_direction(found)
    values = {name: _values(part, case_name(found)) for name, part in drawn.items()}
    most = max(value["mib_per_s"] for part in values.values() for value in part)
    return [Panel(f"{name}s".capitalize(), _panel(part, most)) for name, part in values.items()]


def _values(rows: list[Row], name: Callable[[Row], str]) -> list[dict[str, Any]]:
    """The points of one panel, in intervals that suit its longest curve."""
    longest = max(row.detail.course.elapsed_s for row in rows if row.detail.course)
    return [
        {"time": start, "mib_per_s": rate, "series": name(row)}
        for row in rows
        for start, rate in _points(row, longest / MOST_INTERVALS)
    ]


def _panel(values: list[dict[str, Any]], most: float) -> Spec:
    scale, axis = {"domainMax": most * 1.05}, {"tickCount": 5, "format": TICKS}
    encoding = {
        "x": quantitative("time", "time since the start (s)", axis={"tickCount": 6, "format": TICKS}),
        "y": quantitative("mib_per_s", "bandwidth (MiB/s)", scale=scale, axis=axis),
        "tooltip": [
            {"field": "series", "title": "case"},
            {"field": "time", "title": "from (s)", "format": ".3~r"},
            {"field": "mib_per_s", "title": "MiB/s", "format": ".3~r"},
        ],
    }
    return step_lines(values, HEIGHT, {"interpolate": "step-after", "strokeWidth": 1.6}, encoding)


def _points(row: Row, least_s: float) -> list[tuple[float, float]]:
    """(start in s, MiB/s) of each interval of at least that length, then nothing until the phase's end."""
    assert row.detail.course is not None
    course = row.detail.course.coarser(least_s)
    step = course.interval_s
    points = [(round(i * step, 9), round(size / step / MIB, 3)) for i, size in enumerate(course.bytes)]
    return [
        *points,
        (round(len(course.bytes) * step, 9), 0.0),
        (round(max(course.elapsed_s, len(points) * step), 9), 0.0),
    ]

"""Bandwidth over the time of a phase: when its requests were done, and how steadily."""

from collections.abc import Callable, Mapping
from typing import Any

from weir.analyse.detail import Course
from weir.figures.charts import step_lines
from weir.figures.encoding import TICKS, drawn_by_direction, quantitative
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.questions.latency import case_name
from weir.questions.question import figure
from weir.results.row import Row, directions, measured, median_of
from weir.results.words import capital, join_words
from weir.units import format_seconds, format_share, significant

HEIGHT = 240
MOST_INTERVALS = 60

MIB = float(1 << 20)
PARTS = 20
"""The busiest moment is sought among intervals of at least this part of the time: in any shorter one a
single request makes a peak."""
CONDITIONS = (
    "Bytes count when their request is done, not when the device has them: a write may still be in the page "
    "cache. The figure shows one sample of each case, the one nearest its median."
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
    best = _best_of(ordered)
    said = {id(row): _sentence(row, name(row)) for row in ordered}
    conditions = " ".join(filter(None, [drawn_by_direction(found)[1], CONDITIONS]))
    return Finding(_title(best), tuple(said[id(row)] for row in best), conditions, tuple(said.values()))


def _best_of(rows: list[Row]) -> list[Row]:
    """The fastest case of each direction."""
    return [
        max((row for row in rows if row.direction == direction), key=median_of)
        for direction in directions(rows)
    ]


def _title(rows: list[Row]) -> str:
    """How much of the time goes to requests, in the fastest case of each direction."""
    parts = []
    for row in rows:
        course = row.detail.course
        assert course is not None
        parts.append(
            f"{format_share(course.requests_done_s / course.elapsed_s)} of the time ({row.direction}s)"
        )
    return f"The last request is done after {join_words(parts)}"


def _sentence(row: Row, name: str) -> str:
    course = row.detail.course
    assert course is not None
    what = capital(", ".join(filter(None, [row.phase, name])))
    done, total = course.requests_done_s, course.elapsed_s
    moment_s, most = _busiest(course)
    mean = sum(course.bytes) / done / MIB
    rest = " The rest is syncing and closing." if row.moves == "write" and done < 0.95 * total else ""
    return (
        f"{what}: requests done after {format_seconds(done)} of {format_seconds(total)}, until then "
        f"{significant(mean)} MiB/s, {significant(most)} MiB/s in the busiest "
        f"{format_seconds(moment_s)}.{_ends_words(row)}{rest}"
    )


def _busiest(course: Course) -> tuple[float, float]:
    """How long the moment is, and its MiB/s; it may begin in any interval."""
    moment_s = course.coarser(course.requests_done_s / PARTS).interval_s
    times = round(moment_s / course.interval_s)
    sums = (sum(course.bytes[at : at + times]) for at in range(max(1, len(course.bytes) - times + 1)))
    return moment_s, max(sums) / moment_s / MIB


def _ends_words(row: Row) -> str:
    first, last = row.detail.first_done_s, row.detail.last_done_s
    if first is None or last is None or row.ranks == 1:
        return ""
    return (
        f" The first rank was done after {format_seconds(first)}, the last after {format_seconds(last)} "
        f"(medians, n = {row.n})."
    )


@figure("timeline", judge_timeline)
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

"""How a phase went over time: when its requests were done, and how steadily."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.analyse.detail import Course
from weir.findings.finding import Finding, capital
from weir.findings.latency import case_name
from weir.findings.row import Row, directions, measured, median_of
from weir.findings.words import join_words
from weir.units import format_seconds, format_share, significant

MIB = float(1 << 20)
PARTS = 20
"""The busiest moment is sought among intervals of at least this part of the time: in any shorter one a
single request makes a peak."""
CARE = (
    "Bytes count when their request is done, not when the device has them: a write may still lie in the page "
    "cache. Drawn is one sample of each case, the one nearest its median."
)


def judge_course(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
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
    return Finding(_title(best), tuple(said[id(row)] for row in best), CARE, tuple(said.values()))


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

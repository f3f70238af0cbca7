"""The rows of a history as a table and as data."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from weir.compare.history import Course
from weir.compare.history_screen import History, day_of
from weir.results.pairing import number_words
from weir.results.words import capital


def course_headings() -> tuple[str, ...]:
    """Those of course_rows()."""
    return ("~row", "runs", "verdict", "~levels", "times as good", "~perhaps")


def course_rows(history: History) -> list[tuple[str, ...]]:
    """A row each: its levels with the days on which they began."""
    return [_cells(one) for one in (*history.headline, *history.others)]


def _cells(course: Course) -> tuple[str, ...]:
    series, metric = course.series, course.series.row.metric
    levels = [f"{metric.words(one.median)} from {day_of(series.made[one.begin])}" for one in course.levels]
    return (
        capital(series.label),
        str(len(series.values)),
        str(course.verdict),
        ", ".join(levels),
        _ratio_words(course),
        f"{number_words(course.perhaps.times)} times from {day_of(series.made[course.perhaps.at])}"
        if course.perhaps
        else "",
    )


def _ratio_words(course: Course) -> str:
    found = course.apart
    if found is None:
        return ""
    if found.low is None or found.high is None:
        return f"{number_words(found.ratio)} (no interval)"
    return f"{number_words(found.ratio)} [{number_words(found.low)}, {number_words(found.high)}]"


def history_data(history: History) -> dict[str, Any]:
    """All of it for `--json`."""
    return {
        "study": history.study,
        "host": history.host or None,
        "runs": list(history.made),
        "lost": history.lost,
        "other_hosts": history.elsewhere,
        "verdict": str(history.verdict),
        "headline": list(map(_data, history.headline)),
        "others": list(map(_data, history.others)),
    }


def _data(course: Course) -> dict[str, Any]:
    series = course.series
    return {
        "row": series.label,
        "case": series.row.case,
        "phase": series.row.phase,
        "metric": series.row.metric.key,
        "unit": series.row.metric.unit,
        "simulated": series.row.simulated,
        "made": list(series.made),
        "medians": list(series.values),
        "verdict": str(course.verdict),
        "since": course.since or None,
        "levels": [dict(_level(one, series.made)) for one in course.levels],
        "times_as_good": asdict(course.apart) if course.apart else None,
        "perhaps": {"since": series.made[course.perhaps.at], "times": course.perhaps.times}
        if course.perhaps
        else None,
    }


def _level(one: Any, made: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    yield "since", made[one.begin]
    yield "runs", one.end - one.begin
    yield "median", one.median

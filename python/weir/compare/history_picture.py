"""The pictures of a history: each run as a dot over time, each level as a line."""

from collections.abc import Sequence

from weir.compare.history import Course
from weir.compare.history_screen import History, day_of
from weir.figures.encoding import panel_spec, quantitative, value_axis
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.results.words import capital

HEIGHT, LOW = 150, 105
"""Of a panel that stands alone or beside one, and of those of three and more."""
MOST_FIRST, MOST_BELOW, MOST_DOTS = 4, 24, 4000


def course_pictures(history: History) -> tuple[Drawing | None, Drawing | None]:
    """That of the rows that speak for the study, and that of others, those with changes first."""
    changed = sorted(history.others, key=lambda one: -len(one.levels))
    most = max(1, min(MOST_BELOW, MOST_DOTS // max(len(history.made), 1)))
    return (
        _drawing("courses", history.headline[:MOST_FIRST]),
        _drawing("other-courses", [*history.headline[MOST_FIRST:], *changed][:most]),
    )


def _drawing(name: str, courses: Sequence[Course]) -> Drawing | None:
    if not courses:
        return None
    height = HEIGHT if len(courses) <= 2 else LOW
    panels = [Panel(capital(one.series.label), _spec(one, height)) for one in courses]
    return Drawing(name, Finding(()), tuple(panels), "How did each run do?")


def _spec(course: Course, height: int) -> Spec:
    series, metric = course.series, course.series.row.metric
    scale = metric.scale
    values = [
        {"x": made, "y": float(f"{value / scale:.5g}"), "run": number + 1}
        for number, (made, value) in enumerate(zip(series.made, series.values, strict=True))
    ]
    levels = [
        {"x": series.made[level.begin], "end": series.made[level.end - 1], "y": level.median / scale}
        for level in course.levels
    ]
    y = value_axis(metric, min(series.values) / scale, max(series.values) / scale) | {"field": "y"}
    x = {"field": "x", "type": "temporal", "title": None, "axis": {"tickCount": 5, "labelOverlap": True}}
    tooltip = [
        {"field": "x", "title": "made, UTC"},
        {"field": "run"},
        {**quantitative("y", y["title"]), "format": ".4~r"},
    ]
    layer: list[Spec] = [
        {
            "mark": {"type": "point", "filled": True, "size": 30, "opacity": 0.7},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
        {
            "data": {"values": levels},
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.8, "color": CHANGED},
            "encoding": {"x": x, "x2": {"field": "end"}, "y": y},
        },
    ]
    changes = [
        {"x": series.made[level.begin], "text": day_of(series.made[level.begin])}
        for level in course.levels[1:]
    ]
    if changes:
        layer.append(
            {
                "data": {"values": changes},
                "mark": {"type": "rule", "strokeDash": [4, 3], "style": "mark-line"},
                "encoding": {"x": x, "tooltip": [{"field": "text", "title": "changed"}]},
            }
        )
    return panel_spec(height, values, layer=layer)


CHANGED = "#D55E00"

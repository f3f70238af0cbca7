"""A few ways side by side, from zero, with their intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weir.figures._axes import value_axis
from weir.figures._data import INCONCLUSIVE, SUSPECT, TOOLTIP, bounds, datum, state
from weir.figures._few import legend_of
from weir.figures.drawing import Spec
from weir.findings.row import Row, median_of

HEIGHT = 280
LINES = "split(datum.label, '|')"
LONGEST_LINE = 9
REMARK = {INCONCLUSIVE: " ?", SUSPECT: " (cache)"}


def bar_chart(
    rows: list[Row], group: Callable[[Row], str], series: Callable[[Row], str], all_rows: list[Row]
) -> Spec:
    """The spec of one panel: groups along the axis, one bar a series; `all_rows` fix colours and vertical
    axis.

    A bar whose number is in doubt is pale, and its number is followed by "?" (inconclusive) or "(cache)".
    """
    domain = list(dict.fromkeys(series(row) for row in all_rows))
    groups = list(dict.fromkeys(_lines(group(row)) for row in all_rows))
    y = value_axis(all_rows[0].metric, 0, bounds(all_rows)[1] * 1.04, from_zero=True)
    place: dict[str, Any] = {
        "x": {
            "field": "group",
            "type": "nominal",
            "sort": groups,
            "title": None,
            "axis": {"labelAngle": 0, "labelExpr": LINES},
        },
        "xOffset": {"field": "series", "sort": domain},
        "color": {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": domain},
            "legend": legend_of(domain) | {"symbolType": "square"},
        },
    }
    doubt = {"condition": {"test": "datum.state !== 'precise'", "value": 0.4}, "value": 0.9}
    return {
        "width": "container",
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [_datum(row, _lines(group(row)), series(row)) for row in rows]},
        "encoding": place,
        "layer": [
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2},
                "encoding": {"y": {"field": "median", **y}, "opacity": doubt, "tooltip": TOOLTIP},
            },
            {
                "transform": [{"filter": "isValid(datum.low)"}],
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "y": {"field": "low", **y},
                    "y2": {"field": "high"},
                    "color": None,
                },
            },
            {
                "mark": {"type": "text", "baseline": "bottom", "dy": -4},
                "encoding": {
                    "y": {"field": "top", "type": "quantitative"},
                    "text": {"field": "label"},
                    "color": None,
                },
            },
        ],
    }


def _lines(group: str) -> str:
    """The group's name in short lines, so that neighbours have room on a narrow page."""
    parts = [
        part if len(part) <= LONGEST_LINE else "|".join(part.rsplit(" ", 1)) for part in group.split(", ")
    ]
    return "|".join(parts)


def _datum(row: Row, group: str, series: str) -> dict[str, Any]:
    top = (row.high if row.high is not None else median_of(row)) / row.metric.scale
    label = row.metric.show(median_of(row)) + REMARK.get(state(row), "")
    return datum(row, group=group, series=series) | {"top": top, "label": label}

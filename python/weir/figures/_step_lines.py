"""Curves of steps, one a case: what a value is in each of many narrow bins."""

from __future__ import annotations

from typing import Any

from weir.figures._few import legend_of
from weir.figures.drawing import Spec


def step_lines(
    values: list[dict[str, Any]], height: int, mark: dict[str, Any], encoding: dict[str, Any]
) -> Spec:
    """The spec of one panel.

    Each of `values` has the fields that `encoding` (x, y and tooltip) names, and "series", its curve. `mark`
    says how the line looks, and where between two points it steps.
    """
    domain = list(dict.fromkeys(value["series"] for value in values))
    legend = legend_of(domain) | {"symbolType": "stroke"} if any(domain) else None
    color = {"field": "series", "type": "nominal", "scale": {"domain": domain}, "legend": legend}
    return {
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": values},
        "mark": {"type": "line", **mark},
        "encoding": {**encoding, "color": color},
    }

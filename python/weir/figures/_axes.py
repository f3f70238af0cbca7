"""Axes: sizes in binary units, measured values on a scale that fits their range."""

from __future__ import annotations

import math
from typing import Any

from weir.analyse.metric import Metric

LOG_FROM_RATIO = 6.0
SIZE_LABEL = (
    "datum.value >= 1073741824 ? format(datum.value / 1073741824, ',~r') + ' GiB'"
    " : datum.value >= 1048576 ? format(datum.value / 1048576, ',~r') + ' MiB'"
    " : datum.value >= 1024 ? format(datum.value / 1024, ',~r') + ' KiB' : format(datum.value, ',~r') + ' B'"
)


def size_axis(field: str, title: str, values: list[int]) -> dict[str, Any]:
    """A logarithmic axis of sizes in bytes, with a tick at each size measured."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"type": "log", "base": 2, "domain": [min(values) / 1.2, max(values) * 1.2], "nice": False},
        "axis": {"values": values, "labelExpr": SIZE_LABEL, "labelOverlap": "greedy", "labelSeparation": 6},
    }


def ranks_axis(field: str, counts: list[int]) -> dict[str, Any]:
    """A logarithmic axis of rank counts, with a tick at each count measured."""
    return {
        "field": field,
        "type": "quantitative",
        "title": "ranks",
        "scale": {"type": "log", "base": 2, "domain": [counts[0] / 1.15, counts[-1] * 1.15], "nice": False},
        "axis": {"values": counts, "format": ",d"},
    }


def value_axis(metric: Metric, low: float, high: float, *, from_zero: bool = False) -> dict[str, Any]:
    """An axis in the metric's shown unit: logarithmic where the range spans more than a factor of six, and
    from zero otherwise.
    """
    axis: dict[str, Any] = {"type": "quantitative", "title": f"{metric.noun} ({metric.shown_unit})"}
    if from_zero or low <= 0 or high / low < LOG_FROM_RATIO:
        return axis | {
            "scale": {"domain": [0, high * 1.08], "nice": True},
            "axis": {"tickCount": 6, "format": ",~r"},
        }
    domain = [low / 1.25, high * 1.25]
    ticks = {"values": log_ticks(*domain), "format": ",~r"}
    return axis | {"scale": {"type": "log", "domain": domain, "nice": False}, "axis": ticks}


def log_ticks(low: float, high: float) -> list[float]:
    steps = (1, 2, 5) if high / low < 3000 else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [tick for decade in decades for step in steps if low <= (tick := step * 10.0**decade) <= high]

"""In which calls the ranks of an application spend their I/O time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir.analyse.io_account import OPERATIONS
from weir.figures.drawing import Card, Drawing, Panel, Spec, figure
from weir.findings.io_time import IoTime, io_cases, judge_io_time
from weir.findings.row import Row
from weir.units import format_seconds, format_share

ROW_HEIGHT = 64


@figure("io-time")
def io_time(rows: list[Row], card: Card) -> Drawing | None:
    """A bar a machine, divided into its operations; a panel a case."""
    finding = judge_io_time(rows, card)
    if finding is None:
        return None
    cases = [case for case in io_cases(rows) if case.times]
    seen = {name for case in cases for one in case.times for name, value in one.by_operation.items() if value}
    drawn = [name for name in OPERATIONS if name in seen]  # one colour each, in all panels
    return Drawing("io-time", finding, tuple(Panel(case.name, _spec(case.times, drawn)) for case in cases))


def _spec(times: Sequence[IoTime], drawn: Sequence[str]) -> Spec:
    machines = [f"{one.machine}, {format_seconds(one.total_s)}" for one in times]
    values = [
        _datum(one, machine, name)
        for one, machine in zip(times, machines, strict=True)
        for name in OPERATIONS
        if one.by_operation.get(name)
    ]
    place: dict[str, Any] = {
        "y": {
            "field": "machine",
            "type": "nominal",
            "sort": machines,
            "title": None,
            "axis": {"labelLimit": 220},
        },
        "x": {
            "field": "share",
            "type": "quantitative",
            "stack": "zero",
            "title": "share of a rank's time in I/O calls",
            "scale": {"domain": [0, 1]},
            "axis": {"format": "~%", "tickCount": 5},
        },
        "color": {
            "field": "operation",
            "type": "nominal",
            "scale": {"domain": drawn},
            "legend": {"title": None, "symbolType": "square", "columns": 3},
        },
        "order": {"field": "at", "type": "quantitative"},
        "tooltip": [
            {"field": "machine", "title": "machine, all of it"},
            {"field": "operation"},
            {"field": "time", "title": "average a rank"},
            {"field": "part", "title": "share"},
        ],
    }
    return {
        "width": "container",
        "height": ROW_HEIGHT * len(times),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": values},
        "mark": {"type": "bar", "opacity": 0.9},
        "encoding": place,
    }


def _datum(times: IoTime, machine: str, operation: str) -> dict[str, Any]:
    share = times.share(operation)
    return {
        "machine": machine,
        "operation": operation,
        "at": OPERATIONS.index(operation),
        "share": float(f"{share:.5g}"),
        "time": format_seconds(times.by_operation[operation]),
        "part": format_share(share),
    }

"""Bandwidth against file size: where the page cache ends."""

from __future__ import annotations

from weir.figures._axes import size_axis
from weir.figures._data import name_curves
from weir.figures._line_chart import Along, Marker, line_chart
from weir.figures.drawing import Card, Drawing, Panel, figure
from weir.findings.cache import cacheable_bytes, dirty_limit_bytes
from weir.findings.row import Row
from weir.findings.size import judge_size, of_files


@figure("size")
def size(rows: list[Row], card: Card) -> Drawing | None:
    """Writes and reads in a panel each, with and without the cache's help, over the data of all ranks."""
    finding = judge_size(rows, card)
    if finding is None:
        return None
    found = of_files(rows)
    curve = name_curves(found, "block")
    limits = {
        "write": (dirty_limit_bytes(card), "kernel makes writers wait"),
        "read": (cacheable_bytes(card), "memory available"),
    }
    panels = []
    for direction in ("write", "read"):
        part = [row for row in found if row.direction == direction]
        if not part:
            continue
        sizes = sorted({row.data_bytes or 0 for row in part})
        limit, text = limits[direction]
        inside = limit is not None and sizes[0] < limit < sizes[-1]
        spec = line_chart(
            part,
            Along(size_axis("x", "file size, data of all ranks", sizes), _data_bytes, curve),
            all_rows=found,
            markers=[Marker(float(limit or 0), text)] if inside else [],
        )
        panels.append(Panel(f"{direction}s".capitalize(), spec))
    return Drawing("size", finding, tuple(panels))


def _data_bytes(row: Row) -> float:
    return float(row.data_bytes or 0)

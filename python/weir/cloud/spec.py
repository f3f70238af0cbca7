"""A picture as one Vega-Lite spec."""

from __future__ import annotations

from weir.cloud.dump import words_for
from weir.cloud.picture import Picture
from weir.figures.drawing import Spec
from weir.figures.export import INDEPENDENT
from weir.figures.theme import config
from weir.units import significant


def spec_of(picture: Picture) -> Spec:
    """Both panels, under a title and what the dump says of itself."""
    step = picture.dump.header.step
    return {
        "title": {
            "text": f"Gas cloud: {picture.field} after {step} step{'s' if step != 1 else ''}",
            "subtitle": _caption(picture),
            "offset": 18,
            "subtitlePadding": 6,
        },
        "hconcat": [picture.columns.spec(), picture.slice.spec()],
        "spacing": 48,
        "resolve": INDEPENDENT,
        "config": config(),
        "padding": 16,
    }


def _caption(picture: Picture) -> list[str]:
    head = picture.dump.header
    lines = [f"time {head.time:.4g} (scaled), {words_for(head.cells)} cells, gamma {head.gamma:.4g}"]
    if picture.density and picture.contrast:
        most, mean = picture.density.most, picture.density.mean
        times = significant(picture.contrast, 4)
        lines.append(f"largest density {most:.4g}, {times} times the mean of {mean:.4g} (scaled)")
    begins = ", ".join(
        f"{axis} = {significant(cell * head.cell_edge)}" for axis, cell in picture.start.items() if cell
    )
    if begins:
        lines.append(f"the box is periodic, and drawn from {begins}, where its edge cuts the least gas")
    if picture.dump.kind == "visualisation":
        lines.append("from a visualisation file: one byte a cell, 0 to 255")
    return lines

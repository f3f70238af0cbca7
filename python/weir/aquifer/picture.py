"""A picture of a slice through a file: panels of several quantities, with contours and flow lines, as a
Vega-Lite spec; and what it says, for programs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.aquifer.contours import contours, step_for
from weir.aquifer.file import AquiferFile, Output
from weir.aquifer.flow import Flow
from weir.aquifer.names import AXES, Quantity, velocity
from weir.aquifer.slice import Plane, Raster, layer_of, raster_of
from weir.errors import ExitCode, WeirError
from weir.figures.encoding import config
from weir.figures.figure import Spec
from weir.figures.image import ColourScale, Scale, Values
from weir.figures.levels import Levels
from weir.figures.panel import Line, Panel, Side
from weir.figures.render import INDEPENDENT
from weir.printable import printable
from weir.units import count_words, significant

SIDE_BY_SIDE_PIXELS, STACKED_PIXELS = 760, 1200
"""Along a panel's long side."""
STACKED_FROM = 2
"""Width over height of panels that stand below each other."""
MOST_KINDS = 12
"""Of whole numbers, each with a colour of its own; more are drawn as a quantity."""
SCALE_IS_EVEN = 0.02
"""Axes whose scales differ by less are said to be drawn alike."""
PRESSURE, SATURATION = "Liquid_Pressure", "Liquid_Saturation"
_LARGER_UNITS = {"Pa": (("MPa", 1e6), ("kPa", 1e3))}
_SPACE = {SATURATION: "share of pores"}


@dataclass(frozen=True)
class Shown:
    """A quantity in the plane. layer: of the file's unit, rows upwards, not a number where there is none.
    unit, divisor: as drawn. step: between contours, in the drawn unit; null where there are none."""

    quantity: Quantity
    layer: Values
    unit: str
    divisor: float
    step: float | None

    @property
    def drawn(self) -> Values:
        """In the drawn unit."""
        return self.layer / self.divisor

    @property
    def gaps(self) -> int:
        """Cells without a finite number."""
        return int(np.isnan(self.layer).sum())


@dataclass(frozen=True)
class Picture:
    """What was drawn. number: of the output time, from 0. fastest: the largest velocity in the plane and its
    unit, null where the file has none. flow: lines that follow it, in the last panel."""

    file: AquiferFile
    output: Output
    number: int
    plane: Plane
    raster: Raster
    panels: tuple[Shown, ...]
    fastest: tuple[float, str] | None
    flow: list[Line]


def quantities_in(output: Output, wanted: Sequence[str]) -> list[Quantity]:
    """Those of the names; without names pressure, saturation and the first tracer, those that are
    there, else the first of all. Raises WeirError where there is nothing."""
    if wanted:
        return [output.quantity(name) for name in wanted]
    output.check_fields()
    known = {one.name: one for one in output.quantities}
    tracers = [one for one in output.quantities if one.is_tracer]
    found = [known[name] for name in (PRESSURE, SATURATION) if name in known] + tracers[:1]
    return found or [output.quantities[0]]


def picture_of(
    output: Output, number: int, plane: Plane, quantities: list[Quantity], *, with_lines: bool = True
) -> Picture:
    """Read the slice. Raises WeirError where a quantity has no finite number in it."""
    file = output.file
    raster = raster_of(file, plane, STACKED_PIXELS)
    if not _is_stacked(raster, len(quantities)):
        raster = raster_of(file, plane, SIDE_BY_SIDE_PIXELS)
    panels = tuple(_shown(output, one, plane, with_lines=with_lines) for one in quantities)
    flow, fastest = _flow(output, plane, raster) if with_lines else (None, None)
    return Picture(file, output, number, plane, raster, panels, fastest, flow.lines() if flow else [])


def _is_stacked(raster: Raster, panels: int) -> bool:
    return panels > 1 and _aspect(raster) >= STACKED_FROM


def _aspect(raster: Raster) -> float:
    """The image's width over its height."""
    return raster.pixels[0] * len(raster.columns) / (raster.pixels[1] * len(raster.rows))


def _shown(output: Output, quantity: Quantity, plane: Plane, *, with_lines: bool) -> Shown:
    layer = layer_of(output, quantity, plane)
    if np.isnan(layer).all():
        raise WeirError(
            f"'{output.file.path}' holds no sound state",
            f"{printable(quantity.name)} has no finite number in this plane",
            "take another plane, time or file",
            ExitCode.WRONG_DATA,
        )
    most = float(np.nanmax(np.abs(layer)))
    unit, divisor = next(
        (larger for larger in _LARGER_UNITS.get(quantity.unit, ()) if most >= 10 * larger[1]),
        (quantity.unit or _SPACE.get(quantity.name, ""), 1.0),
    )
    step = step_for(layer / divisor) if with_lines and quantity.name == PRESSURE else None
    return Shown(quantity, layer, unit, divisor, step if min(layer.shape) > 1 else None)


def _centres(file: AquiferFile, axis: str) -> NDArray[np.float64]:
    edges = file.edges[AXES.index(axis)]
    return np.asarray((edges[1:] + edges[:-1]) / 2)


def _ends(file: AquiferFile, axis: str) -> tuple[float, float]:
    edges = file.edges[AXES.index(axis)]
    return float(edges[0]), float(edges[-1])


def _flow(output: Output, plane: Plane, raster: Raster) -> tuple[Flow | None, tuple[float, str] | None]:
    """The velocity in the plane, and the largest there; null where the file has none."""
    names = velocity(one.stored for one in output.quantities)
    if names is None:
        return None, None
    right, up = (
        layer_of(output, Quantity(names[AXES.index(axis)]), plane) for axis in (plane.right, plane.up)
    )
    speed = np.hypot(right, up)
    if np.isnan(speed).all():
        return None, None
    flow = Flow(
        (_ends(output.file, plane.right), _ends(output.file, plane.up)),
        _centres(output.file, plane.right),
        _centres(output.file, plane.up),
        right,
        up,
        _aspect(raster),
    )
    return flow, (float(np.nanmax(speed)), Quantity(names[0]).unit)


def as_data(picture: Picture) -> dict[str, Any]:
    """What the picture says, for programs; values in the file's units."""
    plane, time = picture.plane, picture.output.time
    return {
        "file": str(picture.file.path),
        "cells": picture.file.cells,
        "step": picture.number,
        "steps": len(picture.file.times),
        "time": time.value,
        "time_unit": time.unit,
        "axis": plane.axis,
        "at_m": plane.at,
        "cell": plane.cell,
        "cell_ends_m": plane.ends,
        "stretch": picture.raster.stretch,
        "thinned": picture.raster.thinned,
        "panels": [
            {
                "variable": one.quantity.name,
                "unit": one.quantity.unit,
                "minimum": float(np.nanmin(one.layer)),
                "maximum": float(np.nanmax(one.layer)),
                "cells_without_number": one.gaps,
                "contour_step": None if one.step is None else one.step * one.divisor,
            }
            for one in picture.panels
        ],
        "flow_lines": len(picture.flow) // 2,
        "largest_velocity_in_plane": picture.fastest[0] if picture.fastest else None,
        "velocity_unit": picture.fastest[1] if picture.fastest else None,
    }


def spec_of(picture: Picture) -> Spec:
    """The panels, under a title and what the file says of itself."""
    panels = [_panel(picture, one) for one in picture.panels]
    if picture.flow:
        panels[-1] = replace(
            panels[-1], title=f"{panels[-1].title}, flow lines", lines=[*panels[-1].lines, *picture.flow]
        )
    stacked = _is_stacked(picture.raster, len(panels))
    plane = picture.plane
    names = [one.quantity.words for one in picture.panels]
    return {
        "title": {
            "text": f"{_listed(names)} at {plane.axis} = {plane.at:.6g} m; time {picture.output.time}",
            "subtitle": _caption(picture),
            "offset": 16,
            "subtitlePadding": 6,
        },
        "concat": [panel.spec() for panel in panels],
        "columns": 1 if stacked else 3,
        "spacing": 28 if stacked else 44,
        "resolve": INDEPENDENT,
        "config": config(),
        "padding": 16,
    }


def _listed(names: list[str]) -> str:
    words = ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]
    return words[:1].upper() + words[1:]


def _panel(picture: Picture, shown: Shown) -> Panel:
    file, plane, raster = picture.file, picture.plane, picture.raster
    name = shown.quantity.words
    title = _listed([name])
    lines: list[Line] = []
    if shown.step is not None:
        lines = contours(shown.drawn, _centres(file, plane.right), _centres(file, plane.up), shown.step)
        title += f", contours every {shown.step:g} {shown.unit}".rstrip() if lines else ""
    if np.nanmin(shown.layer) == np.nanmax(shown.layer):
        title += f", the same everywhere: {np.nanmin(shown.drawn):.6g}"
    image = raster.image(shown.drawn)
    return Panel(
        title,
        f"{name} ({shown.unit})" if shown.unit else name,
        image,
        _scale(shown),
        _side(file, plane.right),
        _side(file, plane.up),
        lines,
        cell_pixels=raster.pixels,
    )


def _scale(shown: Shown) -> Scale:
    """Linear; a colour for each of a few whole numbers that have no unit."""
    drawn = shown.drawn[np.isfinite(shown.drawn)]
    low, high = float(drawn.min()), float(drawn.max())
    kinds = not shown.unit and bool((drawn == np.rint(drawn)).all()) and high - low < MOST_KINDS
    return Levels(int(low), int(high)) if kinds else ColourScale.linear(drawn)


def _side(file: AquiferFile, axis: str) -> Side:
    low, high = _ends(file, axis)
    return Side(axis, f"{axis} (m)", high - low, low)


def _words_for(file: AquiferFile) -> str:
    return " x ".join(map(str, file.cells))


def _caption(picture: Picture) -> list[str]:
    file, plane = picture.file, picture.plane
    low, high = plane.ends
    count = len(file.times)
    which = f"output {picture.number} of 0 to {count - 1}" if count > 1 else "the only output"
    lines = [
        f"{printable(file.path.name)}: {_words_for(file)} cells; {which}",
        f"cell {plane.cell} along {plane.axis}, from {low:.6g} to {high:.6g} m; {_scale_words(picture)}",
    ]
    if picture.flow and picture.fastest:
        speed, unit = picture.fastest
        lines.append(f"flow lines follow the velocity in this plane, at most {speed:.3g} {unit}".rstrip())
    elif picture.fastest and not picture.fastest[0]:
        lines.append("nothing flows in this plane")
    gaps = {one.quantity.words: one.gaps for one in picture.panels if one.gaps}
    if gaps:
        each = ", ".join(f"{name} {count_words(number, 'cell')}" for name, number in gaps.items())
        lines.append(f"grey: no finite number ({each})")
    if picture.raster.thinned:
        lines.append("the smallest cells are smaller than a pixel, and only some are drawn")
    return lines


def _scale_words(picture: Picture) -> str:
    """How the axes' scales differ."""
    stretch, plane = picture.raster.stretch, picture.plane
    if abs(stretch - 1) < SCALE_IS_EVEN:
        return "both axes to the same scale"
    if stretch < 1:
        return f"{plane.right} is drawn {_plain(1 / stretch)} times larger than {plane.up}"
    if plane.up == "z":
        return f"vertical exaggeration {_plain(stretch)}"
    return f"{plane.up} is drawn {_plain(stretch)} times larger than {plane.right}"


def _plain(value: float) -> str:
    """Three digits, without zeros at the end: "2", "12.5"."""
    digits = significant(value)
    return digits.rstrip("0").rstrip(".") if "." in digits else digits

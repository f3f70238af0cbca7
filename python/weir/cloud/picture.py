"""A picture of a dump: what its columns and a slice through it show, its Vega-Lite spec, and its file."""

from dataclasses import dataclass
from typing import Any

from weir.cloud.dump import Dump, words_for
from weir.cloud.edge import moved, start_of
from weir.cloud.fields import AXES, Survey, check_plane, field_of, slice_of, survey
from weir.errors import WeirError
from weir.figures.encoding import config
from weir.figures.figure import Spec
from weir.figures.image import ColourScale, Values
from weir.figures.panel import Panel, Side
from weir.figures.render import INDEPENDENT
from weir.units import significant


@dataclass(frozen=True)
class View:
    """What to draw of a dump.

    field: null for the density, or the one that the file has.
    along: the line of sight, and the axis that the slice is across.
    at: the slice's cell, from 0; null for the densest, or of a visualisation file for its extreme.
    as_stored: begin at cell 0, also where the periodic box's edge then cuts a clump in two.
    """

    field: str | None = None
    along: str = "z"
    at: int | None = None
    as_stored: bool = False


@dataclass(frozen=True)
class Picture:
    """What was drawn. start: the cell at which it begins along either axis; density: how dense the gas is,
    where the file has them."""

    dump: Dump
    field: str
    along: str
    at: int
    start: dict[str, int]
    columns: Panel
    slice: Panel
    density: Survey | None

    @property
    def contrast(self) -> float | None:
        """Largest over mean density; null where the density is not known or its mean is zero."""
        return self.density.most / self.density.mean if self.density and self.density.mean else None


def picture_of(dump: Dump, view: View) -> Picture:
    """Read all of the dump that is needed. Raises WeirError for what the file does not have, and for values
    that are no numbers.
    """
    if view.along not in AXES:
        raise WeirError(f"there is no axis '{view.along}'", "", "use x, y or z")
    field = field_of(dump, view.field)
    if view.at is not None:
        check_plane(dump, view.along, view.at)
    seen = survey(dump, field, view.along)
    density = _density(dump, field, seen)
    at, why = _plane(field, view.at, seen, density)
    start = (0, 0) if view.as_stored else start_of(_gas(field, seen, density))
    panels = _columns(dump, field, seen), _slice(dump, field, view.along, at, why)
    columns, plane = (moved(panel, start, dump.header.cell_edge) for panel in panels)
    begins = {columns.right.axis: start[1], columns.up.axis: start[0]}
    return Picture(dump, field, view.along, at, begins, columns, plane, density)


def as_data(picture: Picture) -> dict[str, Any]:
    """What the picture says, for programs."""
    head, density = picture.dump.header, picture.density
    return {
        "file": str(picture.dump.path),
        "variable": picture.field,
        "axis": picture.along,
        "cell": picture.at,
        "drawn_from": picture.start,
        "cells": head.cells,
        "step": head.step,
        "time": head.time,
        "largest_density": density.most if density else None,
        "mean_density": density.mean if density else None,
        "largest_over_mean_density": picture.contrast,
    }


def _density(dump: Dump, field: str, seen: Survey) -> Survey | None:
    if dump.kind == "visualisation":
        return None
    return seen if field == "density" else survey(dump, "density", seen.along)


def _gas(field: str, seen: Survey, density: Survey | None) -> Values:
    """What should not be cut, along the line of sight: the gas, or what the file holds of it."""
    if density is not None:
        return density.columns
    return -seen.columns if field == "potential" else seen.columns


def _plane(field: str, wanted: int | None, seen: Survey, density: Survey | None) -> tuple[int, str]:
    """The slice's cell, and what is special about it."""
    if wanted is not None:
        return wanted, ""
    if density is not None or field == "density":
        return (density or seen).plane_of_most(), ", the densest"
    if field == "potential":
        return seen.plane_of_least(), ", the deepest"
    return seen.plane_of_most(), ", with the largest value"


def _columns(dump: Dump, field: str, seen: Survey) -> Panel:
    """The column density; of other fields, and of bytes, which cannot be summed up, the mean."""
    if field == "density" and dump.kind == "state":
        quantity, values = "column density", seen.columns * dump.header.cell_edge
    else:
        quantity, values = f"mean {_name(dump, field)}", seen.columns / _cells(dump, seen.along)
    scale = ColourScale.of(values) if dump.kind == "state" else ColourScale.linear(values)
    title = f"{quantity.capitalize()} along {seen.along}"
    return Panel(title, f"{quantity} ({_unit(dump)})", values, scale, *_sides(dump, seen.along))


def _slice(dump: Dump, field: str, along: str, at: int, why: str) -> Panel:
    place = significant((at + 0.5) * dump.header.cell_edge)
    name = _name(dump, field)
    title = f"{name.capitalize()} at {along} = {place} (cell {at} of 0 to {_cells(dump, along) - 1}{why})"
    plane = slice_of(dump, field, along, at)
    scale = ColourScale.of(plane) if dump.kind == "state" else ColourScale(0, 255, False)
    return Panel(title, f"{name} ({_unit(dump)})", plane, scale, *_sides(dump, along))


def _unit(dump: Dump) -> str:
    return "scaled" if dump.kind == "state" else "0 to 255"


def _sides(dump: Dump, along: str) -> tuple[Side, Side]:
    right, up = (_side(axis, _cells(dump, axis) * dump.header.cell_edge) for axis in "xyz" if axis != along)
    return right, up


def _side(axis: str, length: float) -> Side:
    return Side(axis, f"{axis} (box length{' along x' if length != 1 else ''} = 1)", length)


def _name(dump: Dump, field: str) -> str:
    """Of the density, visualisation files hold the logarithm."""
    return f"log {field}" if dump.kind == "visualisation" and field == "density" else field


def _cells(dump: Dump, axis: str) -> int:
    return dump.header.cells["xyz".index(axis)]


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

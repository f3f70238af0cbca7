"""A picture of a slice through a file: its Vega-Lite spec, and what it says, for programs."""

from dataclasses import dataclass
from typing import Any

from weir.figures.encoding import config
from weir.figures.figure import Spec
from weir.figures.image import ColourScale, Scale
from weir.figures.levels import Levels
from weir.figures.panel import Panel, Side
from weir.flash.file import MEANINGS, FlashFile
from weir.flash.slice import AXES, Plane, Slice, plane_in, slice_of
from weir.printable import printable
from weir.units import count_words

LONG_SIDE_PIXELS = 1200


@dataclass(frozen=True)
class Picture:
    """What was drawn. variable: null where colours are levels."""

    file: FlashFile
    variable: str | None
    plane: Plane
    slice: Slice
    scale: Scale


def picture_of(file: FlashFile, variable: str | None, axis: str, at: float | None) -> Picture:
    """Read the slice. Raises WeirError for what the file does not have, and for values that are no
    numbers."""
    if variable is not None:
        file.data(variable)
    plane = plane_in(file, axis, at)
    found = slice_of(file, plane, variable)
    levels = file.tree.levels[file.tree.leaves]
    scale: Scale = ColourScale.of(found.values) if variable else Levels(int(levels.min()), int(levels.max()))
    return Picture(file, variable, plane, found, scale)


def as_data(picture: Picture) -> dict[str, Any]:
    """What the picture says, for programs."""
    found, head = picture.slice, picture.file.header
    drawn = {"minimum": float(found.values.min()), "maximum": float(found.values.max())}
    return {
        "file": str(picture.file.path),
        "kind": picture.file.kind,
        "variable": picture.variable,
        "dimensions": head.dimensions,
        "axis": picture.plane.axis,
        "at": picture.plane.at if head.dimensions == 3 else None,
        "time": head.time,
        "step": head.step,
        "leaves_cut": found.leaves,
        "levels": found.levels,
        "pixels": [found.values.shape[1], found.values.shape[0]],
        "thinned": found.thinned,
        **drawn,
    }


def spec_of(picture: Picture) -> Spec:
    """The panel, under a title and what the file says of itself."""
    found, head = picture.slice, picture.file.header
    name = MEANINGS.get(picture.variable or "", picture.variable or "") or "level of refinement"
    units = units_of(picture.file)
    what = f"{name} ({units})" if picture.variable else "level"
    place = f" at {picture.plane.axis} = {picture.plane.at:.6g}" if head.dimensions == 3 else ""
    title = f"{name[:1].upper()}{name[1:]}{place}"
    panel = Panel(
        f"{title}; time {head.time:.4g} ({units}), step {head.step}",
        what,
        found.values,
        picture.scale,
        _side(picture.file, found.right, units),
        _side(picture.file, found.up, units),
        found.borders,
        LONG_SIDE_PIXELS,
    ).spec()
    return panel | {
        "title": {
            "text": panel["title"]["text"],
            "subtitle": _caption(picture),
            "offset": 14,
            "subtitlePadding": 6,
        },
        "config": config(),
        "padding": 16,
    }


def units_of(file: FlashFile) -> str:
    """In words: files of this format do not name any, unless the run's parameters do."""
    named = file.header.units
    return f"{named.upper()} units" if named and named.lower() != "none" else "scaled units"


def _caption(picture: Picture) -> list[str]:
    file, found = picture.file, picture.slice
    tree = file.tree
    cells = " x ".join(map(str, file.cells[: file.header.dimensions]))
    levels = tree.levels[tree.leaves]
    lines = [
        f"{printable(file.path.name)}: {count_words(len(tree.levels), 'block')} of {cells} cells, "
        f"{count_words(len(levels), 'leaf', 'leaves')} on levels {levels.min()} to {levels.max()}",
        f"lines: borders of the {count_words(found.leaves, 'leaf', 'leaves')} that the plane crosses",
    ]
    if file.header.corners and picture.variable:
        lines.append("values are those of the corners; between them they are linear")
    if found.thinned:
        lines.append("the finest cells are smaller than a pixel, and only some are drawn")
    return lines


def _side(file: FlashFile, axis: str, units: str) -> Side:
    low, high = map(float, file.tree.domain[AXES.index(axis)])
    return Side(axis, f"{axis} ({units})", high - low, low)

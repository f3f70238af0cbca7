"""What is shown of a file: its grid, its times, and what is in the last output."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from weir.aquifer.file import AquiferFile, Output
from weir.aquifer.names import AXES, Quantity
from weir.dumps.kind import Shown, Table
from weir.printable import printable
from weir.units import count_words

MOST_TIMES = 8
"""That are listed for people, of more the first and the last."""
_SLAB_BYTES = 1 << 24
"""Read at once."""


@dataclass(frozen=True)
class Range:
    """Of a quantity, in the file's unit; null where no value is a finite number. gaps: cells without one."""

    least: float | None
    most: float | None
    gaps: int


def shown(file: AquiferFile) -> Shown:
    """Reads all of the last output. Raises WeirError where that cannot be read."""
    last = file.output(file.times[-1])
    ranges = {one: _range(last, one) for one in last.quantities}
    rows = [
        [printable(one.name), one.unit, *(_spelt(end) for end in (seen.least, seen.most)), f"{seen.gaps:,}"]
        for one, seen in ranges.items()
    ]
    headings = ("variable", "unit", ">minimum", ">maximum", ">cells without number")
    return Shown((_headlines(file), Table(headings, rows)), _as_data(file, ranges))


def _range(output: Output, quantity: Quantity) -> Range:
    """In slabs across x, as the data lie."""
    data = output.data(quantity)
    planes = max(1, _SLAB_BYTES * len(data) // max(data.nbytes, 1))
    least, most, gaps = np.inf, -np.inf, 0
    for start in range(0, len(data), planes):
        part = np.asarray(data[start : start + planes], np.float64)
        finite = part[np.isfinite(part)]
        gaps += part.size - finite.size
        if finite.size:
            least, most = min(least, float(finite.min())), max(most, float(finite.max()))
    return Range(least, most, gaps) if least <= most else Range(None, None, gaps)


def _spelt(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _headlines(file: AquiferFile) -> list[str]:
    ends = (f"{axis} {one[0]:.6g} to {one[-1]:.6g} m" for axis, one in zip(AXES, file.edges, strict=True))
    times = [str(time) for time in file.times]
    listed = times if len(times) <= MOST_TIMES else [times[0], "...", times[-1]]
    return [
        f"{file.path}: PFLOTRAN on a structured grid",
        f"{' x '.join(map(str, file.cells))} cells; {', '.join(ends)}",
        f"{count_words(len(times), 'output')}: {', '.join(listed)}; values are of the last",
    ]


def _as_data(file: AquiferFile, ranges: dict[Quantity, Range]) -> dict[str, Any]:
    return {
        "file": str(file.path),
        "cells": file.cells,
        "domain_m": [[float(one[0]), float(one[-1])] for one in file.edges],
        "times": [{"time": time.value, "time_unit": time.unit} for time in file.times],
        "step": len(file.times) - 1,
        "variables": {
            one.name: {
                "unit": one.unit,
                "minimum": seen.least,
                "maximum": seen.most,
                "cells_without_number": seen.gaps,
            }
            for one, seen in ranges.items()
        },
    }

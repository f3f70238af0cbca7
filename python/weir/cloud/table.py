"""A dump in numbers: its header, and the range and mean of each of its arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weir.cloud.dump import Dump, words_for
from weir.cloud.survey import Survey, survey

MEANINGS = {
    "rho": "density",
    "u": "velocity along x",
    "v": "velocity along y",
    "w": "velocity along z",
    "p": "pressure",
    "phi": "potential",
    "scaled": "0 to 255",
}


def surveys(dump: Dump) -> Iterator[tuple[str, Survey]]:
    """Each array by its name. Raises WeirError for a cell that is no finite number."""
    return ((name, survey(dump, name)) for name in dump.arrays)


def rows(dump: Dump) -> list[tuple[str, ...]]:
    """Name, minimum, mean and maximum of each array, for people; scaled quantities have no unit."""
    return [
        (f"{name} ({MEANINGS[name]})", *(f"{value:.6g}" for value in (seen.least, seen.mean, seen.most)))
        for name, seen in surveys(dump)
    ]


def headlines(dump: Dump) -> list[str]:
    """What kind of file it is, and its header."""
    head = dump.header
    kind = "data-analysis or restart file" if dump.kind == "state" else "visualisation file, one byte a cell"
    return [
        f"{dump.path}: {kind}, {head.byte_order}-endian",
        f"{words_for(head.cells)} cells, step {head.step}, time {head.time:.6g}, gamma {head.gamma:.6g}; "
        "quantities are scaled, without units",
    ]


def as_data(dump: Dump) -> dict[str, Any]:
    """The same for programs."""
    head = dump.header
    return {
        "dump": str(dump.path),
        "kind": dump.kind,
        "byte_order": head.byte_order,
        "cells": head.cells,
        "step": head.step,
        "time": head.time,
        "gamma": head.gamma,
        "arrays": {
            name: {"minimum": seen.least, "mean": seen.mean, "maximum": seen.most}
            for name, seen in surveys(dump)
        },
    }

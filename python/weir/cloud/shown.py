"""What is shown of a dump: its header, and the range and mean of each array."""

from typing import Any

from weir.cloud.dump import Dump, words_for
from weir.cloud.fields import Survey, survey
from weir.dumps.kind import Shown, Table

MEANINGS = {
    "rho": "density",
    "u": "velocity along x",
    "v": "velocity along y",
    "w": "velocity along z",
    "p": "pressure",
    "phi": "potential",
    "scaled": "0 to 255",
}


def shown(dump: Dump) -> Shown:
    """Reads all of it. Raises WeirError for a cell that is no finite number."""
    surveys = {name: survey(dump, name) for name in dump.arrays}
    rows = [
        [f"{name} ({MEANINGS[name]})", *(f"{value:.6g}" for value in (seen.least, seen.mean, seen.most))]
        for name, seen in surveys.items()
    ]
    table = Table(("array", ">minimum", ">mean", ">maximum"), rows)
    return Shown((_headlines(dump), table), _as_data(dump, surveys))


def _headlines(dump: Dump) -> list[str]:
    """What kind of file it is, and its header; scaled quantities have no unit."""
    head = dump.header
    kind = "data-analysis or restart file" if dump.kind == "state" else "visualisation file, one byte a cell"
    return [
        f"{dump.path}: gas cloud, {kind}, {head.byte_order}-endian",
        f"{words_for(head.cells)} cells, step {head.step}, time {head.time:.6g}, gamma {head.gamma:.6g}; "
        "quantities are scaled, without units",
    ]


def _as_data(dump: Dump, surveys: dict[str, Survey]) -> dict[str, Any]:
    head = dump.header
    return {
        "file": str(dump.path),
        "kind": dump.kind,
        "byte_order": head.byte_order,
        "cells": head.cells,
        "step": head.step,
        "time": head.time,
        "gamma": head.gamma,
        "variables": {
            name: {"minimum": seen.least, "mean": seen.mean, "maximum": seen.most}
            for name, seen in surveys.items()
        },
    }

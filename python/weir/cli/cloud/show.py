"""`weir cloud show`: a dump in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weir.cli._options import JsonOption
from weir.cli._streams import print_json, print_table
from weir.cli.cloud import DumpArgument, open_dump_of

if TYPE_CHECKING:
    from weir.cloud.dump import Dump
    from weir.cloud.fields import Survey

MEANINGS = {
    "rho": "density",
    "u": "velocity along x",
    "v": "velocity along y",
    "w": "velocity along z",
    "p": "pressure",
    "phi": "potential",
    "scaled": "0 to 255",
}


def command(dump: DumpArgument, json: JsonOption = False) -> None:
    """Show DUMP's header, and the range and mean of each array."""
    source = open_dump_of(dump)
    from weir.cloud.fields import survey

    # Raises WeirError for a cell that is no finite number.
    surveys = {name: survey(source, name) for name in source.arrays}
    if json:
        print_json(_as_data(source, surveys))
        return
    for line in _headlines(source):
        print(line)
    print()
    rows = [
        [f"{name} ({MEANINGS[name]})", *(f"{value:.6g}" for value in (seen.least, seen.mean, seen.most))]
        for name, seen in surveys.items()
    ]
    print_table(("array", ">minimum", ">mean", ">maximum"), rows)


def _headlines(dump: Dump) -> list[str]:
    """What kind of file it is, and its header; scaled quantities have no unit."""
    from weir.cloud.dump import words_for

    head = dump.header
    kind = "data-analysis or restart file" if dump.kind == "state" else "visualisation file, one byte a cell"
    return [
        f"{dump.path}: {kind}, {head.byte_order}-endian",
        f"{words_for(head.cells)} cells, step {head.step}, time {head.time:.6g}, gamma {head.gamma:.6g}; "
        "quantities are scaled, without units",
    ]


def _as_data(dump: Dump, surveys: dict[str, Survey]) -> dict[str, Any]:
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
            for name, seen in surveys.items()
        },
    }

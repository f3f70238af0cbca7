"""`weir reproduce`: a paper's study on its modelled machines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import ExitCode
from weir.units import count_words, significant

if TYPE_CHECKING:
    from weir.simulate.paper import Cell, Errors

PaperArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="archer, hpcc, ior, pflotran or sp-paragon.", autocompletion=completion.papers
    ),
]


def command(name: PaperArgument, json: JsonOption = False) -> ExitCode:
    """Simulate a paper's study on its modelled machines, and show each printed number beside the simulated
    one: those to which the model was fitted, and those that it predicts.
    """
    from weir.core.client import Core, find_core
    from weir.simulate.paper import FIT, PREDICTION, errors
    from weir.simulate.papers import papers

    found = papers.find(name)
    cells: list[Cell] = []
    for cell in found.cells(Core(find_core())):
        cells.append(cell)
        if sys.stderr.isatty():
            print(f"\r{count_words(len(cells), 'number')} simulated", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    off = {use: errors(cells, use) for use in (FIT, PREDICTION)}
    if json:
        print_json(
            {
                "paper": name,
                "source": found.source,
                "simulated": True,
                "cells": [_data(cell) for cell in cells],
                "errors": {use: of and vars(of) for use, of in off.items()},
                "chosen_with_the_results_known": list(found.unfitted),
            }
        )
        return ExitCode.FINE
    print_table(
        ["machine", "where", "quantity", ">printed", ">simulated", ">error", "use"],
        [_row(cell) for cell in cells],
        title=f"{found.title}, simulated",
    )
    print_lines(
        [
            *(f"{use}: {_off(of)}" for use, of in off.items() if of),
            *(f"chosen with the results known: {one}" for one in found.unfitted),
            f"printed: {found.source}",
        ]
    )
    return ExitCode.FINE


def _row(cell: Cell) -> list[str]:
    printed = cell.printed
    shown = "" if printed.value is None else _spelt(printed.quantity, printed.value)
    error = "" if cell.error is None else f"{100 * cell.error:+.0f} %"
    simulated = _spelt(printed.quantity, cell.simulated)
    return [cell.machine, printed.place, printed.row, shown, simulated, error, printed.use]


def _spelt(quantity: str, value: float) -> str:
    from weir.simulate.paper import GAIN, PER_KFLOP
    from weir.simulate.quantities import parse_quantity

    if quantity == GAIN:
        return f"{significant(value)} times"
    if quantity == PER_KFLOP:
        return f"{significant(value, 4)} B/kflop"
    return str(parse_quantity(quantity).kind.spell(float(significant(value, 4))))


def _off(of: Errors) -> str:
    return (
        f"median error {significant(100 * of.median, 2)} %, worst {significant(100 * of.worst, 2)} % "
        f"of {of.count} numbers"
    )


def _data(cell: Cell) -> dict[str, Any]:
    return {
        "machine": cell.machine,
        "place": cell.printed.place,
        "row": cell.printed.row,
        "quantity": cell.printed.quantity,
        "printed": cell.printed.value,
        "simulated": cell.simulated,
        "error": cell.error,
        "use": cell.printed.use,
    }

"""`weir reproduce`: a paper's study on its modelled machines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import ExitCode
from weir.units import count_words, format_share, signed_percent, significant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weir.simulate.paper import Cell, Claim, Errors, Paper

PaperArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="archer, columbia, hpcc, ior, pflotran or sp-paragon.",
        autocompletion=completion.papers,
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", metavar="PICTURE", help="Draw its figures into this .png, .svg, .pdf, .html."),
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Also what is simulated where the paper prints nothing.")
]


@writes
def command(
    name: PaperArgument,
    picture: PictureOption = None,
    everything: AllOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Simulate a paper's study on its modelled machines, and show each printed number beside the simulated
    one: those to which the model was fitted, and those that it predicts. What a paper says in words holds or
    misses.

    Exit codes: 0 fine, however far off; 2 nothing was simulated.
    """
    from weir.core.client import Core, find_core
    from weir.simulate.paper import FIT, PREDICTION, errors
    from weir.simulate.papers import papers

    found = papers.find(name)
    if picture is not None:
        _check(name, found, picture)
    cells: list[Cell] = []
    for cell in found.cells(Core(find_core())):
        cells.append(cell)
        if sys.stderr.isatty():
            print(f"\r{count_words(len(cells), 'number')} simulated", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if picture is not None:
        _draw(name, found, cells, picture)
    off = {use: errors(cells, use) for use in (FIT, PREDICTION)}
    claims = list(found.claims(cells)) if found.claims else []
    if json:
        print_json(
            {
                "paper": name,
                "source": found.source,
                "simulated": True,
                "cells": [_data(cell) for cell in cells],
                "claims": [vars(claim) for claim in claims],
                "errors": {use: of and vars(of) for use, of in off.items()},
                "words": {
                    use: {"said": len(said), "hold": sum(said)} for use in off if (said := _said(cells, use))
                },
                "chosen_with_the_results_known": list(found.unfitted),
            }
        )
        return ExitCode.FINE
    shown = [cell for cell in cells if everything or cell.is_compared]
    print_table(
        ["machine", "where", "quantity", ">printed", ">simulated", ">error", "use"],
        [_row(cell) for cell in shown],
        title=f"{found.title}, simulated",
    )
    if claims:
        print_table(["where", "the paper says", "simulated", "use"], [_of_claim(claim) for claim in claims])
    more = count_words(len(cells) - len(shown), "number")
    print_lines(
        [
            *([f"{more} simulated where nothing is printed: --all"] if len(shown) < len(cells) else []),
            *(line for use, of in off.items() for line in _summary(cells, claims, use, of)),
            *(f"chosen with the results known: {one}" for one in found.unfitted),
            f"printed: {found.source}",
        ]
    )
    return ExitCode.FINE


def _said(cells: list[Cell], use: str) -> list[bool]:
    """Of what is said in words, whether it holds."""
    return [cell.holds for cell in cells if cell.printed.use == use and cell.holds is not None]


def _points(cells: list[Cell], use: str) -> list[float]:
    """Of points of curves, how many doublings lie between the simulated and the printed place."""
    some = [cell for cell in cells if cell.printed.use == use]
    return [abs(cell.doublings) for cell in some if cell.doublings is not None]


def _summary(cells: list[Cell], claims: list[Claim], use: str, off: Errors | None) -> Iterator[str]:
    if off:
        yield f"{use}: {_off(off)}"
    if points := _points(cells, use):
        near = sum(one <= 1 for one in points)
        found = f"{points.count(0)} at the printed place, {near} within one doubling"
        yield f"{use}: of {count_words(len(points), 'point')} of curves {found}"
    if said := _said(cells, use):
        yield f"{use}: of {count_words(len(said), 'finding')} in words {sum(said)} hold"
    if of_all := [claim for claim in claims if claim.use == use]:
        hold = sum(not claim.missed for claim in of_all)
        yield f"{use}: of {count_words(len(of_all), 'claim')} on several numbers {hold} hold"


def _apart(doublings: int) -> str:
    sign = "-" if doublings < 0 else "+"
    return f"{sign}{count_words(abs(doublings), 'doubling')}" if doublings else "same"


def _check(name: str, paper: Paper, picture: Path) -> None:
    from weir.errors import WeirError
    from weir.figures.render import check_drawing

    check_drawing(picture)
    if not paper.drawn and paper.figure is None:
        raise WeirError(f"'{name}' has no figures", "its numbers are in tables", "leave --picture out")


def _draw(name: str, paper: Paper, cells: list[Cell], picture: Path) -> None:
    from weir.cli._streams import output_file
    from weir.figures.render import draw, whole
    from weir.simulate.picture import drawing_of

    drawing = paper.figure(cells) if paper.figure else drawing_of(name, paper.title, cells)
    with output_file(picture, option="--picture") as file:
        file.write(draw(whole(drawing, most_across=2), picture.suffix.lower()))


def _of_claim(claim: Claim) -> list[str]:
    missed = f"missed by {significant(100 * claim.missed, 2)} % ({claim.where})"
    return [claim.place, claim.says, missed if claim.missed else "holds", claim.use]


def _row(cell: Cell) -> list[str]:
    printed = cell.printed
    shown = "" if printed.value is None else _spelt(printed.quantity, printed.value)
    error = "" if cell.error is None else signed_percent(cell.error)
    if cell.doublings is not None:
        error = _apart(round(cell.doublings))
    if printed.said is not None:
        shown, error = printed.said.words, "holds" if cell.holds else "misses"
    simulated = _spelt(printed.quantity, cell.simulated)
    return [cell.machine, printed.place, printed.row, shown, simulated, error, printed.use]


def _spelt(quantity: str, value: float) -> str:
    from weir.simulate.paper import GAIN, PER_KFLOP, PROCESSORS
    from weir.simulate.quantities import parse_quantity

    if quantity == GAIN:
        return f"{significant(value)} times"
    if quantity == PROCESSORS:
        return count_words(round(value), "rank")
    if quantity == PER_KFLOP:
        return f"{significant(value, 4)} B/kflop"
    return str(parse_quantity(quantity).kind.spell(float(significant(value, 4))))


def _off(of: Errors) -> str:
    off = f"median error {format_share(of.median)}, worst {format_share(of.worst)}"
    return f"{off} of {count_words(of.count, 'number')}"


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
        "said": cell.printed.said and cell.printed.said.words,
        "holds": cell.holds,
        "doublings": cell.doublings,
    }

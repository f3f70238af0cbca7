"""`weir doctor`: the machine card."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from weir.cli._options import JsonOption
from weir.cli._streams import console as console_of
from weir.cli._streams import print_json
from weir.errors import ExitCode
from weir.handed.takes import Takes

DirectoryArgument = Annotated[
    Path, typer.Argument(metavar="[DIR]", help="A directory on the storage to check."), Takes(("folder",))
]


def command(directory: DirectoryArgument = Path(), json: JsonOption = False) -> ExitCode:
    """Check this machine and the storage under DIR; print what would disturb a measurement, and what to do.

    Warnings are not failures: the exit code is 0. A DIR that cannot be used gives 2.
    """
    from weir.machine.card import machine_card
    from weir.measure.scratch_directory import check_directory

    check_directory(directory)
    card = machine_card(directory)
    if json:
        print_json({"machine": card})
    else:
        _show_card(card)
    return ExitCode.FINE


def _show_card(card: dict[str, Any]) -> None:
    """Prints the card for people: facts first, warnings last, where they are noticed."""
    from rich.table import Table

    from weir.machine.describe import describe

    width = None if sys.stdout.isatty() else 120
    console = console_of(width=width)
    for group in describe(card):
        console.print(group.title, style="bold")
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", min_width=22)
        table.add_column(overflow="fold")
        for fact in group.facts:
            table.add_row("  " + fact.label, fact.value)
        console.print(table)
        console.print()
    for note in card["notes"]:
        console.print(f"Not known: {note['probe']} ({note['note']})", style="dim")
    show_warnings(card["warnings"], console)


def show_warnings(warnings: list[dict[str, str]], console: Any) -> None:
    """Prints what was seen, why it matters, and what to do."""
    from rich.padding import Padding
    from rich.text import Text

    if not warnings:
        console.print("Nothing here would spoil a measurement, as far as can be told.", style="green")
    for warning in warnings:
        console.print(Text("Warning: ", style="bold yellow") + Text(warning["problem"], style="not bold"))
        console.print(Padding(Text(f"why: {warning['why']}", style="dim"), (0, 0, 0, 2)))
        console.print(Padding(Text(f"do:  {warning['advice']}"), (0, 0, 0, 2)))

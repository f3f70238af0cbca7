"""`weir doctor`: the machine card."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from weir.cli._options import JsonOption
from weir.cli._streams import console as console_of
from weir.cli._streams import print_json
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes

DirectoryArgument = Annotated[
    Path, typer.Argument(metavar="[DIR]", help="A directory on the storage to check."), Takes(("folder",))
]


def command(directory: DirectoryArgument = Path(), json: JsonOption = False) -> ExitCode:
    """Check this machine and the storage under DIR; print what would disturb a measurement, what to do, and
    what the site's configuration sets.

    Warnings are not failures: the exit code is 0. A DIR that cannot be used gives 2.
    """
    from weir.machine.card import machine_card
    from weir.measure.scratch_directory import check_directory

    check_directory(directory)
    card = machine_card(directory)
    found, problem = _site()
    if json:
        print_json({"machine": card, "site": {**found, "problem": problem and problem.as_data()}})
    else:
        _show_card(card, found, problem)
    return ExitCode.FINE


def _site() -> tuple[dict[str, Any], WeirError | None]:
    """The site's files with all settings, and what is wrong of one."""
    import os

    from weir.launch.base import launcher_name
    from weir.site.load import files_of, site

    found: dict[str, Any] = {"files": [], "settings": []}
    try:
        found["files"] = [str(path) for path in files_of(os.environ)]
        found["settings"] = [asdict(one) for one in site().settings]
        launcher_name(None)
    except WeirError as error:
        return found, error
    return found, None


def _show_card(card: dict[str, Any], site: dict[str, Any], problem: WeirError | None) -> None:
    """Prints the card for people: facts first, warnings last, where they are noticed."""
    import json

    from rich.table import Table

    from weir.machine.describe import Fact, Group, describe

    width = None if sys.stdout.isatty() else 120
    console = console_of(width=width)
    files = [Fact("file", name) for name in site["files"]] or [Fact("files", "none")]
    set_there = [
        Fact(one["key"], f"{json.dumps(one['value'], ensure_ascii=False)}  ({one['file']}:{one['line']})")
        for one in site["settings"]
    ]
    broken = problem and {"problem": problem.problem, "why": problem.why, "advice": problem.suggestion}
    groups = [*describe(card), Group("Site", (*files, *set_there))]
    for group in groups:
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
    show_warnings([*card["warnings"], *([broken] if broken else [])], console)


def show_warnings(warnings: list[dict[str, str]], console: Any) -> None:
    """Prints what was seen, why it matters, and what to do."""
    from rich.padding import Padding
    from rich.text import Text

    if not warnings:
        console.print("Nothing here would spoil a measurement, as far as can be told.", style="green")
    for warning in warnings:
        console.print(Text("Warning: ", style="bold yellow") + Text(warning["problem"], style="not bold"))
        if warning["why"]:
            console.print(Padding(Text(f"why: {warning['why']}", style="dim"), (0, 0, 0, 2)))
        console.print(Padding(Text(f"do:  {warning['advice']}"), (0, 0, 0, 2)))

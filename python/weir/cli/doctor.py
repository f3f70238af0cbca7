"""`weir doctor`: the machine card."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._options import JsonOption
from weir.cli._streams import console as console_of
from weir.cli._streams import print_json
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.site.load import Site

DirectoryArgument = Annotated[
    Path, typer.Argument(metavar="[DIR]", help="A directory on the storage to check."), Takes(("folder",))
]


def command(directory: DirectoryArgument = Path(), json: JsonOption = False) -> ExitCode:
    """Check this machine, the storage under DIR and the site's directories; print what would disturb a
    measurement, what to do, and what the site's configuration sets.

    Warnings are not failures: the exit code is 0. A DIR that cannot be used gives 2.
    """
    from weir.machine.card import machine_card
    from weir.measure.scratch_directory import check_directory

    check_directory(directory)
    card = machine_card(directory)
    found = _site()
    if json:
        print_json({"machine": card, "site": found})
    else:
        _show_card(card, found)
    return ExitCode.FINE


def _site() -> dict[str, Any]:
    """The site's files with all settings, its directories, and what is wrong of them."""
    import os

    from weir.launch.base import launcher_name
    from weir.site.load import files_of, site

    found: dict[str, Any] = {"files": [], "settings": [], "directories": [], "problem": None}
    try:
        found["files"] = [str(path) for path in files_of(os.environ)]
        here = site()
        found["settings"] = [asdict(one) for one in here.settings]
        found["directories"] = [one for name in ("scratch", "runs") if (one := _looked_at(here, name))]
        launcher_name(None)
    except WeirError as error:
        found["problem"] = error.as_data()
    return found


def _looked_at(here: Site, name: str) -> dict[str, Any] | None:
    """Whether a directory of the site can be used; None where it names none. One for runs is made with the
    first of them: the folder above is tried then."""
    from weir.machine.card import System
    from weir.machine.probes.storage import file_system
    from weir.measure.scratch_directory import check_directory

    path: Path | None = getattr(here.directories, name)
    if path is None:
        return None
    tried = path if name == "scratch" else next(one for one in (path, *path.parents) if one.exists())
    problem = None
    try:
        check_directory(tried)
    except WeirError as error:
        what = f"{here.place(f'directories.{name}')}: {name} is '{path}', which cannot be used"
        problem = WeirError(what, error.why, "see to it, or name another one there").as_data()
    storage = (file_system(System(tried.resolve())) if tried.exists() else None) or {}
    return {
        "name": name,
        "path": str(path),
        "exists": path.is_dir(),
        "file_system": storage.get("type"),
        "available_bytes": storage.get("available_bytes"),
        "shared": False if storage.get("nature") == "memory" else None,
        "problem": problem,
    }


def _in_words(directory: dict[str, Any]) -> str:
    """ "/scratch/me: lustre, 1.2 TiB free; whether nodes share it is not known"."""
    from weir.units import format_bytes

    if directory["problem"]:
        return f"{directory['path']}: cannot be used"
    free = directory["available_bytes"]
    parts = [str(directory["file_system"] or "unknown file system")]
    parts += [] if free is None else [f"{format_bytes(free)} free"]
    parts += [] if directory["exists"] else ["made with the first run"]
    shared = "whether nodes share it is not known" if directory["shared"] is None else "of this node alone"
    return f"{directory['path']}: {', '.join(parts)}; {shared}"


def _show_card(card: dict[str, Any], site: dict[str, Any]) -> None:
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
    directories = [Fact(one["name"], _in_words(one)) for one in site["directories"]]
    problems = [one["problem"] for one in (site, *site["directories"]) if one["problem"]]
    groups = [*describe(card), Group("Site", (*files, *set_there, *directories))]
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
    show_warnings([*card["warnings"], *map(_warning, problems)], console)


def _warning(problem: dict[str, Any]) -> dict[str, str]:
    return {"problem": problem["problem"], "why": problem["reason"], "advice": problem["suggestion"]}


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

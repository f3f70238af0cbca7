"""Assembles the machine card: every probe, with what the native program can add, then every rule."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weir.core.client import Core, find_core
from weir.errors import WeirError
from weir.machine.rules import judge
from weir.machine.system import System
from weir.registry import Registry

Section = dict[str, Any]
Probe = Callable[[System], Section | None]

_probes = Registry[Probe]("weir.machine.probes", "probe")
probe = _probes.register
"""Registers what that finds one section of the card; it may raise anything: the section is then null."""


def collect(system: System) -> dict[str, Any]:
    """The machine card, ready for JSON.

    Keys: `schema`, `taken_at`, `directory`, one key a probe (null where it failed or found nothing),
    `notes` (which probe failed, and why) and `warnings` (`code`, `problem`, `why`, `advice`).
    """
    card: dict[str, Any] = {
        "schema": 1,
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "directory": str(system.directory),
    }
    notes = []
    for name, function in _probes.all().items():
        card[name], note = _take(name, function, system)
        notes += note
    card["notes"] = notes
    card["warnings"] = judge(card)
    return card


def _take(name: str, function: Probe, system: System) -> tuple[Section | None, list[Mapping[str, str]]]:
    # Whatever a strange machine does to a probe, the other sections are still worth having.
    try:
        return function(system), []
    except Exception as error:
        return None, [{"probe": name, "note": f"{type(error).__name__}: {error}"}]


def machine_card(directory: Path) -> dict[str, Any]:
    """The card for `directory`; without a working `weir-core` it says so in its notes and warnings."""
    try:
        core, notes = Core(find_core()).machine(), []
    except WeirError as error:
        core, notes = None, [{"probe": "core", "note": str(error)}]
    card = collect(System(directory.resolve(), core))
    return card | {"notes": notes + card["notes"]}

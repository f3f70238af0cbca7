"""Puts the machine card together: every probe, then every rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from weir.machine import probes
from weir.machine.registry import import_all
from weir.machine.rules import judge
from weir.machine.system import System

Section = dict[str, Any]
Probe = Callable[[System], Section | None]

_probes: dict[str, Probe] = {}


def probe(name: str) -> Callable[[Probe], Probe]:
    """Registers a function that finds one section of the card; it may raise anything, the section is then
    null.
    """

    def register(function: Probe) -> Probe:
        _probes[name] = function
        return function

    return register


def collect(system: System) -> dict[str, Any]:
    """The machine card, ready for JSON.

    Keys: `schema`, `taken_at`, `directory`, one key a probe (null where it failed or found nothing),
    `notes` (which probe failed, and why) and `warnings` (`code`, `problem`, `why`, `advice`).
    """
    import_all(probes)
    card: dict[str, Any] = {
        "schema": 1,
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "directory": str(system.directory),
    }
    notes = []
    for name, function in sorted(_probes.items()):
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

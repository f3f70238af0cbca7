"""The machine card of this machine, with what the native program can add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from weir.core.client import Core
from weir.core.locate import find_core
from weir.errors import WeirError
from weir.machine.card import collect
from weir.machine.system import System


def look_around(directory: Path) -> dict[str, Any]:
    """The card for `directory`; without a working `weir-core` it says so in its notes and warnings."""
    try:
        core, notes = Core(find_core()).machine(), []
    except WeirError as error:
        core, notes = None, [{"probe": "core", "note": str(error)}]
    card = collect(System(directory.resolve(), core))
    return card | {"notes": notes + card["notes"]}

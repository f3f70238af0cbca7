"""The native program, in its own words."""

from __future__ import annotations

from weir.machine.card import Section, probe
from weir.machine.system import System


@probe("core")
def core(system: System) -> Section | None:
    """The `machine` line of `weir-core machine`, save for what other sections have already taken from it."""
    if system.core is None:
        return None
    taken = {"schema", "kind", "first_touch", "mpi"}
    return {key: value for key, value in system.core.items() if key not in taken}

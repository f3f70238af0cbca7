"""A pattern in which what was written is on the device before it is read."""

from typing import Any

SETTLE = "settle"


def settled(pattern: dict[str, Any]) -> dict[str, Any]:
    """The pattern with a phase that only syncs, between its first phase and the rest.

    What an unsynced write leaves behind would be written while the read is timed, and the read be slower for
    it the larger the share that is left: a slope that no cache makes.
    """
    first, *rest = pattern["phases"]
    steps = [{"open": {"file": 0, "mode": "update"}}, {"sync": {"file": 0}}, {"close": {"file": 0}}]
    return {**pattern, "phases": [first, {**first, "name": SETTLE, "steps": steps}, *rest]}

"""What ranks do beside messages, as a machine's model tells it."""

from weir.simulate.functions import Beside, Cost
from weir.simulate.model import Machine
from weir.simulate.schema import Path

KEPT: frozenset[Path] = frozenset({("network", "fresh_within")})
"""What a model has of messages that were just written: the benchmarks' were written long ago."""
MOVED_FOR_ONE = 3 / 2
"""Combining reads two bytes and writes one for each byte of the result, where STREAM's copy counts two."""


def beside_of(machine: Machine) -> Beside:
    """By its curves; combining, if it has none, by STREAM."""
    combine = machine.curve("nodes", "combines") or _by_stream(machine)
    rooted = machine.values.get(("network", "rooted_within"))
    return Beside(
        combine,
        machine.curve("nodes", "copies"),
        machine.curve("network", "fresh_within"),
        None if rooted is None else float(rooted),
    )


def _by_stream(machine: Machine) -> Cost | None:
    stream = machine.values.get(("nodes", "stream"))
    if stream is None:
        return None
    rate = float(stream) / 2 / MOVED_FOR_ONE
    return lambda size: size / rate

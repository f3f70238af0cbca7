"""What ranks do beside messages, as a machine's model tells it."""

from weir.simulate.functions import Beside
from weir.simulate.model import Machine
from weir.simulate.schema import Path

KEPT: frozenset[Path] = frozenset({("network", "fresh_within")})
"""What a model has of messages that were just written: the benchmarks' were written long ago."""
MOVED_FOR_ONE = 3 / 2
"""Combining reads two bytes and writes one for each byte of the result, where STREAM's copy counts two."""


def beside_of(machine: Machine) -> Beside:
    """By its curves; of combining else by STREAM."""
    combine = machine.curve("nodes", "combines")
    stream = machine.values.get(("nodes", "stream"))
    if combine is None and stream is not None:
        rate = float(stream) / 2 / MOVED_FOR_ONE
        return Beside(lambda size: size / rate, machine.curve("nodes", "copies"))
    return Beside(combine, machine.curve("nodes", "copies"), machine.curve("network", "fresh_within"))

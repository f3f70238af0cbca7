"""The header of a file of a dump: six reals in single precision, in either byte order."""

import math
import struct
import sys
from dataclasses import dataclass
from typing import Literal

ByteOrder = Literal["little", "big"]
Triple = tuple[int, int, int]

HEADER_BYTES = 24
_MOST = 2**24
"""Integers up to this are exact in single precision."""


@dataclass(frozen=True)
class Header:
    """Cells along x, y and z, and the moment of the state; quantities are scaled, without units."""

    cells: Triple
    step: int
    time: float
    gamma: float
    byte_order: ByteOrder

    @property
    def all_cells(self) -> int:
        """Cells of the box."""
        return math.prod(self.cells)

    @property
    def cell_edge(self) -> float:
        """The edge of a (cubic) cell, in lengths of the box along x."""
        return 1 / self.cells[0]


def header_of(start: bytes) -> Header | None:
    """The header in a file's first bytes, in whichever byte order makes one of them; null if neither does, or
    they are too few."""
    if len(start) < HEADER_BYTES:
        return None
    other: ByteOrder = "big" if sys.byteorder == "little" else "little"
    return _in_order(start, sys.byteorder) or _in_order(start, other)


def _in_order(start: bytes, order: ByteOrder) -> Header | None:
    reals = struct.unpack(("<" if order == "little" else ">") + "6f", start[:HEADER_BYTES])
    *counts, time, gamma = reals
    whole = all(math.isfinite(count) and count == int(count) <= _MOST for count in counts)
    if not whole or min(counts[:3]) < 1 or counts[3] < 0:
        return None
    if not (math.isfinite(time) and math.isfinite(gamma) and gamma > 0):
        return None
    x, y, z, step = map(int, counts)
    return Header((x, y, z), step, time, gamma, order)

"""Columns of whole numbers as bytes that compress well: only the bytes that differ, like beside like."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_HEAD = struct.Struct("<BBxxIq")
_SIGNED = 1


def pack_integers(values: Integers) -> bytes:
    """A head (bytes of a number, whether signed, how many, the smallest), then all first bytes, all second
    ones. Of a column of equal numbers only the head."""
    smallest = int(values.min()) if len(values) else 0
    if not len(values) or int(values.max()) == smallest:
        return _HEAD.pack(0, 0, len(values), smallest)
    signed = smallest < 0
    code = _zigzag(values) if signed else values.view(np.uint64)
    width = (int(code.max()).bit_length() + 7) // 8
    planes = np.ascontiguousarray(code.view(np.uint8).reshape(-1, 8)[:, :width].T)
    return _HEAD.pack(width, _SIGNED if signed else 0, len(values), 0) + planes.tobytes()


def count_of(data: memoryview) -> int:
    """How many numbers the column has that begins here. Raises ValueError if none begins here."""
    if len(data) < _HEAD.size:
        raise ValueError("a column is missing")
    return int(_HEAD.unpack_from(data)[2])


def unpack_integers(data: memoryview, count: int) -> tuple[Integers, memoryview]:
    """The column, which must have `count` numbers, and the bytes behind it. Raises ValueError otherwise."""
    if len(data) < _HEAD.size:
        raise ValueError("a column is missing")
    width, signed, found, smallest = _HEAD.unpack_from(data)
    data = data[_HEAD.size :]
    if found != count or width > 8 or len(data) < width * count:
        raise ValueError(f"a column of {found} numbers of {width} bytes where {count} were to be")
    if width == 0:
        return np.full(count, smallest, np.int64), data
    code = np.zeros((count, 8), np.uint8)
    code[:, :width] = np.frombuffer(data, np.uint8, width * count).reshape(width, count).T
    numbers = code.reshape(-1).view(np.uint64)
    return (_from_zigzag(numbers) if signed else numbers.view(np.int64)), data[width * count :]


def _zigzag(values: Integers) -> NDArray[np.uint64]:
    """0, -1, 1, -2, … to 0, 1, 2, 3, …"""
    coded: NDArray[np.uint64] = ((values << 1) ^ (values >> 63)).view(np.uint64)
    return coded


def _from_zigzag(coded: NDArray[np.uint64]) -> Integers:
    values: Integers = (coded >> np.uint64(1)).view(np.int64) ^ -(coded & np.uint64(1)).view(np.int64)
    return values

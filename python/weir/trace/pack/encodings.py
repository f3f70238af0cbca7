"""Encodings of columns of integers: byte planes, dictionary, differences by group, and LZMA behind them.

Clocks have a resolution, so times of many calls are few different numbers, far apart: a dictionary suits
them.
"""

import lzma
import struct

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_COLUMN_HEAD = struct.Struct("<BBxxIq")
_SIGNED = 1


def pack_integers(values: Integers) -> bytes:
    """A head (bytes of a number, whether signed, how many, the smallest), then the first bytes of all
    numbers, the second ones and so on. For a column of equal numbers only the head."""
    smallest = int(values.min()) if len(values) else 0
    if not len(values) or int(values.max()) == smallest:
        return _COLUMN_HEAD.pack(0, 0, len(values), smallest)
    signed = smallest < 0
    code = _zigzag(values) if signed else values.view(np.uint64)
    width = (int(code.max()).bit_length() + 7) // 8
    planes = np.ascontiguousarray(code.view(np.uint8).reshape(-1, 8)[:, :width].T)
    return _COLUMN_HEAD.pack(width, _SIGNED if signed else 0, len(values), 0) + planes.tobytes()


def count_of(data: memoryview) -> int:
    """How many numbers the column at the start of `data` has. Raises ValueError if there is none."""
    if len(data) < _COLUMN_HEAD.size:
        raise ValueError("a column is missing")
    return int(_COLUMN_HEAD.unpack_from(data)[2])


def unpack_integers(data: memoryview, count: int) -> tuple[Integers, memoryview]:
    """The column, which must have `count` numbers, and the bytes after it. Raises ValueError otherwise."""
    if len(data) < _COLUMN_HEAD.size:
        raise ValueError("a column is missing")
    width, signed, found, smallest = _COLUMN_HEAD.unpack_from(data)
    data = data[_COLUMN_HEAD.size :]
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


USES = 8
"""A dictionary pays off where its numbers are used so often, on average."""


def pack_dictionary(values: Integers) -> bytes:
    """The differences of the sorted distinct numbers, and the index of each number; where too many are
    distinct, an empty dictionary and the numbers themselves."""
    table, places = np.unique(values, return_inverse=True)
    if USES * len(table) > len(values):
        table, places = table[:0], values
    return pack_integers(np.diff(table, prepend=0)) + pack_integers(places)


def unpack_dictionary(data: memoryview, count: int) -> tuple[Integers, memoryview]:
    """The column of `count` numbers, and the bytes after it. Raises ValueError if it is no such column."""
    distinct = count_of(data)
    if USES * distinct > count:
        raise ValueError(f"a table of {distinct} numbers for {count}")
    differences, data = unpack_integers(data, distinct)
    places, data = unpack_integers(data, count)
    if not distinct:
        return places, data
    if count and not 0 <= int(places.min()) <= int(places.max()) < distinct:
        raise ValueError("a place outside the table of numbers")
    values: Integers = np.cumsum(differences)[places]
    return values, data


class Groups:
    """Calls sorted by keys, each group in its own order, and differences within groups. All arithmetic is
    modulo 2^64, so decoding is exact."""

    def __init__(self, *keys: Integers) -> None:
        self.order: NDArray[np.intp] = np.lexsort(keys)
        sorted_keys = [key[self.order] for key in keys]
        self._first = np.ones(len(self.order), bool)
        if len(self.order):
            self._first[1:] = np.any([key[1:] != key[:-1] for key in sorted_keys], axis=0)

    def differences(self, values: Integers, step: Integers | None = None) -> Integers:
        """Of each value, in sorted order, its difference from the one before in its group plus that one's
        step."""
        values = values[self.order]
        before = np.zeros_like(values)
        before[1:] = values[:-1] if step is None else values[:-1] + step[self.order][:-1]
        before[self._first] = 0
        return values - before

    def sums(self, differences: Integers, step: Integers | None = None) -> Integers:
        """The inverse of differences(): values in the original order."""
        if not len(differences):
            return differences
        increments = differences.copy()
        if step is not None:
            increments[1:] += np.where(self._first[1:], 0, step[self.order][:-1])
        total = np.cumsum(increments)
        starts = np.flatnonzero(self._first)
        base = np.concatenate([np.zeros(1, np.int64), total[starts[1:] - 1]])
        values = np.empty_like(total)
        values[self.order] = total - base[np.cumsum(self._first) - 1]
        return values

    def sort(self, values: Integers) -> Integers:
        """Values in sorted order."""
        sorted_values: Integers = values[self.order]
        return sorted_values

    def unsort(self, values: Integers) -> Integers:
        """Values back in the original order."""
        unsorted = np.empty_like(values)
        unsorted[self.order] = values
        return unsorted


_DICTIONARY_BYTES = 1 << 22
_FILTERS = [{"id": lzma.FILTER_LZMA2, "dict_size": _DICTIONARY_BYTES, "lc": 0, "lp": 0, "pb": 0, "preset": 6}]
"""The same for writing and reading, since a raw stream does not store them. Reading takes some megabytes."""

_LEAST_BYTES = 1 << 16


def compress(data: bytes) -> bytes:
    """The bytes, compressed."""
    # A dictionary longer than the data is useless, and takes ten times as long to set up.
    enough = min(_DICTIONARY_BYTES, max(_LEAST_BYTES, len(data)))
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[one | {"dict_size": enough} for one in _FILTERS])


def decompress(data: bytes, most: int) -> bytes:
    """The bytes again. Raises ValueError if they were more than `most`, or are damaged."""
    reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS)
    try:
        whole = reader.decompress(data, max_length=most + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"compressed bytes are damaged: {error}") from error
    if len(whole) > most or not reader.eof or reader.unused_data:
        raise ValueError("compressed bytes do not end where they should")
    return whole

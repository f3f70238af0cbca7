"""A block of records as bytes: what was called, and when, apart from each other."""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.pack.encodings import (
    Groups,
    Integers,
    compress,
    decompress,
    pack_dictionary,
    pack_integers,
    unpack_dictionary,
    unpack_integers,
)
from weir.trace.stream import RECORD

BLOCK = 1 << 17
"""Records of a block, but for a stream's last."""

_MOST_BYTES = 128 * BLOCK
"""More than any block has before it is compressed."""

_HEAD = struct.Struct("<IIqQ")


def pack_block(records: NDArray[Any], quantum: int) -> bytes:
    """Records as bytes. Times are rounded to multiples of `quantum` ticks; 0 leaves them out."""
    start = int(records["begin_ticks"][:1].view(np.int64)[0])
    times = b""
    if quantum:
        begin, end = (_quanta(records[name], quantum) for name in ("begin_ticks", "end_ticks"))
        start = int(begin[0])
        times = compress(_pack_times(records, begin - begin[0], end - begin[0]))
    calls = compress(_pack_calls(records))
    return _HEAD.pack(len(records), len(calls), start, quantum) + calls + times


def unpack_block(data: bytes, count: int) -> NDArray[Any]:
    """The records, of which there must be `count`. Raises ValueError if these bytes are no such block."""
    if len(data) < _HEAD.size:
        raise ValueError("a block without a head")
    found, bytes_of_calls, start, quantum = _HEAD.unpack_from(data)
    if found != count or not 0 < count <= BLOCK:
        raise ValueError(f"a block of {found} records where {count} were to be")
    times_at = _HEAD.size + bytes_of_calls
    records = np.empty(count, RECORD)
    _read_calls(records, decompress(data[_HEAD.size : times_at], _MOST_BYTES))
    if quantum:
        begin, end = _read_times(records, decompress(data[times_at:], _MOST_BYTES))
        records["begin_ticks"] = (begin + start).view(np.uint64) * np.uint64(quantum)
        records["end_ticks"] = (end + start).view(np.uint64) * np.uint64(quantum)
    else:
        records["begin_ticks"] = records["end_ticks"] = np.int64(start).view(np.uint64)
    return records


def bytes_of_times(packed: bytes) -> int:
    """How many bytes of a packed block are for times."""
    return len(packed) - _HEAD.size - int(_HEAD.unpack_from(packed)[1])


def rounded(records: NDArray[Any], quantum: int) -> NDArray[Any]:
    """The records as unpack_block() must return them."""
    kept = records.copy()
    for name in ("begin_ticks", "end_ticks"):
        if quantum:
            kept[name] = _quanta(records[name], quantum).view(np.uint64) * np.uint64(quantum)
        else:
            kept[name] = records["begin_ticks"][0]
    return kept


def _quanta(ticks: NDArray[np.uint64], quantum: int) -> Integers:
    return ((ticks + np.uint64(quantum // 2)) // np.uint64(quantum)).view(np.int64)


def _pack_times(records: NDArray[Any], begin: Integers, end: Integers) -> bytes:
    by_call = Groups(_column(records, "call"))
    columns = split_times(_column(records, "level"), begin, end)
    return b"".join(pack_dictionary(by_call.sort(column)) for column in columns)


def _read_times(records: NDArray[Any], data: bytes) -> tuple[Integers, Integers]:
    by_call = Groups(_column(records, "call"))
    gap, rest = unpack_dictionary(memoryview(data), len(records))
    took, _ = unpack_dictionary(rest, len(records))
    return join_times(_column(records, "level"), by_call.unsort(gap), by_call.unsort(took))


def _pack_calls(records: NDArray[Any]) -> bytes:
    call, file, offset, length, result = (
        _column(records, name) for name in ("call", "file", "offset", "length", "result")
    )
    by_call, by_place = Groups(call), Groups(call, file)
    nowhere = offset == -1
    placed = np.where(nowhere, 0, offset)
    columns = [
        call,
        _column(records, "level"),
        _column(records, "flags"),
        np.diff(file, prepend=0),
        by_call.differences(length),
        by_call.sort(nowhere.astype(np.int64)),
        by_place.differences(placed, length),
        *_split_result(by_call, result, length, offset),
    ]
    return b"".join(map(pack_integers, columns))


def _read_calls(records: NDArray[Any], data: bytes) -> None:
    rest, count = memoryview(data), len(records)

    def column(numbers: int = count) -> Integers:
        nonlocal rest
        values, rest = unpack_integers(rest, numbers)
        return values

    call, level, flags, file = column(), column(), column(), np.cumsum(column())
    by_call, by_place = Groups(call), Groups(call, file)
    length = by_call.sums(column())
    nowhere = by_call.unsort(column()) == 1
    offset = np.where(nowhere, -1, by_place.sums(column(), length))
    result = _join_result(by_call, column(), column(), length, offset)
    for name, values in (
        ("call", call),
        ("level", level),
        ("flags", flags),
        ("file", file),
        ("offset", offset),
        ("length", length),
        ("result", result),
    ):
        records[name] = values.astype(RECORD[name])


_AS_LENGTH, _AS_OFFSET, _OTHER = range(3)
"""What a call returned: the length that it was asked for, its offset, or another number."""


def _split_result(by_call: Groups, result: Integers, length: Integers, offset: Integers) -> list[Integers]:
    way = np.where(result == length, _AS_LENGTH, np.where(result == offset, _AS_OFFSET, _OTHER))
    other = np.where(way == _OTHER, result, 0)
    return [by_call.sort(way), by_call.sort(other)]


def _join_result(
    by_call: Groups, way: Integers, other: Integers, length: Integers, offset: Integers
) -> Integers:
    way, other = by_call.unsort(way), by_call.unsort(other)
    return np.where(way == _AS_LENGTH, length, np.where(way == _AS_OFFSET, offset, other))


def _column(records: NDArray[Any], name: str) -> Integers:
    """A field as signed numbers of 64 bits; unsigned ones wrap."""
    values = np.ascontiguousarray(records[name])
    return values.view(np.int64) if values.dtype.itemsize == 8 else values.astype(np.int64)


def split_times(level: Integers, begin: Integers, end: Integers) -> tuple[Integers, Integers]:
    """Begins and ends as two short times a call, which are small numbers. A call without nested ones: the
    time since the end of the call before it, and its duration. A call with nested ones: the time since the
    end of the last of them, and the time to the begin of the first."""
    nested = _first_nested(level)
    leaf = nested < 0
    before = np.concatenate([np.zeros(1, np.int64), end[:-1]])
    gap = np.where(leaf, begin, end) - before
    took = np.where(leaf, end - begin, begin[nested] - begin)
    return gap, took


def join_times(level: Integers, gap: Integers, took: Integers) -> tuple[Integers, Integers]:
    """The inverse of split_times()."""
    nested = _first_nested(level)
    leaf = nested < 0
    end = np.cumsum(np.where(leaf, gap + took, gap))
    begin = end - took
    for depth in distinct(level)[::-1]:
        around = np.flatnonzero((level == depth) & ~leaf)
        begin[around] = begin[nested[around]] - took[around]
    return begin, end


def _first_nested(level: Integers) -> Integers:
    """For each call, the index of the first call nested in it; -1 for none. Nested calls stand before it."""
    first = np.full(len(level), -1, np.int64)
    places = np.arange(len(level))
    for depth in distinct(level):
        outer = np.flatnonzero(level <= depth)
        after_previous = np.concatenate([np.zeros(1, np.int64), outer[:-1] + 1])
        has = (level[outer] == depth) & (after_previous < places[outer])
        first[outer[has]] = after_previous[has]
    return first

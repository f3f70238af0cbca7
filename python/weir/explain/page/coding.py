"""Codes calls as text for the page, in blocks that assets/decode.js decodes.

A block is some thousand calls near each other in time and rank, of which each column holds what cannot be
predicted. Calls stand by lane, then by begin, a call before those inside it. Of each there is:

- lane, call, file, length, level, flags: as they are;
- gap: begin, since the end of the call before it in its lane; inside that call, since its begin; for a
  lane's first, since the trace's begin;
- took: end minus begin;
- offset: how far from the end of the transfer before it with the same call on the same file;
- result: how far from the length, where there is one, or from the offset.

Columns of regular programs thus are equal numbers, which deflate turns into nothing.
"""

import itertools
import math
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .calls import Columns, Integers

FIRST, LESS_THAN, INSTEAD = ord("("), ord("<"), ord("}")
_POWERS = np.array([85**4, 85**3, 85**2, 85, 1], np.uint64)
_HEAD = struct.Struct("<qB")
BLOCK = 8192
"""Calls in a block: decoded within milliseconds, and enough for deflate to learn from."""


def split(calls: Columns, lanes: int) -> Iterator[Columns]:
    """Blocks, each of some neighbouring lanes and a stretch of time, sorted."""
    if not len(calls):
        return
    blocks = math.ceil(len(calls) / BLOCK)
    groups = lanes if blocks >= 4 * lanes else _groups(blocks, lanes)
    group = calls.lane * groups // max(lanes, 1)
    order = np.lexsort((calls.begin, group))
    bounds = np.searchsorted(group[order], np.arange(groups + 1))
    for first, last in itertools.pairwise(bounds.tolist()):
        parts = math.ceil((last - first) / BLOCK)
        for part in range(parts):
            low = first + (last - first) * part // parts
            high = first + (last - first) * (part + 1) // parts
            yield sort_calls(calls.take(order[low:high]))


def _groups(blocks: int, lanes: int) -> int:
    """Of short lanes, which share blocks: about as many groups as stretches of time, unless a block then had
    few calls of each lane, whose begins could not be foreseen."""
    few = 64
    return min(lanes, max(math.isqrt(blocks), min(blocks, lanes * few // BLOCK), 1))


def sort_calls(calls: Columns) -> Columns:
    """By lane, then by begin, a call before those inside it."""
    return calls.take(np.lexsort((calls.level, -calls.end, calls.begin, calls.lane)))


def encode_block(calls: Columns, file_count: int, step_ns: int = 1) -> list[bytes]:
    """Sorted calls as byte planes, one after the other; times in steps."""
    begin, end = calls.begin // step_ns, calls.end // step_ns
    columns = (
        calls.lane,
        calls.call,
        calls.file,
        calls.length,
        calls.level,
        calls.flags,
        begin - _reference(calls, begin, end),
        end - begin,
        calls.offset - _predicted_offset(calls, file_count),
        calls.result - np.where(calls.length > 0, calls.length, np.maximum(calls.offset, 0)),
    )
    return [part for column in columns for part in byte_planes(column)]


def _reference(calls: Columns, begin: Integers, end: Integers) -> Integers:
    reference = np.zeros(len(calls), np.int64)
    inside = calls.level[1:] > calls.level[:-1]
    same_lane = calls.lane[1:] == calls.lane[:-1]
    reference[1:] = np.where(same_lane, np.where(inside, begin[:-1], end[:-1]), 0)
    return reference


def _predicted_offset(calls: Columns, file_count: int) -> Integers:
    before = previous_alike(calls.call * file_count + calls.file)
    return np.where(before >= 0, (calls.offset + calls.length)[before], 0)


def previous_alike(keys: NDArray[Any]) -> Integers:
    """For each element, the index of the one before it with the same key; -1 where there is none."""
    order = np.argsort(keys, kind="stable")
    previous = np.full(len(keys), -1, np.int64)
    same = keys[order][1:] == keys[order][:-1]
    previous[order[1:][same]] = order[:-1][same]
    return previous


def byte_planes(values: NDArray[Any]) -> list[bytes]:
    """Numbers byte by byte, as a shuffle filter does: all lowest bytes, then all second ones, and so on;
    deflate packs those best. First the least value (i64) and how many planes follow (u8), then the planes of
    what each value is above the least."""
    values = values.astype(np.int64, copy=False)
    least = int(values.min()) if len(values) else 0
    above = (values - least).view(np.uint64)
    most = int(above.max()) if len(values) else 0
    count = (most.bit_length() + 7) // 8
    matrix = above.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    return [_HEAD.pack(least, count), *(matrix[:, plane].tobytes() for plane in range(count))]


def deflated(parts: Iterable[bytes]) -> bytes:
    """The parts as one stream, each with Huffman codes of its own: planes differ in which bytes are frequent.
    A tenth smaller than without."""
    packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1, zlib.Z_FILTERED)
    packed = [piece for part in parts for piece in (packer.compress(part), packer.flush(zlib.Z_BLOCK))]
    return b"".join([*packed, packer.flush()])


def encode85(data: bytes) -> str:
    """Bytes as text that can stand in an HTML page, five characters for four bytes; of one to three bytes at
    the end, two to four characters.

    Base64 takes a third more than the bytes, this a quarter. The characters are the 85 from `(` on, without
    `<`, so that no text can end a script element; `}` stands in its place.
    """
    missing = -len(data) % 4
    words = np.frombuffer(data + bytes(missing), ">u4").astype(np.uint64)
    digits = (words[:, None] // _POWERS % np.uint64(85)).astype(np.uint8) + np.uint8(FIRST)
    digits[digits == LESS_THAN] = INSTEAD
    text = digits.tobytes().decode("ascii")
    return text[: len(text) - missing]

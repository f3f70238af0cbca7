"""Streams as killed programs leave them, and damage that has a structure: what happens to whole files."""

from collections.abc import Iterator

import numpy as np

from weir.trace.stream import HEAD, HEAD_PAGE, MAGIC, RECORD

WINDOW = 4096
IN_WINDOW = WINDOW // RECORD.itemsize
HEAD_BYTES = HEAD_PAGE + 2 * WINDOW


def growing(count: int) -> bytes:
    """A stream as a killed program leaves it."""
    records = np.zeros(count, RECORD)
    records["offset"], records["call"] = np.arange(count), 7
    flushed = count // IN_WINDOW * IN_WINDOW
    windows = np.zeros(2 * WINDOW, np.uint8)
    for number in (count // IN_WINDOW - 1, count // IN_WINDOW):
        if number >= 0:
            part = records[number * IN_WINDOW : (number + 1) * IN_WINDOW].tobytes()
            begin = number % 2 * WINDOW
            windows[begin : begin + len(part)] = np.frombuffer(part, np.uint8)
            if number * IN_WINDOW == flushed:
                windows[begin + len(part) : begin + WINDOW] = 0
    head = np.zeros(1, HEAD)
    head["magic"], head["record_bytes"], head["head_bytes"] = MAGIC, RECORD.itemsize, HEAD_BYTES
    head["window_bytes"], head["flushed"] = WINDOW, flushed
    return head.tobytes().ljust(HEAD_PAGE, b"\0") + windows.tobytes() + records[:flushed].tobytes()


def cut_off(data: bytes, boundaries: Iterator[int]) -> Iterator[tuple[str, bytes]]:
    """The bytes cut off at, before and behind each boundary."""
    for at in sorted({place + step for place in boundaries for step in (-1, 0, 1)}):
        if 0 <= at < len(data):
            yield f"cut off at {at}", data[:at]


def with_other_fields(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The bytes with each field of a stream's head changed."""
    for field in HEAD.names or ():
        for name, value in (("0", 0), ("1", 1), ("all ones", -1), ("high bit", 1 << 63), ("one more", None)):
            place = HEAD.fields[field][1]  # type: ignore[index]
            size = HEAD[field].itemsize
            before = int.from_bytes(data[place : place + size], "little")
            number = (before + 1 if value is None else value) % (1 << 8 * size)
            changed = data[:place] + number.to_bytes(size, "little") + data[place + size :]
            if changed != data:
                yield f"{field}: {name}", changed


def with_moved_blocks(data: bytes, block: int) -> Iterator[tuple[str, bytes]]:
    """The bytes with blocks exchanged, doubled, left out, or empty."""
    blocks = [data[at : at + block] for at in range(0, len(data), block)]
    for i in range(len(blocks)):
        for j in range(i + 1, len(blocks)):
            other = list(blocks)
            other[i], other[j] = other[j], other[i]
            yield f"blocks {i} and {j} exchanged", b"".join(other)
        yield f"block {i} doubled", b"".join([*blocks[: i + 1], *blocks[i:]])
        yield f"block {i} left out", b"".join([*blocks[:i], *blocks[i + 1 :]])
        yield f"block {i} empty", b"".join([*blocks[:i], bytes(len(blocks[i])), *blocks[i + 1 :]])

"""Writes PNG images of a palette (PNG specification, third edition, W3C 2025)."""

import struct
import zlib
from collections.abc import Sequence

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE = 3


def png(lines: Sequence[Sequence[int]], palette: Sequence[tuple[int, int, int]]) -> bytes:
    """An image of these lines, each pixel a number of the palette's at most 256 colours."""
    head = struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, _PALETTE, 0, 0, 0)
    unfiltered = b"\0"
    data = b"".join(unfiltered + bytes(line) for line in lines)
    colours = bytes(part for colour in palette for part in colour)
    return (
        _SIGNATURE
        + _chunk(b"IHDR", head)
        + _chunk(b"PLTE", colours)
        + _chunk(b"IDAT", zlib.compress(data, 9))
        + _chunk(b"IEND", b"")
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

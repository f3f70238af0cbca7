"""Cells as the pixels of a PNG image."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from weir.cloud.colours import palette
from weir.cloud.fields import Values

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3
"""Pixels are numbers of a palette's colours: W3C, Portable Network Graphics, section 11.2.1."""


def png(shades: NDArray[np.uint8]) -> bytes:
    """An image of the palette's colours; rows from the bottom to the top, as axes count."""
    height, width = shades.shape
    head = struct.pack(">IIBBBBB", width, height, 8, _INDEXED, 0, 0, 0)
    unfiltered = np.zeros((height, width + 1), np.uint8)
    unfiltered[:, 1:] = shades[::-1]
    chunks = (
        (b"IHDR", head),
        (b"PLTE", palette().tobytes()),
        (b"IDAT", zlib.compress(unfiltered.tobytes(), 6)),
    )
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in (*chunks, (b"IEND", b"")))


def data_url(image: bytes) -> str:
    """The image as a link that holds it."""
    return "data:image/png;base64," + base64.b64encode(image).decode()


def enlarged(shades: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """Each cell as that many rows and columns of pixels, so that nothing that draws it blurs it."""
    return shades.repeat(rows, axis=0).repeat(columns, axis=1)


def coarser(values: Values, most: int) -> Values:
    """No more than `most` rows and columns: means of neighbours where there are more."""
    for axis in (0, 1):
        size = values.shape[axis]
        starts = np.arange(0, size, -(-size // most))
        counts = np.diff(starts, append=size)
        shape = (-1, 1) if axis == 0 else (1, -1)
        values = np.add.reduceat(values, starts, axis) / counts.reshape(shape)
    return values


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

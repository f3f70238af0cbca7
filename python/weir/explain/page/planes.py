"""Numbers as planes of bytes: all lowest bytes, then all second ones, and so on: deflate packs them best."""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEAD = struct.Struct("<qB")


def planes(values: NDArray[Any]) -> bytes:
    """The least value (i64), how many planes follow (u8), and what each value is above the least."""
    values = values.astype(np.int64, copy=False)
    least = int(values.min()) if len(values) else 0
    above = (values - least).view(np.uint64)
    most = int(above.max()) if len(values) else 0
    count = (most.bit_length() + 7) // 8
    matrix = above.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    return _HEAD.pack(least, count) + matrix[:, :count].T.tobytes()

"""Bytes to fewer bytes: LZMA, which Python has with it, told that they are numbers and no text."""

from __future__ import annotations

import lzma

_DICTIONARY_BYTES = 1 << 22
_FILTERS = [{"id": lzma.FILTER_LZMA2, "dict_size": _DICTIONARY_BYTES, "lc": 0, "lp": 0, "pb": 0, "preset": 6}]
"""The same for writing and reading, since a raw stream does not tell them. Needs some megabytes to read."""

_LEAST_BYTES = 1 << 16


def compress(data: bytes) -> bytes:
    """The bytes, compressed."""
    # A dictionary longer than the data is of no use, and takes ten times as long to set up.
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

"""The file of a packed trace: parts with checksums, an index of them, and where the index is at its end."""

import itertools
import struct
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from weir.bounded_parsing import decode_json
from weir.errors import WeirError
from weir.trace.pack.block import BLOCK
from weir.trace.pack.encodings import compress, decompress
from weir.trace.pack.magic import MAGIC
from weir.trace.stream import RECORD

VERSION = 1

_TAIL = struct.Struct("<QII8s")
_MOST_INDEX_BYTES = 1 << 26
TEXT_BYTES = 1 << 22
"""Of all texts one after the other, so many go into one part."""


class Part(msgspec.Struct, array_like=True):
    """Some bytes of the file."""

    at: int
    bytes: int
    checksum: int
    """CRC-32."""


class Block(msgspec.Struct, array_like=True):
    """Records of a stream."""

    part: Part
    records: int


class PackedStream(msgspec.Struct):
    """A file of records: its name, the bytes of its head, which are among the texts, and its blocks."""

    name: str
    head_bytes: int
    blocks: list[Block]
    note: str = ""
    """What was missing of it when it was packed."""
    first: int = 0
    """Of short streams that share blocks: which of the blocks' records is its first,"""
    records: int | None = None
    """and how many are its own; None: all are."""


class PackedText(msgspec.Struct):
    """Another file, as it was."""

    name: str
    bytes: int


class Index(msgspec.Struct):
    """What the file holds."""

    version: int
    times: str
    streams: list[PackedStream] = []
    texts: list[PackedText] = []
    """Their bytes stand one after the other: first the streams' heads, then these."""
    text_parts: list[Part] = []


class Writer:
    """Writes a packed trace; keeps only the index in memory."""

    def __init__(self, out: BinaryIO, times: str) -> None:
        self._out = out
        self._at = len(MAGIC)
        self.index = Index(VERSION, times)
        out.write(MAGIC)

    def part(self, data: bytes) -> Part:
        """Write bytes as a part."""
        part = Part(self._at, len(data), zlib.crc32(data))
        self._out.write(data)
        self._at += len(data)
        return part

    def close(self) -> int:
        """Write the index. Returns the bytes of the whole file."""
        packed = compress(msgspec.json.encode(self.index))
        part = self.part(packed)
        self._out.write(_TAIL.pack(part.at, part.bytes, part.checksum, MAGIC))
        return self._at + _TAIL.size


class Reader:
    """Reads a packed trace. Raises WeirError where it is damaged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size = path.stat().st_size
        self.index = self._index()
        check_sizes(self)
        self.shared: dict[int, Any] = {}
        """The latest blocks that several streams share, unpacked, by where they lie in the file."""

    def part(self, part: Part) -> bytes:
        """A part's bytes, checked."""
        if not (0 < part.bytes <= self._size and 0 <= part.at <= self._size - part.bytes):
            raise self.damaged("a part lies outside the file")
        with self.path.open("rb") as file:
            file.seek(part.at)
            data = file.read(part.bytes)
        if zlib.crc32(data) != part.checksum:
            raise self.damaged(
                f"bytes {part.at} to {part.at + part.bytes} have changed since they were packed"
            )
        return data

    def texts(self) -> tuple[list[bytes], list[bytes]]:
        """The streams' heads, and the other files."""
        try:
            whole = b"".join(decompress(self.part(part), TEXT_BYTES) for part in self.index.text_parts)
        except ValueError as error:
            raise self.damaged(str(error)) from error
        lengths = [*(s.head_bytes for s in self.index.streams), *(t.bytes for t in self.index.texts)]
        if min(lengths, default=0) < 0 or sum(lengths) != len(whole):
            raise self.damaged("its texts do not have the lengths that they should")
        pieces, at = [], 0
        for length in lengths:
            pieces.append(whole[at : at + length])
            at += length
        return pieces[: len(self.index.streams)], pieces[len(self.index.streams) :]

    def damaged(self, why: str) -> WeirError:
        """An error that says so."""
        return WeirError(f"{self.path} is a damaged packed trace", why, "Copy or pack it again.")

    def _index(self) -> Index:
        with self.path.open("rb") as file:
            begins = file.read(len(MAGIC)) == MAGIC
            file.seek(max(0, self._size - _TAIL.size))
            tail = file.read(_TAIL.size)
        if not begins or len(tail) < _TAIL.size or tail[-len(MAGIC) :] != MAGIC:
            raise self.damaged("its end is missing" if begins else "it does not begin as one")
        at, length, checksum, _ = _TAIL.unpack(tail)
        try:
            data = decompress(self.part(Part(at, length, checksum)), _MOST_INDEX_BYTES)
            version = decode_json(data, type=_Version).version
            if version == VERSION:
                return decode_json(data, type=Index)
        except (ValueError, msgspec.DecodeError) as error:
            raise self.damaged(f"its index: {error}") from error
        raise WeirError(
            f"{self.path} is of another version",
            f"it is of version {version}, and this Weir reads version {VERSION}",
            "Read it with the Weir that packed it.",
        )


class _Version(msgspec.Struct):
    version: int


MOST_TEXT_BYTES = 1 << 30


def check_sizes(reader: Reader) -> None:
    """Raises WeirError for an index whose parts overlap or are used twice, or whose texts are too long: a
    small file must not unpack to any size."""
    blocks = {block.part.at: block for stream in reader.index.streams for block in stream.blocks}
    parts = [*(block.part for block in blocks.values()), *reader.index.text_parts]
    _check_parts(reader, sorted(parts, key=lambda part: part.at))
    taken = Counter[int]()
    for stream in reader.index.streams:
        for at, count in _taken(stream):
            taken[at] += count
    if any(count > blocks[at].records for at, count in taken.items()):
        raise reader.damaged("streams take the same records several times")
    lengths = (*(s.head_bytes for s in reader.index.streams), *(t.bytes for t in reader.index.texts))
    if sum(lengths) > MOST_TEXT_BYTES:
        raise reader.damaged(f"its texts are of {sum(lengths):,} bytes, and {MOST_TEXT_BYTES:,} are the most")


def unpacked_bytes(reader: Reader) -> int:
    """The bytes of the folder that unpacking makes."""
    records = sum(count for stream in reader.index.streams for _, count in _taken(stream))
    heads = sum(stream.head_bytes for stream in reader.index.streams)
    return records * RECORD.itemsize + heads + sum(text.bytes for text in reader.index.texts)


def _check_parts(reader: Reader, parts: list[Part]) -> None:
    if any(part.bytes <= 0 or part.at < 0 for part in parts):
        raise reader.damaged("a part lies outside the file")
    if any(one.at + one.bytes > other.at for one, other in itertools.pairwise(parts)):
        raise reader.damaged("parts of it lie over each other")


def _taken(stream: PackedStream) -> list[tuple[int, int]]:
    """Offsets of the stream's blocks, and how many records it has in each."""
    if stream.records is None:
        return [(block.part.at, block.records) for block in stream.blocks]
    end = stream.first + stream.records
    return [
        (block.part.at, max(0, min(end, (number + 1) * BLOCK) - max(stream.first, number * BLOCK)))
        for number, block in enumerate(stream.blocks)
    ]

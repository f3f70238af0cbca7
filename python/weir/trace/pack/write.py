"""A trace's folder into one file."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.files.plain import is_plain, open_plain, read_plain
from weir.redaction import Redactor
from weir.trace.pack.block import BLOCK, bytes_of_times, pack_block, rounded, unpack_block
from weir.trace.pack.container import TEXT_BYTES, Block, PackedStream, PackedText, Part, Writer
from weir.trace.pack.encodings import compress
from weir.trace.redact import redacted_name, redacted_text
from weir.trace.stream import RECORD, Stream, read_stream

SHARED = 1 << 14
"""Streams share a block if it has no more records then."""


class Times(StrEnum):
    """What becomes of the times of calls."""

    EXACT = "exact"
    US = "us"
    """Rounded to microseconds."""
    NONE = "none"
    """Left out; the order of each thread's calls is kept."""


@dataclass
class Packed:
    """What was packed, and what it costs."""

    records: int = 0
    raw_bytes: int = 0
    packed_bytes: int = 0
    bytes_of_times: int = 0


_SUFFIXES = (".process", ".names", ".counts", ".records", ".json")
"""What a trace is made of. A page in its folder can be made again."""


def pack_trace(folder: Path, out: BinaryIO, times: Times, redactor: Redactor | None = None) -> Packed:
    """Write a trace as one file, with hashes in place of names if there is a `redactor`. Each block is read
    back and compared before it is written. Raises WeirError if the folder holds no trace."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and is_plain(path))
    if not any(path.suffix == ".process" for path in paths):
        raise WeirError(
            f"{folder} holds no trace",
            "there is no file *.process in it",
            "Record one with `weir trace -o FOLDER -- PROGRAM`.",
        )
    streams = {path: stream for path in paths if (stream := _stream(path)) is not None}
    texts = [path for path in paths if path not in streams]
    rate = max(((s.compared_over_ns, s.ticks_per_ns) for s in streams.values()), default=(0, 0.0))[1]
    bytes_of = {path: path.stat().st_size for path in paths}
    writer, packed = Writer(out, times), Packed(raw_bytes=sum(bytes_of.values()))
    for quantum, group in _groups(streams, times, rate):
        alone, first = len(group) == 1, 0
        records = [streams[path].records[:] for path in group]
        together = records[0] if alone else np.concatenate(records, dtype=RECORD)
        blocks = list(_blocks(writer, together, quantum, packed))
        for path, own in zip(group, records, strict=True):
            head_bytes = min(streams[path].head_bytes, bytes_of[path])
            shares = () if alone else (first, len(own))
            writer.index.streams.append(
                PackedStream(_name(path, redactor), head_bytes, blocks, streams[path].note, *shares)
            )
            first += len(own)
    texts = [path for path in texts if _name(path, redactor)]
    if redactor:
        bytes_of = {path: len(_content(path, redactor)) for path in texts}
    writer.index.texts = [PackedText(_name(path, redactor), bytes_of[path]) for path in texts]
    whole = chain(
        (_head(path, stream.head_bytes) for path, stream in streams.items()),
        (_content(path, redactor) for path in texts),
    )
    writer.index.text_parts = list(_text_parts(writer, whole))
    packed.packed_bytes = writer.close()
    return packed


def _name(path: Path, redactor: Redactor | None) -> str:
    """What a file is called in there; empty where it is left out."""
    return redacted_name(path.name, redactor) if redactor else path.name


def _content(path: Path, redactor: Redactor | None) -> bytes:
    data = read_plain(path)
    return redacted_text(path.name, data, redactor) if redactor else data


def _stream(path: Path) -> Stream | None:
    """None for any other file, and for a damaged stream, which is packed as it is."""
    try:
        return read_stream(path) if path.suffix == ".records" else None
    except WeirError:
        return None


def _quantum(times: Times, ticks_per_ns: float) -> int:
    """How many ticks times are rounded to; 0 leaves them out. Where a tick's length is not known, nothing is
    rounded."""
    if times is Times.US:
        return max(1, round(1000 * ticks_per_ns))
    return 1 if times is Times.EXACT else 0


def _groups(streams: dict[Path, Stream], times: Times, rate: float) -> Iterator[tuple[int, list[Path]]]:
    """Streams in their order, by quantum: short ones that follow each other together, since a block for each
    takes long. Where times are left out, a block has but one."""
    group: list[Path] = []
    latest, count = 0, 0
    for path, stream in streams.items():
        quantum, own = _quantum(times, stream.ticks_per_ns or rate), len(stream.records)
        if group and (quantum == 0 or quantum != latest or count + own > SHARED):
            yield latest, group
            group, count = [], 0
        group.append(path)
        latest, count = quantum, count + own
    if group:
        yield latest, group


def _blocks(writer: Writer, records: NDArray[Any], quantum: int, packed: Packed) -> Iterator[Block]:
    for begin in range(0, len(records), BLOCK):
        some = records[begin : begin + BLOCK]
        data = pack_block(some, quantum)
        if unpack_block(data, len(some)).tobytes() != rounded(some, quantum).tobytes():
            raise AssertionError("a packed block is not what it was made from")
        packed.records += len(some)
        packed.bytes_of_times += bytes_of_times(data)
        yield Block(writer.part(data), len(some))


def _head(path: Path, length: int) -> bytes:
    with open_plain(path) as file:
        return file.read(length)


def _text_parts(writer: Writer, texts: Iterator[bytes]) -> Iterator[Part]:
    kept = bytearray()
    for text in texts:
        kept += text
        while len(kept) >= TEXT_BYTES:
            yield writer.part(compress(bytes(kept[:TEXT_BYTES])))
            del kept[:TEXT_BYTES]
    if kept:
        yield writer.part(compress(bytes(kept)))

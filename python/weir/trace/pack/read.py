"""Reads a packed trace: as a trace, and back into the folder that it was made from."""

import dataclasses
import shutil
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.files.write import new_folder, write, written
from weir.trace.load import assemble
from weir.trace.model import Trace
from weir.trace.pack.block import BLOCK, unpack_block
from weir.trace.pack.container import PackedStream, Reader, unpacked_bytes
from weir.trace.pack.write import Times
from weir.trace.process import (
    Process,
    assemble_process,
    note_of_stream,
    notes_of_names,
    notes_of_removed,
    prefix_of,
    without_facts,
)
from weir.trace.record.recorder import HEAD
from weir.trace.stream import RECORD, Stream, parse_stream
from weir.units import count_words, format_bytes

_TIMES = {
    Times.US: "Times were rounded to microseconds when the trace was packed.",
    Times.NONE: "Times were left out when the trace was packed; what is said of times means nothing.",
}


def load_packed(path: Path) -> Trace:
    """Read a packed trace; records are unpacked block by block where they are asked for. Raises WeirError if
    it is damaged, here or where its records are read."""
    reader = Reader(path)
    heads, contents = reader.texts()
    texts = {entry.name: data for entry, data in zip(reader.index.texts, contents, strict=True)}
    trace = assemble(str(path), _processes(reader, heads, texts), texts.get(HEAD, b""))
    note = _TIMES.get(cast(Times, reader.index.times))
    return dataclasses.replace(trace, notes=(note, *trace.notes)) if note else trace


def unpack_trace(path: Path, folder: Path) -> None:
    """Make the folder that was packed; its streams end with their last record. Raises WeirError if the file
    is damaged; then no folder is left."""
    reader = Reader(path)
    _check_room(reader, folder.parent)
    with new_folder(folder) as draft:
        _unpack(reader, draft)


def _check_room(reader: Reader, folder: Path) -> None:
    wanted, free = unpacked_bytes(reader), shutil.disk_usage(folder).free
    if wanted > free:
        raise WeirError(
            f"cannot unpack {reader.path} into '{folder}'",
            f"it makes {format_bytes(wanted)}, and {format_bytes(free)} are free",
            "name a folder elsewhere with --out, or read the packed trace as it is",
        )


def _unpack(reader: Reader, folder: Path) -> None:
    heads, texts = reader.texts()
    names = [stream.name for stream in reader.index.streams] + [text.name for text in reader.index.texts]
    if any(name != Path(name).name or name in ("", "..") for name in names):
        raise reader.damaged("a name of a file is none")
    for entry, data in zip(reader.index.texts, texts, strict=True):
        write(folder / entry.name, data)
    for stream, head in zip(reader.index.streams, heads, strict=True):
        records = PackedRecords(reader, stream)
        with written(folder / stream.name) as file:
            file.write(head)
            for begin in range(0, len(records), BLOCK):
                file.write(records[begin : begin + BLOCK].tobytes())


def _processes(reader: Reader, heads: list[bytes], texts: dict[str, bytes]) -> list[Process]:
    prefixes = sorted(name.removesuffix(".process") for name in texts if name.endswith(".process"))
    if not prefixes:
        raise reader.damaged("it holds no process")
    processes = {prefix: _process(reader, prefix, texts) for prefix in prefixes}
    for stream, head in zip(reader.index.streams, heads, strict=True):
        if process := processes.get(prefix_of(stream.name)):
            process.streams.append(_stream(reader, stream, head))
            process.notes.extend(note_of_stream(stream.name, stream.note))
    streams: dict[str, list[str]] = {}
    for name in [*(stream.name for stream in reader.index.streams), *texts]:
        if name.endswith(".records"):
            streams.setdefault(prefix_of(name), []).append(name)
    for prefix, process in processes.items():
        process.notes.extend(notes_of_names(prefix, process.names))
        no_names = f"{prefix}.names" not in texts
        process.notes.extend(notes_of_removed(process, prefix, streams.get(prefix, []), no_names))
    for name, data in texts.items():
        # A stream that could not be read when it was packed.
        if name.endswith(".records") and (process := processes.get(prefix_of(name))):
            process.notes.append(f"{name} is no stream of records (it has {count_words(len(data), 'byte')}).")
    return [*processes.values(), *without_facts([*texts, *(one.name for one in reader.index.streams)])]


def _process(reader: Reader, prefix: str, texts: dict[str, bytes]) -> Process:
    where = f"{prefix}.process in {reader.path}"
    names, counts = (texts.get(f"{prefix}.{kind}") for kind in ("names", "counts"))
    return assemble_process(prefix, where, texts[f"{prefix}.process"], names, counts)


def _stream(reader: Reader, stream: PackedStream, head: bytes) -> Stream:
    records = cast(NDArray[Any], PackedRecords(reader, stream))
    where = f"{stream.name} in {reader.path}"
    return parse_stream(head, records, where, stream.note)


MOST_OWN = 2
"""Blocks of a stream in memory: pieces that are read one after the other begin in one and end in the next."""
MOST_SHARED = 64
"""Blocks in memory that streams share: those are small, and ranks may come in another order."""


class PackedRecords:
    """Reads like an array of records. Slices unpack what they cover, anything else the whole stream."""

    dtype = RECORD

    def __init__(self, reader: Reader, stream: PackedStream) -> None:
        counts = [block.records for block in stream.blocks]
        if any(count != BLOCK for count in counts[:-1]) or not all(0 < count <= BLOCK for count in counts):
            raise reader.damaged("blocks of a stream do not have the sizes that they should")
        self._reader = reader
        self._blocks = stream.blocks
        self._first = stream.first
        self._count = sum(counts) if stream.records is None else stream.records
        if self._first < 0 or not 0 <= self._count <= sum(counts) - self._first:
            raise reader.damaged("a stream goes beyond its blocks")
        self._latest: dict[int, NDArray[Any]] = {} if stream.records is None else reader.shared
        self._most = MOST_OWN if stream.records is None else MOST_SHARED

    def __len__(self) -> int:
        return self._count

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self._range(0, self._count)

    def __getitem__(self, wanted: Any) -> Any:
        if isinstance(wanted, slice):
            begin, end, step = wanted.indices(self._count)
            if step == 1:
                return self._range(begin, max(begin, end))
        if isinstance(wanted, int):
            at = range(self._count)[wanted]
            return self._range(at, at + 1)[0]
        return self._range(0, self._count)[wanted]

    def _range(self, begin: int, end: int) -> NDArray[Any]:
        pieces = []
        begin, end = begin + self._first, end + self._first
        for number in range(begin // BLOCK, -(-end // BLOCK)):
            at = number * BLOCK
            pieces.append(self._block(number)[max(begin - at, 0) : end - at])
        if len(pieces) == 1:
            return pieces[0]
        return np.concatenate(pieces) if pieces else np.empty(0, RECORD)

    def _block(self, number: int) -> NDArray[Any]:
        block = self._blocks[number]
        if block.part.at not in self._latest:
            try:
                records = unpack_block(self._reader.part(block.part), block.records)
            except ValueError as error:
                raise self._reader.damaged(str(error)) from error
            records.flags.writeable = False
            while len(self._latest) >= self._most:
                self._latest.pop(next(iter(self._latest)))
            self._latest[block.part.at] = records
        return self._latest[block.part.at]

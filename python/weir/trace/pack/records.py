"""Records of a packed stream, unpacked where they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pack.block import BLOCK, unpack_block
from weir.trace.pack.container import PackedStream, Reader
from weir.trace.stream import RECORD

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

"""Calls of several lanes as columns, in pieces of a fair size however many lanes there are."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.batch import Batch
from weir.trace.model import BATCH, Trace

Integers = NDArray[np.int64]

IN_MEMORY = 4_000_000
"""So many calls take 320 MB."""


@dataclass(frozen=True)
class Columns:
    """Calls; all arrays have one length. Times are nanoseconds since the trace's first call began."""

    lane: Integers
    begin: Integers
    end: Integers
    call: Integers
    file: Integers
    offset: Integers
    length: Integers
    result: Integers
    level: Integers
    flags: Integers

    def __len__(self) -> int:
        return len(self.lane)

    def take(self, which: NDArray[Any]) -> "Columns":
        """Those calls: indexes, or a mask."""
        return replace(self, **{field.name: getattr(self, field.name)[which] for field in fields(self)})

    @staticmethod
    def joined(parts: list["Columns"]) -> "Columns":
        """One after the other."""
        names = [field.name for field in fields(Columns)]
        empty = np.empty(0, np.int64)
        return Columns(
            **{name: np.concatenate([empty, *(getattr(part, name) for part in parts)]) for name in names}
        )


def of_batch(batch: Batch) -> Columns:
    """A batch's calls."""
    most = np.iinfo(np.int64).max
    return Columns(
        lane=np.full(len(batch), batch.lane, np.int64),
        begin=batch.begin_ns,
        end=np.maximum(batch.end_ns, batch.begin_ns),
        call=batch.call,
        file=batch.file,
        offset=batch.offset,
        length=np.minimum(batch.length, np.uint64(most)).astype(np.int64),
        result=batch.result,
        level=batch.level.astype(np.int64),
        flags=batch.flags.astype(np.int64),
    )


class Calls:
    """All calls of a trace, in pieces, again and again; where they are not too many, kept in memory."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._kept = list(pieces(trace)) if trace.records <= IN_MEMORY else None

    def __iter__(self) -> Iterator[Columns]:
        return iter(self._kept) if self._kept is not None else pieces(self.trace)


def pieces(trace: Trace, size: int = BATCH) -> Iterator[Columns]:
    """All calls, lane by lane. A piece holds about `size` calls: of one long lane, or of many short ones."""
    waiting: list[Columns] = []
    count = 0
    for batch in trace.batches(size):
        waiting.append(of_batch(batch))
        count += len(batch)
        if count >= size:
            yield Columns.joined(waiting)
            waiting, count = [], 0
    if waiting:
        yield Columns.joined(waiting)

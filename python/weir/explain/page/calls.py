"""Calls as columns of whole numbers, in pieces; and the longest of them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.batch import Batch
from weir.trace.model import Trace

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
    def joined(parts: "list[Columns]") -> "Columns":
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
        lane=batch.lane,
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
        self._kept = list(self._pieces()) if trace.records <= IN_MEMORY else None

    def __iter__(self) -> Iterator[Columns]:
        return iter(self._kept) if self._kept is not None else self._pieces()

    def _pieces(self) -> Iterator[Columns]:
        return map(of_batch, self.trace.batches())


class Longest:
    """The longest calls of all, and the longest few of each call."""

    def __init__(self, listed: NDArray[np.bool_], of_all: int = 200, of_each: int = 5) -> None:
        """`listed`: of each of the trace's calls, whether it is looked at."""
        self._listed = listed
        self._of_all, self._of_each = of_all, of_each
        self._found = Columns.joined([])

    def add(self, calls: Columns) -> None:
        """Look through these calls."""
        calls = calls.take(self._listed[calls.call])
        candidates = Columns.joined([self._found, calls.take(self._pick(calls))])
        self._found = candidates.take(self._pick(candidates))

    def _pick(self, calls: Columns) -> Integers:
        took = calls.end - calls.begin
        picked = [_longest(took, self._of_all)]
        for call in distinct(calls.call):
            of_call = np.flatnonzero(calls.call == call)
            picked.append(of_call[_longest(took[of_call], self._of_each)])
        return distinct(np.concatenate(picked))

    def calls(self) -> Columns:
        """The longest first."""
        return self._found.take(np.argsort(self._found.begin - self._found.end, kind="stable"))


def _longest(took: Integers, count: int) -> Integers:
    if len(took) <= count:
        return np.arange(len(took))
    return np.argpartition(took, -count)[-count:]

"""The columns of a table of calls: the same in every format that has rows and columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.batch import Batch
from weir.trace.model import COMMUNICATE, OPEN, TRANSFERS, Trace

COLLECTIVE = 1
"""The bit of a record's flags."""


@dataclass(frozen=True)
class Words:
    """A column of few different texts: of each row, which of `words` it has. None is none."""

    name: str
    at: NDArray[np.int64]
    words: Sequence[str | None]


@dataclass(frozen=True)
class Numbers:
    """A column of whole numbers, or of truth values. What is not `known` is null."""

    name: str
    values: NDArray[Any]
    known: NDArray[np.bool_] | None = None


class Columns:
    """Makes the columns of each batch of a trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._interfaces = Coded(call.interface for call in trace.calls)
        self._calls = [call.name for call in trace.calls]
        self._kinds = Coded(call.kind for call in trace.calls)
        self._moves = np.array([call.kind in TRANSFERS for call in trace.calls])
        self._opens = np.array([call.kind == OPEN for call in trace.calls])
        self._talks = np.array([call.kind == COMMUNICATE for call in trace.calls])
        self._communicators = [ranks or None for ranks in trace.communicators]
        files = trace.files
        self._files = Coded((files[file.parent] if file.parent else file).name or None for file in files)
        self._datasets = Coded(file.name if file.parent else None for file in files)
        self._who = np.array([(lane.rank, lane.process, lane.thread) for lane in trace.lanes], np.int64)
        self._hosts = Coded(lane.host for lane in trace.lanes)

    def of(self, batch: Batch) -> Iterator[Words | Numbers]:
        """The columns of a batch."""
        lane, records, call = batch.lane, batch.records, batch.call
        length, result = records["length"].astype(np.int64), records["result"]
        offset, talks = records["offset"], self._talks[call]
        for number, name in enumerate(("rank", "process", "thread")):
            yield Numbers(name, self._who[lane, number])
        yield Words("host", self._hosts.at[lane], self._hosts.words)
        yield Words("interface", self._interfaces.at[call], self._interfaces.words)
        yield Words("call", call, self._calls)
        yield Words("kind", self._kinds.at[call], self._kinds.words)
        yield Words("file", self._files.at[batch.file], self._files.words)
        yield Words("dataset", self._datasets.at[batch.file], self._datasets.words)
        communicator = np.where(talks, self._trace.communicators_of(batch), 0)
        yield Words("communicator", communicator, self._communicators)
        yield Numbers("peer_rank", offset, talks & (offset >= 0))
        yield Numbers("offset_bytes", offset, ~talks & (offset >= 0))
        yield Numbers("length_bytes", length, ~self._opens[call])
        yield Numbers("moved_bytes", result, self._moves[call] & ~batch.failed)
        yield Numbers("error", -np.minimum(result, 0), batch.failed)
        yield Numbers("begin_ns", batch.begin_ns)
        yield Numbers("end_ns", batch.end_ns)
        yield Numbers("level", records["level"].astype(np.int64))
        yield Numbers("collective", (records["flags"] & COLLECTIVE).astype(bool))
        yield Numbers("first_half", ~batch.counted)


class Coded:
    """Texts with repetitions: each text once, and for each place which it is."""

    def __init__(self, texts: Iterable[str | None]) -> None:
        numbers: dict[str | None, int] = {}
        self.at = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
        self.words = list(numbers)

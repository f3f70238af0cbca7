"""Trace events as JSON, which Perfetto (https://ui.perfetto.dev) and Chrome's own viewer show.

Source: Trace Event Format (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
Ranks are processes, threads are threads, calls are complete events; times are microseconds.
"""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.batch import Batch
from weir.trace.exporter import Exporter, exporter
from weir.trace.model import COMMUNICATE, TRANSFERS, Trace


@exporter("perfetto")
class Perfetto(Exporter):
    """All calls, with what they did as arguments; bandwidth by interface as counters of their own."""

    def write(self, trace: Trace, out: BinaryIO) -> None:
        """Write the events, batch by batch."""
        about = {"command": trace.command, "trace": trace.name, "notes": list(trace.notes)}
        head = json.dumps({"displayTimeUnit": "ns", "otherData": about})
        out.write(f'{head[:-1]}, "traceEvents": [\n'.encode())
        out.write(",\n".join(map(json.dumps, _names(trace))).encode())
        bandwidth = _Bandwidth(trace)
        texts = _Texts(trace)
        for batch in trace.batches():
            moved = np.where(texts.moves[batch.call], np.maximum(batch.records["result"], 0), 0)
            bandwidth.add(batch.call, batch.begin_ns, batch.end_ns, moved)
            out.write((",\n" + ",\n".join(texts.events(batch, moved))).encode())
        for event in _counters(trace, bandwidth):
            out.write(b",\n" + json.dumps(event).encode())
        out.write(b"\n]}\n")


def _names(trace: Trace) -> Iterator[dict[str, Any]]:
    """What the viewer calls processes and threads, and their order."""
    named = set()
    for number, lane in enumerate(trace.lanes):
        if lane.rank not in named:
            named.add(lane.rank)
            yield _name("process_name", lane.rank, 0, name=f"rank {lane.rank} ({lane.host})")
            yield _name("process_sort_index", lane.rank, 0, sort_index=lane.rank)
        text = f"process {lane.process}, thread {lane.thread}"
        yield _name("thread_name", lane.rank, number + 1, name=text)


def _name(what: str, process: int, thread: int, **facts: object) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": facts}


class _Texts:
    """Events as text. What is the same in many of them is made once."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._calls = [
            f'{{"ph":"X","name":{json.dumps(call.name)},"cat":{json.dumps(f"{call.interface},{call.kind}")}'
            for call in trace.calls
        ]
        self._files = [
            f'"dataset":{json.dumps(file.name)},"file":{json.dumps(trace.files[file.parent].name)}'
            if file.parent
            else f'"file":{json.dumps(file.name)}'
            for file in trace.files
        ]
        self._communicators = [json.dumps(ranks) for ranks in trace.communicators]
        self._talks = np.array([call.kind == COMMUNICATE for call in trace.calls])
        self.moves = np.array([call.kind in TRANSFERS for call in trace.calls])
        self._lanes = [f'"pid":{lane.rank},"tid":{number + 1}' for number, lane in enumerate(trace.lanes)]

    def events(self, batch: Batch, moved: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Iterator[str]:
        """The calls of a batch; of two that begin at once the outer one first, as viewers need it."""
        records = batch.records
        order = np.lexsort((records["level"], batch.begin_ns, batch.lane))
        columns = (
            batch.lane,
            batch.call,
            batch.file,
            batch.begin_ns / 1000,
            batch.took_ns / 1000,
            records["offset"],
            records["length"],
            records["result"],
            moved,
            self.moves[batch.call],
            self._talks[batch.call] * (1 + self._trace.communicators_of(batch)),
        )
        for lane, call, file, begin_us, took_us, offset, length, result, bytes_moved, moves, talks in zip(
            *(column[order].tolist() for column in columns), strict=True
        ):
            facts = [self._files[file]] if file else []
            if talks:
                facts = [f'"communicator":{self._communicators[talks - 1]},"length_bytes":{length}']
            if offset >= 0:
                facts.append(f'"{"peer_rank" if talks else "offset_bytes"}":{offset}')
            if moves:
                facts.append(f'"length_bytes":{length},"moved_bytes":{bytes_moved}')
            if result < 0:
                facts.append(f'"error":{-result}')
            yield (
                f'{self._calls[call]},{self._lanes[lane]},"ts":{begin_us:.3f},"dur":{took_us:.3f},'
                f'"args":{{{",".join(facts)}}}}}'
            )


def _counters(trace: Trace, bandwidth: "_Bandwidth") -> Iterator[dict[str, Any]]:
    process = max((lane.rank for lane in trace.lanes), default=0) + 1
    yield _name("process_name", process, 0, name="all ranks")
    yield _name("process_sort_index", process, 0, sort_index=-1)
    for interface, kind, interval_ns, values in bandwidth.bytes_per_s():
        before = None
        for number, value in enumerate([*values, 0.0]):
            shown = round(value / 1e6, 6)
            if shown != before:
                name = f"{interface} {kind} (MB/s)"
                time_us = round(number * interval_ns / 1000, 3)
                yield {"ph": "C", "name": name, "pid": process, "ts": time_us, "args": {"MB/s": shown}}
            before = shown


INTERVALS = 1000


class _Bandwidth:
    """The bytes of each call are spread evenly over the time that it took."""

    def __init__(self, trace: Trace) -> None:
        self._end_ns = max(trace.run_ns, 1)
        self.groups = list(
            dict.fromkeys((call.interface, call.kind) for call in trace.calls if call.kind in TRANSFERS)
        )
        numbers = {group: number for number, group in enumerate(self.groups)}
        self._group = np.array([numbers.get((call.interface, call.kind), -1) for call in trace.calls])
        self._whole = np.zeros((len(self.groups), INTERVALS))
        # Of calls over several intervals: rates that begin (or end) in one, and rates times their edges.
        self._edges = np.zeros((len(self.groups), 4, INTERVALS + 1))

    def add(
        self,
        call: NDArray[np.int64],
        begin_ns: NDArray[np.int64],
        end_ns: NDArray[np.int64],
        moved: NDArray[np.int64],
    ) -> None:
        """Add calls: indices into the trace's calls, nanoseconds, bytes."""
        width = self._end_ns / INTERVALS
        group = self._group[call]
        for number in distinct(group[group >= 0]):
            which = (group == number) & (moved > 0)
            begin = np.clip(begin_ns[which] / width, 0, INTERVALS * (1 - 1e-12))
            end = np.clip(end_ns[which] / width, begin, INTERVALS)
            self._add(int(number), begin, end, moved[which])

    def _add(
        self, number: int, begin: NDArray[np.float64], end: NDArray[np.float64], moved: NDArray[np.int64]
    ) -> None:
        within = np.ceil(end) - np.floor(begin) <= 1
        at = begin[within].astype(int)
        self._whole[number] += np.bincount(at, moved[within], INTERVALS)
        begin, end = begin[~within], end[~within]
        rate = moved[~within] / (end - begin)
        for row, edge in ((0, begin), (2, end)):
            at = np.ceil(edge).astype(int)
            self._edges[number, row] += np.bincount(at, rate, INTERVALS + 1)
            self._edges[number, row + 1] += np.bincount(at, rate * edge, INTERVALS + 1)

    def bytes_per_s(self) -> Iterator[tuple[str, str, float, list[float]]]:
        """Interface, kind, an interval's length in nanoseconds, and the bytes a second in each interval."""
        edges = np.arange(INTERVALS + 1)
        seconds = self._end_ns / INTERVALS / 1e9
        for (interface, kind), whole, sums in zip(self.groups, self._whole, self._edges, strict=True):
            begun, begun_at, ended, ended_at = np.cumsum(sums, axis=1)
            moved = whole + np.diff((begun - ended) * edges - (begun_at - ended_at))
            if moved.any():
                # What is left of rounding where nothing was moved is nothing.
                moved[moved < 1e-9 * moved.max()] = 0
                yield interface, kind, self._end_ns / INTERVALS, list(moved / seconds)

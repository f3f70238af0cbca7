"""The timeline's data: what assets/*.js read from the page."""

import errno
import os
import zlib
from dataclasses import dataclass, fields
from typing import Any

import msgspec
import numpy as np

from weir.explain.nesting import io_calls
from weir.trace.model import COMMUNICATE, MARK, WAIT, Trace

from .calls import Calls, Columns, Longest
from .coding import encode85
from .density import STEPS, Density, Gauge
from .selection import Durations, Files, Fitted, fit

MOST_BYTES = 4_600_000
"""Of the timeline, as text."""

MOST_MARKS = 2000
"""The longest are shown."""


@dataclass(frozen=True)
class Timeline:
    """All that is needed to draw; texts are deflated and in 85 characters."""

    head: str
    density: str
    blocks: list[str]
    fitted: Fitted
    kinds: list[str]
    """Of the trace's calls."""
    seen: Density
    longest: list[list[int]]
    """The columns of those calls, the longest first."""


def make_timeline(trace: Trace, most_bytes: int = MOST_BYTES) -> Timeline:
    """The data of a trace's timeline, of about `most_bytes` at most."""
    kinds = list(dict.fromkeys(call.kind for call in trace.calls))
    kind_of_call = np.array([kinds.index(call.kind) for call in trace.calls], np.int64)
    gauge, durations, files = Gauge(trace, kind_of_call, len(kinds)), Durations(), Files(trace)
    is_mark = trace.calls_of(kind=MARK)
    # Of calls that are no I/O, those for which a program waits: to know how long MPI_Init took helps nobody.
    waits = trace.calls_of(kind=COMMUNICATE) | trace.calls_of(kind=WAIT)
    longest, marks = Longest(io_calls(trace) | waits), Longest(is_mark, MOST_MARKS)
    calls = Calls(trace)
    for piece in calls:
        for observer in (gauge, durations, files, longest, marks):
            observer.add(piece)
    density = gauge.density()
    shares = _packed(density.shares.tobytes())
    files.choose(Columns.joined([longest.calls(), marks.calls()]))
    listed = _rows(files.of(longest.calls()))
    head = _head(trace, kinds, density) | {"longest": listed, "marks": _rows(files.of(marks.calls()))}
    head["files"] = files.names()
    fixed = len(shares) + len(_packed(_json(head)))
    fitted = fit(calls, files, durations, max(most_bytes - fixed, most_bytes // 4))
    blocks = [[block.count, *block.lanes, block.begin_ns, block.end_ns] for block in fitted.blocks]
    head |= {"kept": fitted.kept, "stepNs": fitted.step_ns, "blocks": blocks}
    return Timeline(
        _packed(_json(head)), shares, [block.text for block in fitted.blocks], fitted, kinds, density, listed
    )


def _packed(data: bytes) -> str:
    return encode85(zlib.compress(data, 9))


def _json(data: Any) -> bytes:
    return msgspec.json.encode(data)


def _head(trace: Trace, kinds: list[str], density: Density) -> dict[str, Any]:
    return {
        "runNs": trace.run_ns,
        "records": trace.records,
        "kinds": kinds,
        "calls": [[call.interface, call.name, kinds.index(call.kind)] for call in trace.calls],
        "unit": "rank" if trace.ranked else "process",
        "lanes": {
            "rank": [lane.rank for lane in trace.lanes],
            "process": [lane.process for lane in trace.lanes],
            "thread": [lane.thread for lane in trace.lanes],
        },
        "density": {
            "rows": density.rows,
            "bins": density.bins,
            "binNs": density.bin_ns,
            "steps": STEPS,
            "series": density.series,
        },
        "errors": {str(number): os.strerror(number) for number in errno.errorcode},
    }


def _rows(calls: Columns) -> list[list[int]]:
    columns = [getattr(calls, field.name).tolist() for field in fields(calls)]
    return [list(row) for row in zip(*columns, strict=True)]

"""Traces of ranks that meet in collectives."""

from dataclasses import replace

import numpy as np

from made_trace import CallRow, lane, trace
from weir.trace.lane import Lane
from weir.trace.model import Trace

WRITTEN, GATHERED = 1, 2
"""Indexes of `/data/a` and `/data/b`."""


def call(name: str, begin: int, end: int, *, file: int = WRITTEN, level: int = 0) -> CallRow:
    return (name, file, begin, end, 0, 8, 8, level)


def meets(name: str, begin: int, end: int, *, root: int = -1, level: int = 0) -> CallRow:
    """A collective on the communicator of all ranks."""
    return (name, 1, begin, end, root, 8, 8, level)


def of_ranks(*rows: list[CallRow], run_ns: int | None = None, group: str = "") -> Trace:
    """A trace of these ranks, whose communicator is that of all unless `group` says which."""
    lanes = [of_rank(rank, calls) for rank, calls in enumerate(rows)]
    made = trace(*lanes, run_ns=run_ns)
    return replace(made, communicators=("", group or f"0-{len(rows) - 1}"))


def of_rank(rank: int, rows: list[CallRow], thread: int = 1) -> Lane:
    return replace(lane(rank, rows, thread), communicator_index=np.array([0, 1]))

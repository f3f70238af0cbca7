"""DXT's segments as a trace: a lane for each rank, host and thread."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.importers._darshan.log import DXT_MODULES, Counted, Log, Record
from weir.trace.lane import Clock, Lane
from weir.trace.model import Trace
from weir.trace.names import Call, File
from weir.trace.stream import RECORD
from weir.units import count_words, format_bytes

CALLS = (
    Call("DAMAGED", "unknown", "other"),
    Call("POSIX", "read", "read"),
    Call("POSIX", "write", "write"),
    Call("MPI-IO", "read", "read"),
    Call("MPI-IO", "write", "write"),
)
"""Two for each module of DXT, in its order."""


def trace_of(log: Log) -> Trace:
    """The trace; times count from the job's start, and a tick is a nanosecond."""
    facts, segments = log.facts, log.segments
    records, file = np.unique(segments["record"], return_inverse=True)
    files = (File("", 0), *(File(log.name(int(record)), 0) for record in records))
    lanes = tuple(_lanes(log, file + 1, len(files)))
    last_ns = max((int(lane.records["end_ticks"][-1]) for lane in lanes), default=0)
    return Trace(
        name=str(log.path),
        command=facts.command,
        ranks=facts.ranks,
        hosts=tuple(sorted(facts.hosts)),
        began_real_ns=facts.start_s * 10**9 + facts.start_ns,
        calls=CALLS,
        files=files,
        lanes=lanes,
        processes=facts.ranks,
        run_ns=max(round(facts.run_s * 1e9), last_ns),
        notes=(*notes_on(log), *(limits_of_segments(log) if len(segments) else ())),
    )


def _lanes(log: Log, file: NDArray[np.int64], files: int) -> list[Lane]:
    segments = log.segments
    if not len(segments):
        return []
    keys = np.stack([segments["rank"], segments["host"], segments["thread"].astype(np.int64)], axis=1)
    each, of = np.unique(keys, axis=0, return_inverse=True)
    threads: dict[int, int] = {}
    lanes = []
    order = np.argsort(of.reshape(-1), kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of.reshape(-1), minlength=len(each)))[:-1])
    for (rank, host, _), part in zip(each.tolist(), parts, strict=True):
        threads[rank] = threads.get(rank, 0) + 1
        lanes.append(
            Lane(
                rank=rank,
                host=log.facts.hosts[host],
                process=rank,
                thread=threads[rank],
                records=_records(segments[part], file[part]),
                clock=Clock(0, 0, 1.0),
                call_index=np.array([*range(len(CALLS)), 0], np.int64),
                file_index=np.array([*range(files), 0], np.int64),
            )
        )
    return lanes


def _records(segments: NDArray[Any], file: NDArray[np.int64]) -> NDArray[Any]:
    """As the recorder would have written them: by end, nested calls first."""
    records = np.zeros(len(segments), RECORD)
    begin, end = (_ns(segments[name]) for name in ("begin_s", "end_s"))
    records["begin_ticks"], records["end_ticks"] = begin, np.maximum(begin, end)
    records["offset"] = segments["offset"]
    records["length"] = records["result"] = np.maximum(segments["length"], 0)
    records["file"] = file
    records["call"] = 1 + 2 * segments["module"] + segments["writes"]
    records["level"] = _nested(records, segments["module"] == 1)
    order = np.lexsort((-records["level"].astype(np.int64), records["end_ticks"]))
    ordered: NDArray[Any] = records[order]
    return ordered


def _ns(seconds: NDArray[np.float64]) -> NDArray[np.uint64]:
    finite = np.nan_to_num(seconds, nan=0, posinf=0, neginf=0)
    return np.round(np.clip(finite, 0, 9e9) * 1e9).astype(np.uint64)


def _nested(records: NDArray[Any], is_mpi: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which POSIX calls lie within the time of an MPI-IO call of their rank."""
    outer = records[is_mpi]
    if not len(outer):
        return np.zeros(len(records), bool)
    outer = outer[np.argsort(outer["begin_ticks"], kind="stable")]
    reach = np.maximum.accumulate(outer["end_ticks"])
    before = np.searchsorted(outer["begin_ticks"], records["begin_ticks"], side="right") - 1
    within: NDArray[np.bool_] = (
        ~is_mpi & (before >= 0) & (records["end_ticks"] <= reach[np.maximum(before, 0)])
    )
    return within


OF_MODULE = {"DXT_POSIX": "POSIX", "DXT_MPIIO": "MPI-IO"}


def notes_on(log: Log) -> Iterator[str]:
    """Facts of this log: what is partial, and how its files are striped."""
    partial = [name for name, is_partial in log.facts.modules.items() if is_partial]
    if partial:
        yield f"Darshan ran out of memory for {', '.join(partial)}: records of these modules are missing."
    stripes = Counter((one.size, one.count) for one in log.facts.stripes)
    for (size, count), files in stripes.most_common(3):
        over = f"{count_words(count, 'stripe')} of {format_bytes(size)}"
        yield f"Lustre: {count_words(files, 'file')} over {over}."


def limits_of_segments(log: Log) -> Iterator[str]:
    """What DXT does not record, and how much it has left out."""
    threads = "" if log.facts.has_threads else ", and threads are not told apart"
    yield (
        "DXT records reads and writes only: no open, close, seek, stat or sync has a time, and no call its "
        "name. Lengths are of bytes moved, not asked for. Which calls were collective or failed is not known"
        f"{threads}."
    )
    for number, module in enumerate(DXT_MODULES):
        recorded = int((log.segments["module"] == number).sum())
        counted = _transfers(log, OF_MODULE[module])
        if recorded < counted and (recorded or module in log.facts.modules):
            yield f"{module} has {recorded:,} of {counted:,} reads and writes that were counted."


def limits_of_counters(log: Log) -> Iterator[str]:
    """What counters do not show."""
    shared = sum(record.rank < 0 for one in log.facts.counted.values() for record in one.records)
    ranks = f" {shared:,} records of files that ranks share are sums over all ranks." if shared else ""
    yield (
        "Counters have no order: what each call took, sizes but by classes, and who did what inside which "
        f"library's call are not known. Times of opens, closes, seeks, stats and syncs are one sum.{ranks}"
    )
    negative = {
        name: sum(any(seconds < 0 for seconds in _times(one, record)) for record in one.records)
        for name, one in log.facts.counted.items()
    }
    if any(negative.values()):
        told = ", ".join(f"{count:,} of {name}" for name, count in negative.items() if count)
        yield f"Records with times below zero, a defect of the log: {told}. Each of these times counts as 0."


def _times(counted: Counted, record: Record) -> Iterator[float]:
    return (record.seconds[i] for i, name in enumerate(counted.seconds_names) if name.endswith("_TIME"))


def _transfers(log: Log, module: str) -> int:
    counted = log.facts.counted.get(module)
    if counted is None:
        return 0
    names = (
        ("POSIX_READS", "POSIX_WRITES")
        if module == "POSIX"
        else tuple(
            f"MPIIO_{way}_{what}" for way in ("INDEP", "COLL", "SPLIT", "NB") for what in ("READS", "WRITES")
        )
    )
    at = [counted.names.index(name) for name in names]
    return sum(max(record.counters[i], 0) for record in counted.records for i in at)

"""What a reader of a Darshan log's tables must know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from weir.counts import count_words
from weir.trace.importers._darshan.log import DXT_MODULES, Counted, Log, Record
from weir.units import format_bytes

OF_MODULE = {"DXT_POSIX": "POSIX", "DXT_MPIIO": "MPI-IO"}


def notes_on(log: Log) -> Iterator[str]:
    """Facts of this log: what is partial, and how its files are striped."""
    partial = [name for name, module in log.facts.modules.items() if module.partial]
    if partial:
        yield f"Darshan ran out of memory for {', '.join(partial)}: records of these modules are missing."
    stripes = Counter((one.size, one.count) for one in log.facts.stripes)
    for (size, count), files in stripes.most_common(3):
        over = f"{count_words(count, 'stripe')} of {format_bytes(size)}"
        yield f"Lustre: {count_words(files, 'file')} over {over}."


def limits_of_segments(log: Log) -> Iterator[str]:
    """What DXT cannot tell, and how much it has left out."""
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
    """What counters cannot tell."""
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
        yield f"Records with times below zero, a defect of the log: {told}. They are 0 in all tables."


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

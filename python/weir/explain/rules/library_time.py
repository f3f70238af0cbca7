"""Time in a library that is not in the calls inside it: communication, waiting for other ranks, locks."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.layers import LIBRARIES, pairs
from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import COMMUNICATE, WAIT
from weir.units import format_seconds, format_share, more_words

from ._files import part_words

LIBRARY_SHARE = 0.5
ALONE = (
    "The library has work of its own for each call; with many small calls it outweighs the transfer.",
    "Ask for more at once.",
)
CAUSES = {
    "MPI-IO": (
        "Ranks send their data to those that write, wait for them, or wait for locks of the file.",
        "Try other aggregators (hints cb_nodes, cb_buffer_size), fewer and larger collective calls, or "
        "`weir` with "
        "the back-end `twophase` on this pattern.",
    ),
    "HDF5": (
        "HDF5 agrees with all ranks on metadata, converts types, fills and filters chunks.",
        "Use collective metadata (H5Pset_all_coll_metadata_ops), no fill values (H5Pset_fill_time), the "
        "file's types "
        "in memory, and few large datasets.",
    ),
    "PnetCDF": (
        "PnetCDF converts and packs data, and agrees with all ranks.",
        "Join many small puts by nonblocking calls (ncmpi_iput, ncmpi_wait_all).",
    ),
}


@rule(
    f"at least {format_share(LIBRARY_SHARE)} of the time in a library's reads and writes of a file is not "
    "in the "
    "calls of "
    "the next interface below, on the same file",
    "Weir: more than half, so that the library costs more than the file system",
)
def library_time(summary: TraceSummary) -> Iterator[Remark]:
    """By library, the file with the most such time."""
    for library in LIBRARIES:
        found = []
        for file, outer, inner in pairs(summary, library):
            whole = outer.sum("transfer_s")
            own = whole - inner.total_s
            if whole > 0 and own >= LIBRARY_SHARE * whole:
                found.append((own, whole, file.name, outer, inner))
        if not found:
            continue
        own, whole, name, outer, inner = max(found, key=lambda one: one[0])
        more = f" The same holds for {more_words(len(found) - 1, 'file')}." if len(found) > 1 else ""
        yield Remark(
            f"{library} takes {format_seconds(whole)} to read and write {PurePath(name).name}, over "
            f"{summary.head.all}; all {inner.interface} calls on that file take "
            f"{format_seconds(inner.total_s)}: "
            f"{part_words(own, whole)} are spent in {library} "
            f"itself{_communication(summary, library)}.{more}",
            *(CAUSES[library] if outer.ranks > 1 else ALONE),
            seconds=summary.of_run(sum(one[0] for one in found)),
        )


def _communication(summary: TraceSummary, library: str) -> str:
    inside = [row for row in summary.operations if row.for_io and row.kind in (COMMUNICATE, WAIT)]
    seconds = sum(row.total_s for row in inside if row.interface == "MPI")
    return f", {format_seconds(seconds)} of it in MPI calls" if library == "MPI-IO" and seconds else ""

"""Time in a library that is not in the calls inside it: communication, waiting for other ranks, locks."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.layers import LIBRARIES, pairs
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import COMMUNICATE, WAIT
from weir.units import format_share

from ._files import and_more

LIBRARY_SHARE = 0.5
OF_LIBRARY = {"MPI-IO": "tune-mpi-io", "HDF5": "tune-hdf5", "PnetCDF": "tune-pnetcdf"}
"""The remedy where several ranks use it."""


@rule(
    title="Time inside {subject}",
    remedies={
        "ask-for-more": Remedy(
            "ask for more at once", "the library's own work outweighs many small transfers"
        ),
        "tune-mpi-io": Remedy(
            "try hints cb_nodes, cb_buffer_size; fewer, larger collective calls",
            "ranks send data to writers, and wait for them or locks",
        ),
        "tune-hdf5": Remedy(
            "collective metadata, no fill values, few large datasets",
            "HDF5 agrees on metadata, converts types, fills and filters chunks",
        ),
        "tune-pnetcdf": Remedy(
            "join small puts: ncmpi_iput, ncmpi_wait_all",
            "PnetCDF converts and packs data, and agrees with all ranks",
        ),
    },
    speaks=f"at least {format_share(LIBRARY_SHARE)} of the time in a library's reads and writes of a file "
    "is not "
    "in the calls of the next interface below, on the same file",
    source="Weir: more than half, so that the library costs more than the file system",
)
def library_time(summary: TraceSummary) -> Iterator[Answer]:
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
        yield costs(
            "library_time",
            (library, and_more(name, len(found))),
            summary.of_run(sum(one[0] for one in found)),
            OF_LIBRARY[library] if outer.ranks > 1 else "ask-for-more",
            (
                Evidence(f"its reads and writes over {summary.head.all}", whole, "s"),
                Evidence(f"{inner.interface} calls on that file", inner.total_s, "s"),
                Evidence("in the library itself", own / whole, "share"),
                *_communication(summary, library),
            ),
        )


def _communication(summary: TraceSummary, library: str) -> tuple[Evidence, ...]:
    inside = [row for row in summary.operations if row.for_io and row.kind in (COMMUNICATE, WAIT)]
    seconds = sum(row.total_s for row in inside if row.interface == "MPI")
    return (Evidence("in MPI calls inside it", seconds, "s"),) if library == "MPI-IO" and seconds else ()

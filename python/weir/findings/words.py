"""Names of what was done, in the field's words."""

from __future__ import annotations

from collections.abc import Iterable

from weir.counts import count_words
from weir.findings.row import Row
from weir.units import format_bytes

SYNC = {"close": "synced at close", "write": "synced after each write", "never": "not synced"}
CACHE = {
    "drop": "cache dropped",
    "direct": "O_DIRECT",
    "reorder": "by another node",
    "reorder-within-node": "by another rank of the node",
}
LAYOUT = {
    "shared": "shared file",
    "file-per-process": "file per process",
    "shared-directory": "shared directory",
    "private-directory": "directory for each rank",
    "common-file": "common file",
}
INTERFACE = {
    "posix": "POSIX",
    "mpiio": "MPI-IO",
    "null": "null back-end",
    "hdf5": "HDF5",
    "pnetcdf": "PnetCDF",
    "uring": "io_uring",
    "twophase": "two-phase library",
}
MPI_IO = {"ompio": "OMPIO", "romio": "ROMIO"}
METHOD = {
    "two-phase": "two-phase",
    "rank0": "all through rank 0",
    "independent": "each rank its own pieces",
}
BY_APPLICATION = "as the application sees it"
OPENING = {
    "independent": "by every rank",
    "collective": "collective",
    "one-rank": "by one rank for all",
    "broadcast": "by rank 0 with a broadcast",
}


def phase_words(row: Row) -> str:
    """ "write, synced at close" or "read, cache dropped"; "create" where operations are counted."""
    extra: list[str] = []
    if row.application and row.moves:
        extra = [BY_APPLICATION]
    elif row.moves == "write":
        extra = [SYNC.get(row.sync or "", "sync unknown")]
        if row.options.get("direct"):
            extra.append("O_DIRECT")
    elif row.moves == "read":
        extra = [CACHE.get(method, method) for method in row.cache_methods] or ["cache kept"]
    return ", ".join([row.phase, *extra])


def plural_words(row: Row) -> str:
    """What its numbers are of, of several: "writes", "creates"; "multiply results" where no operations are
    counted."""
    return f"{row.direction}s" if row.moves or row.metric.unit == "1/s" else f"{row.direction} results"


def layout_words(row: Row) -> str:
    """ "shared file" or "file per process"; of a benchmark of metadata, what its files lie in."""
    layout = str(row.options.get("layout", "shared"))
    return LAYOUT.get(layout, layout)


def mpi_io_words(row: Row) -> str:
    """ "OMPIO" or "ROMIO"."""
    return MPI_IO.get(row.mpi_io or "", row.mpi_io or "the MPI's own choice")


def backend_words(row: Row) -> str:
    """ "POSIX", "MPI-IO independent", "HDF5 collective"; with a file view where one is used."""
    backend = str(row.options.get("backend", "posix"))
    parts = [INTERFACE.get(backend, backend)]
    together = _together(row)
    if together or (backend == "mpiio" and together is not None):
        parts[0] += " collective" if together else " independent"
    if backend == "mpiio" and row.options.get("file_view"):
        parts.append("file view")
    return ", ".join(parts)


def _together(row: Row) -> bool | None:
    """Do ranks ask together? An application's samples say what became of its method, which is an option of
    the two-phase library's; null where nothing was measured.
    """
    if "collective" in row.options or "method" not in row.options:
        return bool(row.options.get("collective"))
    return next((one.details["collective"] for one in row.records if "collective" in one.details), None)


def way_words(row: Row) -> str:
    """The same, with the implementation of MPI-IO where one was asked for: "MPI-IO collective, ROMIO"."""
    return ", ".join([backend_words(row), *([mpi_io_words(row)] if row.mpi_io else [])])


def opening_words(row: Row) -> str:
    """Who opens a common file, and through what: "POSIX by every rank"."""
    opening = str(row.options.get("opening"))
    return f"{interface_words(row)} {OPENING.get(opening, opening)}"


def interface_words(row: Row) -> str:
    """The interface of a benchmark of metadata, with the MPI-IO implementation where one was asked for."""
    interface = str(row.options.get("interface", "posix"))
    name = INTERFACE.get(interface, interface)
    return f"{name} ({mpi_io_words(row)})" if row.mpi_io else name


def method_words(row: Row) -> str:
    """How the two-phase library gets arrays into files: "two-phase", "all through rank 0"; empty where it, or
    another back-end, decides that.
    """
    method = str(row.options.get("method") or "auto")
    if method == "auto" or row.options.get("backend", "twophase") != "twophase":
        return ""
    return METHOD.get(method, method)


def data_words(row: Row) -> str:
    """How much data the phase moves."""
    if row.data_bytes is None:
        return "unknown"
    return format_bytes(row.data_bytes) if row.data_bytes else "none"


def setting_words(row: Row) -> str:
    """What was measured, without the phase: ranks, transfer size, layout, interface."""
    options = row.options
    parts = [count_words(row.ranks, "rank")]
    if row.options.get("cells"):
        parts.append(f"{str(options['cells']).replace('x', ' x ')} cells")
    if options.get("transfer") is not None:
        parts.append(f"{format_bytes(options['transfer'])} transfers")
    if options.get("files") and "transfer" not in options:
        parts.append(count_words(options["files"], "file"))
    if "layout" in options:
        parts.append(layout_words(row))
    if options.get("layout") == "common-file":
        parts.append(opening_words(row))
    elif "interface" in options:
        parts.append(interface_words(row))
    if "backend" in options and not _without_files(row):
        parts.append(way_words(row))
    parts.append(method_words(row))
    return ", ".join(filter(None, parts))


def _without_files(row: Row) -> bool:
    return row.application and bool(row.records) and all(one.backend is None for one in row.records)


def join_words(parts: Iterable[str]) -> str:
    """ "a, b and c"."""
    words = list(parts)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

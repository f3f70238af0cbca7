"""Names of what was done, in the field's words."""

from __future__ import annotations

from collections.abc import Iterable

from weir.findings.quantity import count_words
from weir.findings.row import Row
from weir.units import format_bytes

SYNC = {"close": "synced at close", "write": "synced after each write", "never": "not synced"}
CACHE = {
    "drop": "cache dropped",
    "direct": "O_DIRECT",
    "reorder": "by another node",
    "reorder-within-node": "by another rank of the node",
}
LAYOUT = {"shared": "shared file", "file-per-process": "file per process"}
BACKEND = {"posix": "POSIX", "mpiio": "MPI-IO", "null": "null back-end", "hdf5": "HDF5", "pnetcdf": "PnetCDF"}


def phase_words(row: Row) -> str:
    """ "write, synced at close" or "read, cache dropped"; "create" where operations are counted."""
    extra: list[str] = []
    if row.moves == "write":
        extra = [SYNC.get(row.sync or "", "sync unknown")]
        if row.options.get("direct"):
            extra.append("O_DIRECT")
    elif row.moves == "read":
        extra = [CACHE.get(method, method) for method in row.cache_methods] or ["cache kept"]
    return ", ".join([row.phase, *extra])


def layout_words(row: Row) -> str:
    """ "shared file" or "file per process"."""
    layout = str(row.options.get("layout", "shared"))
    return LAYOUT.get(layout, layout)


def backend_words(row: Row) -> str:
    """ "POSIX", "MPI-IO independent", "MPI-IO collective"; with a file view where one is used."""
    backend = str(row.options.get("backend", "posix"))
    name = BACKEND.get(backend, backend)
    if backend == "mpiio":
        name += " collective" if row.options.get("collective") else " independent"
        if row.options.get("file_view"):
            name += ", file view"
    return name


def data_words(row: Row) -> str:
    """How much data the phase moves."""
    if row.data_bytes is None:
        return "unknown"
    return format_bytes(row.data_bytes) if row.data_bytes else "none"


def setting_words(row: Row) -> str:
    """What was measured, without the phase: ranks, transfer size, layout, back-end."""
    transfer = row.options.get("transfer")
    parts = [count_words(row.ranks, "rank")]
    if transfer is not None:
        parts.append(f"{format_bytes(transfer)} transfers")
    return ", ".join([*parts, layout_words(row), backend_words(row)])


def join_words(parts: Iterable[str]) -> str:
    """ "a, b and c"."""
    words = list(parts)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

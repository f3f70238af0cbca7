"""A library moves more bytes than it was asked for."""

from collections.abc import Iterator

from weir.explain.remark import Remark
from weir.explain.summary import Summary
from weir.units import format_bytes

LIBRARIES = ("MPI-IO", "HDF5", "PNETCDF")
TIMES = 1.2
LEAST_BYTES = 1 << 20
SIEVING = "Use collective calls, or turn data sieving off (hints romio_ds_read, romio_ds_write = disable)."
CHUNKS = {
    "read": "Choose chunks that fit what is read at once, and a cache that holds them (H5Pset_chunk_cache).",
    "write": "Align datasets and chunks to what is written at once.",
}


def remarks(summary: Summary) -> Iterator[Remark]:
    """Reads of the system in a run that asks for writes alone, or a fifth more bytes than asked for."""
    bytes_of = {(row.interface, row.kind): row.bytes for row in summary.transfers}
    for interface in LIBRARIES:
        asked = {kind: bytes_of.get((interface, kind), 0) for kind in ("read", "write")}
        if sum(asked.values()) == 0:
            continue
        for kind, advice in CHUNKS.items():
            moved = _inside(summary, kind)
            more = moved - asked[kind] >= LEAST_BYTES
            if more and moved > TIMES * asked[kind] and moved > sum(asked.values()) // 10:
                yield Remark(
                    f"{interface} was asked to {kind} {format_bytes(asked[kind])}; {format_bytes(moved)} "
                    "were moved to that end" + (", reading before writing." if asked[kind] == 0 else "."),
                    SIEVING if (interface, kind) == ("MPI-IO", "read") else advice,
                )
        return  # what lies further inside is the same bytes again


def _inside(summary: Summary, kind: str) -> int:
    """Bytes that the system moved inside calls of libraries."""
    return sum(
        row.bytes
        for row in summary.operations
        if row.for_io and row.interface == "POSIX" and row.kind == kind
    )

"""A library moves more bytes than it was asked for."""

from collections.abc import Iterator

from weir.explain.remark import Remark
from weir.explain.summary import Summary
from weir.units import format_bytes

LIBRARIES = ("MPI-IO", "HDF5", "PNETCDF")
TIMES = 1.2


def remarks(summary: Summary) -> Iterator[Remark]:
    """Reads of the system during a run that asks for writes alone, or a fifth more bytes than asked for."""
    bytes_of = {(row.interface, row.kind): row.bytes for row in summary.transfers}
    for interface in LIBRARIES:
        asked = {kind: bytes_of.get((interface, kind), 0) for kind in ("read", "write")}
        inside = {kind: _inside(summary, kind) for kind in ("read", "write")}
        if sum(asked.values()) == 0:
            continue
        if asked["read"] == 0 and inside["read"] > asked["write"] // 10:
            yield Remark(
                f"{interface} was asked to write {format_bytes(asked['write'])} and to read nothing; it read "
                f"{format_bytes(inside['read'])} (data sieving: read, change, write back).",
                "Use collective calls, or turn data sieving off for writing (romio_ds_write=disable).",
            )
        elif inside["write"] > TIMES * asked["write"] > 0:
            yield Remark(
                f"{interface} was asked to write {format_bytes(asked['write'])}; "
                f"{format_bytes(inside['write'])} went to the system."
            )
        return  # what lies further inside is the same bytes again


def _inside(summary: Summary, kind: str) -> int:
    """Bytes that the system moved inside calls of libraries."""
    return sum(
        row.bytes
        for row in summary.operations
        if row.for_io and row.interface == "POSIX" and row.kind == kind
    )

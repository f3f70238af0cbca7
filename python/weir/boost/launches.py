"""What the library writes at the end of each launch of ranks, as JSON: src/boost/launch_report.cpp."""

from __future__ import annotations

from pathlib import Path

import msgspec

from weir.bounded_parsing import MIB, decode_json
from weir.files.plain import read_plain

SCHEMA = 1


class Launch(msgspec.Struct, frozen=True):
    """What all ranks of a launch did: counts are sums, times those of a rank."""

    schema: int
    ranks: int | None
    calls: dict[str, int] = {}
    """Collective ones: those taken over as `taken`, those left to MPI by reason."""
    pieces: int = 0
    requests: int = 0
    taken_s: float = 0
    left_s: float = 0
    around_s: float = 0
    independent_calls: int = 0
    independent_bytes: int = 0
    independent_s: float = 0
    independent_ranks: int = 0
    hdf5: bool = False
    pnetcdf: str | None = None
    """The version that is loaded."""
    pnetcdf_has_own_driver: bool = False
    other_mpi: str | None = None
    """That of the program, if the library was built for another."""

    @property
    def taken(self) -> int:
        """Collective calls that were taken over."""
        return self.calls.get("taken", 0)

    @property
    def collective(self) -> int:
        """All collective calls."""
        return sum(self.calls.values())

    @property
    def io_s(self) -> float:
        """Of a rank, in collective calls and all that makes them possible."""
        return self.taken_s + self.left_s + self.around_s


def read_launches(folder: Path) -> tuple[Launch, ...]:
    """Those that left their report in the folder, in no order. Raises WeirError and OSError for what cannot
    be read, msgspec.DecodeError for what is no report."""
    found = tuple(
        decode_json(read_plain(path, MIB), type=Launch) for path in sorted(folder.glob("[!.]*.json"))
    )
    if any(one.schema != SCHEMA for one in found):
        raise msgspec.DecodeError("it is a report of another version")
    return found

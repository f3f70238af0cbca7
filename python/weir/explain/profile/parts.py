"""What kinds of calls a profile tells apart."""

from dataclasses import dataclass

from weir.explain.nesting import NOT_IO
from weir.trace.model import MARK, OPEN
from weir.trace.names import Call

COMPUTING, MPI, MPI_FOR_IO, OPENS, OTHER = "computing", "MPI", "MPI for I/O", "opens", "other calls"
LIBRARIES = {
    "HDF5": "HDF5",
    "PnetCDF": "PnetCDF",
    "MPI-IO": "MPI-IO",
    "POSIX": "POSIX I/O",
    "STDIO": "stdio",
}
"""What is said of the calls of an interface."""
KINDS = (COMPUTING, MPI, MPI_FOR_IO, *LIBRARIES.values(), OPENS, OTHER)
"""In the order of tables and pictures."""


@dataclass(frozen=True)
class Part:
    """A line of a profile."""

    kind: str
    call: str = ""
    """The call of MPI."""

    @property
    def words(self) -> str:
        """The line's name."""
        if self.kind not in (MPI, MPI_FOR_IO):
            return self.kind
        inside = " (for I/O)" if self.kind == MPI_FOR_IO else ""
        return f"{self.call or 'other MPI calls'}{inside}"


def part_of(call: Call, *, inside_io: bool) -> Part | None:
    """The part that a call's own time belongs to; None for marks, which take none."""
    if call.kind == MARK:
        return None
    if call.interface == "MPI":
        return Part(MPI_FOR_IO if inside_io else MPI, call.name)
    if call.kind == OPEN and call.interface not in NOT_IO:
        return Part(OPENS)
    return Part(LIBRARIES.get(call.interface, OTHER))

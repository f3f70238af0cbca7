"""What a case would do, worked out by `weir-core describe` without doing it."""

import msgspec

from weir.pattern import Pattern


class Totals(msgspec.Struct):
    """What a case asks for, all ranks together; unknown is None."""

    bytes_written: int | None = None
    bytes_read: int | None = None
    operations: int | None = None
    files: int | None = None
    bytes_on_disk: int | None = None
    cached_bytes: int | None = None
    """The most that it can bring into the page cache, whatever time it has."""
    memory_bytes_per_rank: int | None = None
    time_bound_s: float | None = None
    """The most that its phases' time limits let it take; None if one has none."""


class Piece(msgspec.Struct):
    """A contiguous run of one rank's bytes in a file."""

    file: str
    offset: int
    length: int
    rank: int


class Geometry(msgspec.Struct):
    """Which rank's bytes lie where, in the order of the files."""

    phase: str = ""
    complete: bool = True
    pieces: list[Piece] = []


class Description(msgspec.Struct):
    """The answer for one case."""

    case: str
    ranks: int = 1
    totals: Totals = msgspec.field(default_factory=Totals)
    geometry: Geometry | None = None
    pattern: Pattern | None = None

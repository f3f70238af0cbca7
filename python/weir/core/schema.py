"""What `weir-core` can do, and what a case would do, as it says itself; see docs/reference/protocol.md."""

from functools import cached_property
from typing import Any

import msgspec

from weir.core.front_options import front_of
from weir.core.option import Option
from weir.pattern import Pattern

PROTOCOL = 1
"""The schema of what goes to `weir-core` and of its answers."""


class Benchmark(msgspec.Struct, dict=True):
    """A benchmark and its options."""

    name: str
    summary: str = ""
    options: list[Option] = []

    def option(self, name: str) -> Option | None:
        """The option of that name, of the core or the front end; None if there is none."""
        return self._by_name.get(name)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Of each option."""
        return {option.name: option.default for option in self.options}

    @property
    def names(self) -> list[str]:
        """Of all its options."""
        return list(self._by_name)

    @cached_property
    def _by_name(self) -> dict[str, Option]:
        own = {option.name: option for option in self.options}
        return {option.name: option for option in front_of(own)} | own


class Backend(msgspec.Struct):
    """A way to reach the storage."""

    name: str
    summary: str = ""
    library: str | None = None
    options: list[str] = []
    collective: bool = True
    """Has it collective calls?"""


class MissingBackend(msgspec.Struct):
    """A back-end that this build lacks, and why."""

    name: str
    reason: str = ""


class Schema(msgspec.Struct):
    """All that a `weir-core` can do."""

    version: str
    build: dict[str, Any] = {}
    benchmarks: list[Benchmark] = []
    backends: list[Backend] = []
    backends_left_out: list[MissingBackend] = []

    def benchmark(self, name: str) -> Benchmark | None:
        """The benchmark of that name; None if there is none."""
        return next((benchmark for benchmark in self.benchmarks if benchmark.name == name), None)


class Totals(msgspec.Struct):
    """What a case asks for, summed over all ranks; unknown is None."""

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


class Description(msgspec.Struct, dict=True):
    """The answer for one case."""

    case: str
    ranks: int = 1
    totals: Totals = msgspec.field(default_factory=Totals)
    geometry: Geometry | None = None
    written: msgspec.Raw = msgspec.field(default=msgspec.Raw(b"null"), name="pattern")
    """Its pattern as it came: of very many cases, few are looked at."""

    @cached_property
    def pattern(self) -> Pattern | None:
        """Null for a case that has none. Raises msgspec.ValidationError for what is none."""
        return msgspec.json.decode(self.written, type=Pattern | None)


class DescriptionLine(Description, tag_field="kind", tag="description"):
    """The line that holds one."""

    schema: int = 0

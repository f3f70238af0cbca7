"""What `weir-core` can do, as it says itself; see docs/reference/protocol.md."""

from typing import Any

import msgspec


class Option(msgspec.Struct):
    """One option of a benchmark, declared once, in the core."""

    name: str
    type: str
    unit: str | None = None
    default: Any = None
    min: float | None = None
    max: float | None = None
    choices: list[str] | None = None
    group: str | None = None
    help: str = ""
    alias: str | None = None
    """A word that one of the choices had before."""


class Benchmark(msgspec.Struct):
    """A benchmark and its options."""

    name: str
    summary: str = ""
    options: list[Option] = []

    def option(self, name: str) -> Option | None:
        """The option of that name; None if there is none."""
        return next((option for option in self.options if option.name == name), None)


class Backend(msgspec.Struct):
    """A way to reach the storage."""

    name: str
    summary: str = ""
    library: str | None = None
    options: list[str] = []
    collective: bool = True
    """Has it calls that all ranks make together?"""


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

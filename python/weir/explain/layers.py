"""A file's time by interface: each library's time contains that of those below."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .summary import FileRow, TraceSummary

LIBRARIES = ("PnetCDF", "HDF5", "MPI-IO")
ORDER = (*LIBRARIES, "POSIX", "STDIO")
"""From the outside inwards; libraries upon other libraries come first."""
WHOLE = 0.8
"""An interface is a file's outermost one if it has that much of the file's longest time: a log may have some
modules for part of the run only."""


@dataclass
class Layer:
    """All rows of a file through one interface: its own, and its datasets'."""

    interface: str
    rows: list[FileRow] = field(default_factory=list)

    def sum(self, name: str) -> float:
        """Of a field."""
        return sum(getattr(row, name) or 0 for row in self.rows)

    @property
    def total_s(self) -> float:
        """In all calls."""
        return self.sum("total_s")

    @property
    def ranks(self) -> int:
        """That used it."""
        return max(row.ranks for row in self.rows)


@dataclass
class LayeredFile:
    """A file with all interfaces through which it was used."""

    name: str
    layers: dict[str, Layer] = field(default_factory=dict)

    @property
    def in_order(self) -> list[Layer]:
        """From the outside inwards."""
        return sorted(self.layers.values(), key=lambda layer: _place(layer.interface))

    @property
    def outermost(self) -> Layer:
        """The one whose time is the file's."""
        longest = max(self.in_order, key=lambda layer: layer.total_s)
        whole = (layer for layer in self.in_order if layer.total_s >= WHOLE * longest.total_s)
        return next(whole, longest)  # a damaged log has times below zero

    def below(self, interface: str) -> Layer | None:
        """The next one inwards; None where there is none."""
        inside = [layer for layer in self.in_order if _place(layer.interface) > _place(interface)]
        return next(iter(inside), None)


def _place(interface: str) -> int:
    return ORDER.index(interface) if interface in ORDER else len(ORDER)


def layered(files: Iterable[FileRow]) -> list[LayeredFile]:
    """The rows by file and interface; files in the order of their first rows."""
    found: dict[str, LayeredFile] = {}
    for row in files:
        file = found.setdefault(row.file, LayeredFile(row.file))
        file.layers.setdefault(row.interface, Layer(row.interface)).rows.append(row)
    return list(found.values())


def pairs(summary: TraceSummary, interface: str) -> Iterator[tuple[LayeredFile, Layer, Layer]]:
    """Files used through this library, with its layer and the next one inwards."""
    for file in layered(summary.files):
        outer = file.layers.get(interface)
        inner = file.below(interface)
        if outer is not None and inner is not None:
            yield file, outer, inner

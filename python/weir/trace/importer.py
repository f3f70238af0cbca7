"""What an importer of another tool's logs is, and where importers are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from weir.registry import Registry

if TYPE_CHECKING:
    from weir.trace.model import Trace

HEAD_BYTES = 512
"""So many bytes of a file are enough to recognise it."""


@dataclass(frozen=True)
class Imported:
    """A log that was read."""

    trace: Trace
    """The calls that it has one by one; no lanes where it only counts."""
    log: Any = None
    """What it counts besides its calls, for the module of `weir.explain.log_tables` that shows it."""


class Importer(ABC):
    """Reads one tool's logs. Subclasses register with `@importer`."""

    what: ClassVar[str]
    """What it reads, in words."""

    @abstractmethod
    def recognises(self, begin: bytes) -> bool:
        """Does a file that begins so belong to the tool? The file's name says nothing."""

    @abstractmethod
    def read(self, path: Path) -> Imported:
        """Read a log. Raises WeirError if it is damaged, or what reads it is not installed."""


_importers = Registry[type[Importer]]("weir.trace.importers", "importer")


def importer(kind: type[Importer]) -> type[Importer]:
    """Class decorator: make the importer known."""
    return _importers.register(kind.__module__)(kind)


def importers() -> Iterator[Importer]:
    """One of each; every module of `weir.trace.importers` registers its own."""
    return (kind() for kind in _importers.all().values())


def open_trace_file(path: Path) -> BinaryIO:
    """The file, open for reading. Raises WeirError if it is none, or cannot be opened."""
    from weir.files.named import open_named  # noqa: PLC0415 - `weir --help` reads nothing, and is quick

    return open_named(path, "the trace", "name what `weir trace` or `weir pack` made, or another tool's log")


def importer_of(path: Path) -> Importer | None:
    """The importer that recognises the file; None where none does, or it is a folder. Raises WeirError if it
    cannot be opened."""
    if path.is_dir():
        return None
    with open_trace_file(path) as file:
        begin = file.read(HEAD_BYTES)
    return next((one for one in importers() if one.recognises(begin)), None)

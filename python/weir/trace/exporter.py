"""What an export format of traces is, and where they are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from weir.registry import Registry

if TYPE_CHECKING:
    from weir.trace.model import Trace


class Exporter(ABC):
    """A format. Subclasses register with `@exporter(NAME)`."""

    is_text: ClassVar[bool] = True

    def prepare(self) -> None:  # noqa: B027 (most formats need nothing)
        """Find what is needed. Raises WeirError if something is missing."""

    @abstractmethod
    def write(self, trace: Trace, out: BinaryIO) -> None:
        """Write every call of the trace to an open file, in memory that does not grow with their number."""


_exporters = Registry[type[Exporter]]("weir.trace.exporters", "format of traces")
exporter = _exporters.register
"""Class decorator: make the format known under the name, which is that of its module."""
exporter_names = _exporters.modules


def find_exporter(name: str) -> Exporter:
    """A new exporter of that format. Raises WeirError if there is none."""
    return _exporters.find(name)()

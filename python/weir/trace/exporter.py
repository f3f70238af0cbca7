"""What an export format of traces is, and where they are found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, ClassVar

import weir.trace.exporters as package
from weir.errors import WeirError

if TYPE_CHECKING:
    from weir.trace.model import Trace


class Exporter(ABC):
    """A format. Subclasses register with `@exporter(NAME)`."""

    name: ClassVar[str]
    is_text: ClassVar[bool] = True

    def prepare(self) -> None:  # noqa: B027 (most formats need nothing)
        """Find what is needed. Raises WeirError if something is missing."""

    @abstractmethod
    def write(self, trace: Trace, out: BinaryIO) -> None:
        """Write every call of the trace to an open file, in memory that does not grow with their number."""


_exporters: dict[str, type[Exporter]] = {}


def exporter(name: str) -> Callable[[type[Exporter]], type[Exporter]]:
    """Class decorator: make the format known under the name, which is that of its module."""

    def register(kind: type[Exporter]) -> type[Exporter]:
        kind.name = name
        _exporters[name] = kind
        return kind

    return register


def exporter_names() -> list[str]:
    """All formats; each is a module of `weir.trace.exporters` called like it. Imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def find_exporter(name: str) -> Exporter:
    """A new exporter of that format. Raises WeirError if there is none."""
    if name not in exporter_names():
        raise WeirError(f"no trace is exported as '{name}'", "", f"use one of: {', '.join(exporter_names())}")
    importlib.import_module(f"{package.__name__}.{name}")
    return _exporters[name]()

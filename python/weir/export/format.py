"""What an export format is, and where formats are found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, ClassVar

import weir.export.formats as package
from weir.errors import WeirError

if TYPE_CHECKING:
    from weir.export.source import Source


@dataclass(frozen=True)
class Written:
    """What was written: which table and how many rows; the reason where there were none."""

    what: str
    rows: int
    empty_because: str = ""


class Format(ABC):
    """A format. Subclasses register with `@export_format(NAME)`."""

    name: ClassVar[str]
    is_text: ClassVar[bool] = True

    def prepare(self, table: str | None) -> None:  # noqa: B027 (most formats need nothing)
        """Find what is needed. Raises WeirError if something is missing, or the table cannot be had."""

    @abstractmethod
    def write(self, source: Source, table: str | None, out: BinaryIO) -> Written:
        """Write the run, or a table of it, to an open file; None leaves the table to the format."""


_formats: dict[str, type[Format]] = {}


def export_format(name: str) -> Callable[[type[Format]], type[Format]]:
    """Class decorator: make the format known under the name, which is that of its module."""

    def register(kind: type[Format]) -> type[Format]:
        kind.name = name
        _formats[name] = kind
        return kind

    return register


def format_names() -> list[str]:
    """All formats; each is a module of `weir.export.formats` called like it. Imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def find_format(name: str) -> Format:
    """A new format of that name. Raises WeirError if there is none."""
    if name not in format_names():
        raise WeirError(f"there is no format '{name}'", "", f"use one of: {', '.join(format_names())}")
    importlib.import_module(f"{package.__name__}.{name}")
    return _formats[name]()

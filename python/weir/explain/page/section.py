"""A part of the page: a title, what must be known, a picture, tables; and where all parts are found."""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

import weir.explain.page.sections as package
from weir.explain.summary import Summary


@dataclass(frozen=True)
class Table:
    """Cells in words. A heading that begins with ">" is of numbers, which stand to the right; with "~", of
    long words."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """Below it: what it leaves out."""


@dataclass(frozen=True)
class Section:
    """`place` orders the page."""

    place: int
    name: str
    title: str
    words: str = ""
    picture: Markup | None = None
    tables: tuple[Table, ...] = ()


def sections_of(summary: Summary) -> list[Section]:
    """All parts that the summary suffices for, in order."""
    modules = (
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
    )
    found = (module.section(summary) for module in modules)
    return sorted((one for one in found if one is not None), key=lambda one: one.place)

"""The questions that a study can ask of its rows: each has a finding, and a figure by its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import weir.questions as package
from weir.figures.drawing import Card, Drawing
from weir.results.row import Row

Figure = Callable[[list[Row], Card], Drawing | None]

_figures: dict[str, Figure] = {}


def figure(name: str) -> Callable[[Figure], Figure]:
    """Registers a figure under the name that studies use.

    The function gets the rows of the comparisons that ask for it and the machine card, and returns null
    where the rows do not suffice for a figure.
    """

    def register(function: Figure) -> Figure:
        _figures[name] = function
        return function

    return register


def import_questions() -> None:
    """Imports all modules of this package, which then have registered their figures and rules."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def figure_names() -> list[str]:
    """All figures that there are."""
    import_questions()
    return sorted(_figures)


def draw_one(name: str, rows: list[Row], card: Card) -> Drawing | None:
    """One figure by its name; null where the rows do not suffice, or there is no such figure."""
    return _figures[name](rows, card) if rows and name in figure_names() else None

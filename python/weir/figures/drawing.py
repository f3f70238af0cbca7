"""What a figure is, and the list of all figures."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import weir.figures as package
from weir.findings.finding import Finding
from weir.findings.row import Row

Spec = dict[str, Any]
Card = Mapping[str, Any]


@dataclass(frozen=True)
class Panel:
    """A Vega-Lite spec with the title that stands above it; empty where the drawing has but one panel."""

    title: str
    spec: Spec


@dataclass(frozen=True)
class Drawing:
    """A figure drawn from rows: its panels stand side by side, on equal vertical axes."""

    name: str
    finding: Finding
    panels: tuple[Panel, ...]


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


def names() -> list[str]:
    """All figures that there are."""
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_") and module.name not in ("drawing", "export"):
            importlib.import_module(f"{package.__name__}.{module.name}")
    return sorted(_figures)


def draw(rows_by_figure: Mapping[str, list[Row]], card: Card) -> list[Drawing]:
    """All figures that the rows suffice for, in the order in which the study asks for them."""
    drawings = [draw_one(name, rows, card) for name, rows in rows_by_figure.items()]
    return [drawing for drawing in drawings if drawing is not None]


def draw_one(name: str, rows: list[Row], card: Card) -> Drawing | None:
    """One figure by its name; null where the rows do not suffice, or there is no such figure."""
    return _figures[name](rows, card) if rows and name in names() else None

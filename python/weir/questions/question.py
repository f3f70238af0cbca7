"""The questions that a study can ask of its rows: each has a finding, and a figure by its name."""

import importlib
import pkgutil
from collections.abc import Callable

import weir.questions as package
from weir.figures.drawing import Card, Drawing, Finding, Panel
from weir.results.row import Row

Judge = Callable[[list[Row], Card], Finding | None]
Panels = Callable[[list[Row], Card], list[Panel]]

_figures: dict[str, tuple[Judge, Panels]] = {}


def figure(name: str, judge: Judge) -> Callable[[Panels], Panels]:
    """Registers a figure under the name that studies use.

    Both functions get the rows of the comparisons that ask for it and the machine card: `judge` gives what
    they say, or null where they do not suffice; the one that is decorated then draws them.
    """

    def register(panels: Panels) -> Panels:
        _figures[name] = judge, panels
        return panels

    return register


def import_questions() -> None:
    """Imports all modules of this package, which then have registered their figures and rules."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def figure_names() -> list[str]:
    """All figures that there are."""
    import_questions()
    return sorted(_figures)


def draw(name: str, rows: list[Row], card: Card) -> Drawing | None:
    """One figure by its name; null where the rows do not suffice, or there is no such figure."""
    if not rows or name not in figure_names():
        return None
    judge, panels = _figures[name]
    finding = judge(rows, card)
    return Drawing(name, finding, tuple(panels(rows, card))) if finding else None

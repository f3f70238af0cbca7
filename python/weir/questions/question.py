"""The questions that a study can ask of its rows: each has a finding, and a figure by its name."""

from collections.abc import Callable
from dataclasses import replace

from weir.answers.answer import Answer
from weir.figures.figure import Card, Drawing, Finding, Panel
from weir.registry import Registry
from weir.results.row import Row

Judge = Callable[[list[Row], Card], Finding | None]
Panels = Callable[[list[Row], Card], list[Panel]]

_figures = Registry[tuple[Judge, Panels]]("questions", "figure")


def figure(name: str, judge: Judge) -> Callable[[Panels], Panels]:
    """Registers a figure under the name that studies use.

    Both functions get the rows of the comparisons that ask for it and the machine card: `judge` gives what
    they say, or null where they do not suffice; the one that is decorated then draws them.
    """

    def register(panels: Panels) -> Panels:
        _figures.register(name)((judge, panels))
        return panels

    return register


def figure_names() -> list[str]:
    """All figures that there are."""
    return list(_figures.all())


def judge(name: str, rows: list[Row], card: Card) -> Finding | None:
    """What the rows say about a figure's question, without drawing it; null as for draw()."""
    finding = _figures.find(name)[0](rows, card) if rows and name in figure_names() else None
    return finding and replace(finding, answers=tuple(_named(one, name) for one in finding.answers))


def _named(answer: Answer, figure: str) -> Answer:
    """The answer with the question that its figure asks, where a judge serves several."""
    return replace(answer, question=answer.question or figure, figure=figure)


def draw(name: str, rows: list[Row], card: Card) -> Drawing | None:
    """One figure by its name; null where the rows do not suffice, or there is no such figure."""
    finding = judge(name, rows, card)
    return Drawing(name, finding, tuple(_figures.find(name)[1](rows, card))) if finding else None

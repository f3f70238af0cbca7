"""The questions that a study can ask of its rows: each has a finding, and a figure by its name."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from weir.answers.answer import Answer
from weir.figures.figure import Card, Drawing, Finding, Panel
from weir.registry import Registry
from weir.results.row import Row

Judge = Callable[[list[Row], Card], Finding | None]
Panels = Callable[[list[Row], Card], list[Panel]]


@dataclass(frozen=True)
class Figure:
    """`title`: of its answers, "Request size"; `asks`: its question, in twelve words at most."""

    judge: Judge
    panels: Panels
    title: str
    asks: str


_figures = Registry[Figure]("questions", "figure")


def figure(name: str, judge: Judge, title: str, asks: str) -> Callable[[Panels], Panels]:
    """Registers a figure under the name that studies use.

    Both functions get the rows of the comparisons that ask for it and the machine card: `judge` gives what
    they say, or null where they do not suffice; the one that is decorated then draws them.
    """

    def register(panels: Panels) -> Panels:
        _figures.register(name)(Figure(judge, panels, title, asks))
        return panels

    return register


def figures() -> dict[str, Figure]:
    """All that there are, by their names."""
    return _figures.all()


def figure_names() -> list[str]:
    """Their names."""
    return list(figures())


def judge(name: str, rows: list[Row], card: Card) -> Finding | None:
    """What the rows say about a figure's question, without drawing it; null as for draw()."""
    if not rows or name not in figure_names():
        return None
    figure = _figures.find(name)
    finding = figure.judge(rows, card)
    answers = finding.answers if finding else ()
    return finding and replace(finding, answers=tuple(_named(one, name, figure.title) for one in answers))


def _named(answer: Answer, figure: str, title: str) -> Answer:
    """The answer with the question that its figure asks, where a judge serves several."""
    return replace(answer, question=answer.question or figure, title=answer.title or title, figure=figure)


def draw(name: str, rows: list[Row], card: Card) -> Drawing | None:
    """One figure by its name; null where the rows do not suffice, or there is no such figure."""
    finding = judge(name, rows, card)
    if finding is None:
        return None
    figure = _figures.find(name)
    return Drawing(name, finding, tuple(figure.panels(rows, card)), figure.asks)

"""The figures that the sides' studies have in common, with a curve for each side."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from weir.compare.comparison import Comparison
from weir.compare.sides import SideRun
from weir.figures.figure import Drawing
from weir.questions.question import draw
from weir.results.row import Row

SIDE = "of"
"""The option by which curves are told apart; no benchmark has one of that name."""
MOST_SIDES = 4


def overlaid(comparison: Comparison) -> list[Drawing]:
    """Each figure that the reference and another side ask for, of the last run of each side; those that
    cannot be drawn of all their rows together are left out."""
    first = comparison.compared[0]
    sides = {first.names[0]: first.reference.last}
    sides |= {one.names[1]: one.side.last for one in comparison.compared[: MOST_SIDES - 1]}
    drawn = (draw(name, rows, {}) for name, rows in _rows_by_figure(sides))
    return [replace(one, name=f"overlaid-{one.name}") for one in drawn if one and one.panels]


def _rows_by_figure(sides: Mapping[str, SideRun]) -> Iterator[tuple[str, list[Row]]]:
    reference, *others = sides.values()
    for figure in reference.figures:
        if any(figure in other.figures for other in others):
            yield figure, [row for name, run in sides.items() for row in _named(name, figure, run)]


def _named(name: str, figure: str, run: SideRun) -> Iterator[Row]:
    """The side's rows of a figure, as those of a case that differs from other sides' in an option."""
    asking = run.figures.get(figure, ())
    for row in run.rows:
        if set(row.comparisons) & set(asking):
            yield replace(row, options={**row.options, SIDE: name})

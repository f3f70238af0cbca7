"""The figures of a comparison in which machines of papers take part: studies name none for these."""

from collections.abc import Mapping, Sequence

from weir.compare.comparison import Comparison
from weir.figures.encoding import MOST_SERIES
from weir.figures.figure import Drawing, Finding
from weir.ratios.curves import curve_panels
from weir.ratios.questions.ratios import share_panels
from weir.ratios.systems import Share, normalised, system_of
from weir.results.row import Row

FIGURE_5 = "How is each machine balanced, the best being 1?"
FIGURES_1_TO_4 = "What do network and memory move for each operation of HPL?"


def figures_beside_printed(comparison: Comparison) -> list[Drawing]:
    """Figures 1 to 5 of all sides; nothing where none is printed, or fewer than two have a balance."""
    first = comparison.compared[0]
    sides = {first.names[0]: first.reference.last.rows}
    sides |= {one.names[1]: one.side.last.rows for one in comparison.compared[: MOST_SERIES - 1]}
    if not any(row.place for rows in sides.values() for row in rows):
        return []
    return [*_balance(sides), *_over_hpl(sides)]


def _balance(sides: Mapping[str, Sequence[Row]]) -> list[Drawing]:
    systems = [one for name, rows in sides.items() if (one := system_of(name, rows)).rows]
    return [figure_5("sides-ratios", normalised(systems))] if len(systems) > 1 else []


def figure_5(name: str, shares: Sequence[Share]) -> Drawing:
    """How each of several systems is balanced."""
    return Drawing(name, Finding(()), tuple(share_panels(shares)), FIGURE_5)


def _over_hpl(sides: Mapping[str, Sequence[Row]]) -> list[Drawing]:
    panels = curve_panels(sides)
    return [Drawing("sides-over-hpl", Finding(()), tuple(panels), FIGURES_1_TO_4)] if panels else []

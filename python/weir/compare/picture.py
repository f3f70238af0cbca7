"""The pictures of a comparison: a dot for each row by its ratio, and the ratios with their intervals."""

from typing import Any

from weir.answers.words import exact_words
from weir.compare.comparison import Comparison
from weir.compare.first_screen import ratio_of
from weir.compare.naming import groups, name_rows
from weir.compare.rows import sorted_rows
from weir.compare.standings import Verdict
from weir.figures.encoding import LIGHT_SERIES as _SERIES
from weir.figures.encoding import log_ticks, nominal, panel_spec, quantitative
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.figures.ratio_chart import RatioPoint, ratio_chart

MOST = 60
"""Lines with intervals, those that differ most."""
LINE = 52
"""Height of a group, in which dots that are alike stand above each other."""
BINS, MOST_HIGH = 60, 9
"""Along the axis, and so many dots that stand above each other."""
COLOURS = {Verdict.WORSE: 1, Verdict.BETTER: 2, Verdict.SAME: 0, Verdict.OPEN: 6}
"""Places in the range of colours."""
NEAR_TICKS = (0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5)
TITLE = "times as good as the reference"


def dots(comparison: Comparison) -> Drawing | None:
    """All rows that have a ratio; null where none has."""
    several = len(comparison.compared) > 1
    found: list[dict[str, Any]] = []
    for one in comparison.compared:
        name = name_rows(one)
        for group, members in groups(one).items():
            for standing in members:
                ratio = ratio_of(standing)
                if ratio and standing.verdict is not Verdict.OTHER:
                    found.append(
                        {
                            "group": f"{one.names[1]}: {group}" if several else group,
                            "ratio": ratio.times,
                            "verdict": str(standing.verdict),
                            "row": name(standing),
                            "text": exact_words(ratio),
                        }
                    )
    return _drawing("compared", _strip(found)) if found else None


def intervals(comparison: Comparison) -> Drawing | None:
    """The rows that differ most, each with its interval."""
    points = []
    for one in comparison.compared:
        name = name_rows(one)
        told = [standing for standing in sorted_rows(one) if standing.verdict is not Verdict.OTHER]
        for standing in told[:MOST]:
            ratio = ratio_of(standing)
            if ratio:
                ends = ratio.low, ratio.high
                points.append(
                    RatioPoint(name(standing), one.names[1], ratio.times, *ends, exact_words(ratio))
                )
    return _drawing("ratios", ratio_chart(points, TITLE)) if points else None


def _drawing(name: str, spec: Spec) -> Drawing:
    return Drawing(name, Finding(()), (Panel("", spec),), "How many times as good is each row?")


def _strip(found: list[dict[str, Any]]) -> Spec:
    """Dots on a logarithmic axis; those that are alike stand above each other."""
    ratios = [one["ratio"] for one in found]
    low, high = min([0.8, *ratios]) / 1.05, max([1.25, *ratios]) * 1.05
    names = list(dict.fromkeys(one["group"] for one in found))
    taken: dict[tuple[str, int], int] = {}
    for one in found:
        place = one["group"], round(BINS * one["ratio"] / high)
        one["above"] = taken[place] = taken.get(place, -1) + 1
    scale = {"type": "log", "domain": [low, high], "nice": False}
    near = NEAR_TICKS if high / low < 4 else ()
    ticks = sorted({1.0, *(tick for tick in near if low < tick < high), *log_ticks(low, high)})
    axis = {"values": ticks, "format": "~r", "grid": True}
    verdicts = [verdict for verdict in COLOURS if str(verdict) in {one["verdict"] for one in found}]
    colour = nominal(
        "verdict",
        scale={
            "domain": [str(verdict) for verdict in verdicts],
            "range": [_SERIES[COLOURS[verdict]] for verdict in verdicts],
        },
        legend={"title": None, "columns": 4, "symbolOpacity": 1},
    )
    dot = {
        "mark": {"type": "point", "filled": True, "size": 55, "opacity": 0.85},
        "encoding": {
            "x": quantitative("ratio", TITLE, scale=scale, axis=axis),
            "y": nominal("group", sort=names, title=None, axis={"labelLimit": 220, "minExtent": 60}),
            "yOffset": quantitative(
                "above", "", scale={"domain": [-1, MOST_HIGH], "reverse": True}, axis=None
            ),
            "color": colour,
            "tooltip": [{"field": "row"}, {"field": "text", "title": "ratio"}, {"field": "verdict"}],
        },
    }
    one = {
        "data": {"values": [{"one": 1}]},
        "mark": {"type": "rule", "style": "mark-line", "strokeWidth": 1.2},
        "encoding": {"x": {"field": "one", "type": "quantitative"}},
    }
    return panel_spec(LINE * len(names) + 20, found, layer=[one, dot])

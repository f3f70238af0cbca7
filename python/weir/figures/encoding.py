"""What charts share: colours and type, axes, legends, and rows as the data of a spec with all that a tooltip
says."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from weir.analyse.metric import Metric
from weir.figures.figure import Spec
from weir.figures.operation_colours import account_range
from weir.results.quantity_words import interval_words
from weir.results.row import CACHE_EXTENTS, Row, cache_extent, directions, median_of
from weir.results.words import data_words, label_by, phase_words, setting_words
from weir.units import count_words

# Fonts of equal widths: a still is laid out here and shown elsewhere, and its words must not grow meanwhile.
FONT = "'Liberation Sans', Arial, Helvetica, sans-serif"
# Palette: M. Okabe and K. Ito, Color Universal Design (2008), which people with any colour vision can tell
# apart, with grey for its black; for dark paper its darker members give way to lighter ones.
LIGHT = {"ink": "#1c2430", "faint": "#5b6675", "grid": "#e4e8ee", "paper": "#ffffff"}
DARK = {"ink": "#e6eaf0", "faint": "#9aa6b6", "grid": "#2c3644", "paper": "#161c26"}
LIGHT_SERIES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#4d4d4d"]
DARK_SERIES = ["#56B4E9", "#E69F00", "#2ec4a0", "#e39bc2", "#8ecbf0", "#f0c060", "#d9dee6"]

LINE = "#5b6675"
"""Of intervals and grids: seen on light and on dark paper."""


def config(*, dark: bool = False) -> dict[str, Any]:
    """The Vega-Lite `config` of light or dark paper."""
    colours = DARK if dark else LIGHT
    return {
        "background": None if dark else colours["paper"],
        "font": FONT,
        "view": {"stroke": None},
        "range": {
            "category": DARK_SERIES if dark else LIGHT_SERIES,
            "operation": account_range(dark=dark),
        },
        "axis": {
            "domainColor": colours["faint"],
            "tickColor": colours["faint"],
            "gridColor": colours["grid"],
            "labelColor": colours["faint"],
            "titleColor": colours["ink"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
        },
        "axisX": {"grid": False},
        "axisY": {"domain": False, "ticks": False},
        "legend": {
            "labelColor": colours["ink"],
            "titleColor": colours["faint"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "orient": "bottom",
            "direction": "horizontal",
            "columns": 2,
            "labelLimit": 320,
            "symbolSize": 90,
            "rowPadding": 4,
            "columnPadding": 30,
            "layout": {"bottom": {"anchor": "start", "direction": "vertical", "margin": 4}},
        },
        "title": {
            "color": colours["ink"],
            "subtitleColor": colours["faint"],
            "anchor": "start",
            "fontSize": 15,
            "fontWeight": 600,
            "subtitleFontSize": 12,
        },
        "rule": {"color": colours["ink"]},
        "text": {"color": colours["ink"], "fontSize": 11},
        "style": {
            "note": {"fill": colours["faint"], "fontSize": 11},
            "mark-line": {"stroke": colours["faint"]},
        },
    }


LOG_FROM_RATIO = 6.0
SIZE_LABEL = (
    "datum.value >= 1073741824 ? format(datum.value / 1073741824, ',~r') + ' GiB'"
    " : datum.value >= 1048576 ? format(datum.value / 1048576, ',~r') + ' MiB'"
    " : datum.value >= 1024 ? format(datum.value / 1024, ',~r') + ' KiB'"
    " : datum.value >= 1 ? format(datum.value, ',~r') + ' B' : '0 B'"
)


def panel_spec(height: int, values: list[dict[str, Any]], **parts: Any) -> Spec:
    """A panel as wide as the page gives it room."""
    frame = {"width": "container", "height": height, "autosize": {"type": "fit-x", "contains": "padding"}}
    return {**frame, "data": {"values": values}, **parts}


def quantitative(field: str, title: str, **parts: Any) -> dict[str, Any]:
    """The encoding of a number."""
    return {"field": field, "type": "quantitative", "title": title, **parts}


def nominal(field: str, **parts: Any) -> dict[str, Any]:
    """The encoding of a name."""
    return {"field": field, "type": "nominal", **parts}


def series_color(domain: Sequence[str], legend: dict[str, Any] | None) -> dict[str, Any]:
    """A colour a series, the same wherever `domain` is the same."""
    return nominal("series", scale={"domain": domain}, legend=legend)


def filled_unless(flag: str, domain: Sequence[str], **parts: Any) -> dict[str, Any]:
    """The fill of a mark by its series; hollow where the field `flag` is true. `parts`: of the encoding."""
    series = nominal("series", scale={"domain": domain}, **parts)
    return {"condition": {"test": f"!datum.{flag}", **series}, "value": "transparent"}


def size_axis(title: str, values: Sequence[float]) -> dict[str, Any]:
    """A logarithmic axis of sizes in bytes, with a tick at each size measured; the field is "x". What stands
    below 1 counts as no bytes."""
    scale = {"type": "log", "base": 2, "domain": [min(values) / 1.2, max(values) * 1.2], "nice": False}
    ticks = {"values": values, "labelExpr": SIZE_LABEL, "labelOverlap": "greedy", "labelSeparation": 6}
    return quantitative("x", title, scale=scale, axis=ticks)


def ranks_axis(counts: list[int]) -> dict[str, Any]:
    """The same of rank counts."""
    scale = {"type": "log", "base": 2, "domain": [counts[0] / 1.15, counts[-1] * 1.15], "nice": False}
    return quantitative("x", "ranks", scale=scale, axis={"values": counts, "format": ",d"})


TICKS = ",~f"
"""As many decimals as the step between even ticks needs. Significant digits are counted from the greatest
tick, where the drawing program may find one too few: up to 0.12, it writes 0.08, 0.1, 0.1."""


def value_axis(metric: Metric, low: float, high: float, *, from_zero: bool = False) -> dict[str, Any]:
    """An axis in the metric's shown unit: logarithmic where the range spans more than a factor of six, and
    from zero otherwise.
    """
    axis: dict[str, Any] = {"type": "quantitative", "title": f"{metric.noun} ({metric.shown_unit})"}
    if from_zero or low <= 0 or high / low < LOG_FROM_RATIO:
        linear = {"domain": [0, high * 1.08], "nice": True}
        return axis | {"scale": linear, "axis": {"tickCount": 6, "format": TICKS}}
    domain = [low / 1.25, high * 1.25]
    ticks = {"values": log_ticks(*domain), "format": ",~r"}
    return axis | {"scale": {"type": "log", "domain": domain, "nice": False}, "axis": ticks}


def log_ticks(low: float, high: float) -> list[float]:
    steps = (1, 2, 5) if high / low < 3000 else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [tick for decade in decades for step in steps if low <= (tick := step * 10.0**decade) <= high]


SIMULATED = "simulated"
KNOWN, FEW, SUSPECT = "with an interval", "no interval (below 6 samples)", "from the cache, not the device"
CACHED = tuple(f"of the processor's caches{extent}" for extent in CACHE_EXTENTS)
STATES = (KNOWN, FEW, SUSPECT, SIMULATED, *CACHED)
SHAPES = ("circle", "circle", "diamond", "circle", *("square" for _ in CACHED))


def state(row: Row) -> str:
    """How far the number of a row may be believed; suspicion weighs more than few samples."""
    if row.suspect:
        return SUSPECT
    if row.in_caches:
        return CACHED[CACHE_EXTENTS.index(cache_extent([row]))]
    if row.simulated:
        return SIMULATED
    return FEW if row.lacks_interval else KNOWN


def name_curves(rows: list[Row], along: str) -> Callable[[Row], str]:
    """Names curves by their phase and by what varies besides `along`."""
    others = label_by(rows, {along})
    return lambda row: ", ".join(filter(None, [phase_words(row), others(row)]))


def datum(row: Row, **places: Any) -> dict[str, Any]:
    """One row as data; `places` are the fields that say where it is drawn."""
    return {
        **places,
        "median": _shown(row, row.median),
        "low": _shown(row, row.low),
        "high": _shown(row, row.high),
        "state": state(row),
        "what": phase_words(row),
        "where": setting_words(row),
        "data": data_words(row),
        "measured": interval_words(row),
        "n": row.n,
        "flags": ", ".join(row.flags) or "none",
    }


TOOLTIP = [
    {"field": "what", "title": "phase"},
    {"field": "where", "title": "with"},
    {"field": "data", "title": "data moved"},
    {"field": "measured", "title": "median [95 % interval]"},
    {"field": "n", "title": "samples"},
    {"field": "flags", "title": "flags"},
]


def bounds(rows: list[Row]) -> tuple[float, float]:
    """Smallest and largest number drawn, intervals included, in the shown unit; the rows have numbers."""
    lows = [row.low if row.low is not None else median_of(row) for row in rows]
    highs = [row.high if row.high is not None else median_of(row) for row in rows]
    scale = rows[0].metric.scale
    return min(lows) / scale, max(highs) / scale


def _shown(row: Row, value: float | None) -> float | None:
    return None if value is None else float(f"{value / row.metric.scale:.5g}")


MOST_SERIES = len(LIGHT_SERIES)
LONG = 30
"""Letters of a name of which two fit side by side into half a page."""


def legend_of(names: Collection[str]) -> dict[str, Any]:
    """A legend without title, in one column where two have no room."""
    return {"title": None} | ({"columns": 1} if any(len(name) > LONG for name in names) else {})


def _fewest(rows: list[Row]) -> tuple[list[Row], str]:
    """The rows of one direction to draw: all, or of too many those with most ranks, at most MOST_SERIES; and
    a sentence that says what is missing."""
    if len(rows) <= MOST_SERIES:
        return rows, ""
    most = max(row.ranks for row in rows)
    shown = [row for row in rows if row.ranks == most][:MOST_SERIES]
    count = count_words(len(rows), "case")
    return shown, f"The figure shows {len(shown)} of {count}, those with {count_words(most, 'rank')}."


def drawn_by_direction(rows: list[Row]) -> tuple[dict[str, list[Row]], str]:
    """The rows to draw of each direction, and a sentence that says what is missing of the first one of too
    many; else an empty one."""
    found = {name: _fewest([row for row in rows if row.direction == name]) for name in directions(rows)}
    missing = next((words for _, words in found.values() if words), "")
    return {name: part for name, (part, _) in found.items()}, missing

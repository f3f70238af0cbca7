"""Shares of the greatest as bars: a group a quantity, a bar a system, those that do not compare hollow."""

import re
from collections.abc import Sequence
from typing import Any

from weir.answers.quantities import quantity_of
from weir.answers.words import exact_words
from weir.compare.printed_rows import printed_words
from weir.figures.encoding import (
    LINE,
    filled_unless,
    legend_of,
    nominal,
    panel_spec,
    quantitative,
    series_color,
)
from weir.figures.figure import Spec
from weir.network.reach import WITHIN
from weir.ratios.quantities import QUANTITIES, Quantity
from weir.ratios.systems import Share
from weir.results.row import Row
from weir.units import significant

HEIGHT = 280
MOST_LABELLED = 16
"""Bars; of more the numbers would overlap."""
TITLE = "share of the greatest"
LONGEST = 8
"""Letters of a line below a group."""
LEGEND = {"symbolType": "stroke", "symbolStrokeWidth": 8, "symbolOpacity": 1}
LINES = "split(datum.label, '|')"


def bars_chart(shares: Sequence[Share]) -> Spec:
    """The spec of one panel."""
    names = list(dict.fromkeys(one.system.name for one in shares))
    columns = [_lines(name) for name in columns_of(shares).values()]
    highest = max([1.0, *(one.high for one in shares if one.high)])
    y = {
        "scale": {"domain": [0, highest * 1.12], "nice": False},
        "axis": {"values": [0, 0.5, 1], "format": "~r"},
    }
    place: dict[str, Any] = {
        "x": nominal(
            "column",
            sort=columns,
            title=None,
            axis={"labelAngle": 0, "labelExpr": LINES, "labelFontSize": 10},
        ),
        "xOffset": {"field": "series", "sort": names},
    }
    fill = filled_unless("hollow", names)
    bar = {
        "mark": {"type": "bar", "filled": False, "strokeWidth": 1.5, "cornerRadius": 0, "tooltip": True},
        "encoding": {
            "y": quantitative("share", TITLE, **y),
            "fill": fill,
            "color": series_color(names, legend_of(names) | LEGEND),
            "tooltip": TOOLTIP,
        },
    }
    interval = {
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": {"type": "rule", "strokeWidth": 1.5},
        "encoding": {
            "y": quantitative("low", TITLE, **y),
            "y2": {"field": "high"},
            "color": {"value": LINE},
        },
    }
    label = {
        "mark": {"type": "text", "baseline": "bottom", "dy": -4},
        "encoding": {"y": quantitative("top", TITLE, **y), "text": {"field": "short"}},
    }
    values = [share_datum(one) | {"column": _lines(one.column)} for one in shares]
    labels = [label] if len(shares) <= MOST_LABELLED else []
    return panel_spec(HEIGHT, values, encoding=place, layer=[bar, interval, *labels])


TOOLTIP = [
    {"field": "series", "title": "system"},
    {"field": "what", "title": "quantity"},
    {"field": "number", "title": "number"},
    {"field": "short", "title": TITLE},
    {"field": "remark", "title": "remark"},
]


def share_datum(one: Share) -> dict[str, Any]:
    """As data of a drawing."""
    return {
        "series": one.system.name,
        "what": one.row.phase,
        "share": float(f"{one.share:.5g}"),
        "low": one.low,
        "high": one.high,
        "top": max(one.share, one.high or 0.0),
        "short": share_words(one.share),
        "number": number_words(one.row),
        "hollow": one.hollow,
        "remark": remark_words(one),
    }


def columns_of(shares: Sequence[Share]) -> dict[Quantity, str]:
    """The names of the quantities that a system has, in their order."""
    names = {share.quantity: share.column for share in shares}
    return {one: names[one] for one in QUANTITIES if one in names}


def share_words(share: float) -> str:
    """ "1", "0.31", "0.004"."""
    return significant(share, 2) if share < 0.995 else significant(share, 3 if share >= 1.005 else 1)


def number_words(row: Row) -> str:
    """A printed number as it is printed; else with its interval and count."""
    return f"{printed_words(row)} (n = 1, printed)" if row.place else exact_words(quantity_of(row))


def remark_words(one: Share) -> str:
    """Why it is hollow, or where it is printed."""
    told = [
        "below 1 Tflop/s" if one.system.is_doubtful(one.quantity) else "",
        "in caches" if one.row.in_caches else "",
        WITHIN if one.within else "",
        one.row.place,
    ]
    return ", ".join(filter(None, told))


def _lines(column: str) -> str:
    """In two where it is long, and those of one node in two more."""
    if column.endswith(WITHIN):
        return f"{_lines(column.removesuffix(f' {WITHIN}'))}|{'|'.join(WITHIN.split(' ', 1))}"
    if len(column) <= LONGEST:
        return column
    first, space, last = column.rpartition(" ")
    return f"{first}|{last}" if space else re.sub(r"(?<=[a-z])(?=[A-Z])", "|", column)

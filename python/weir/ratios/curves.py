"""What all processes move against the rate of HPL, and the ratio of both: figures 1 to 4 of Saini et al."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.answers.quantities import quantity_from
from weir.answers.words import exact_words
from weir.compare.printed_rows import BOUND
from weir.compare.settings import BALANCE
from weir.figures.encoding import (
    LOG_FROM_RATIO,
    filled_unless,
    legend_of,
    log_ticks,
    panel_spec,
    quantitative,
    series_color,
)
from weir.figures.figure import Panel, Spec
from weir.hpcc.rates import HPL, Case, ranks_of
from weir.network.reach import WITHIN
from weir.ratios.cases import system_cases
from weir.ratios.derived import balance_row
from weir.ratios.quantities import COPY, RINGS, Quantity
from weir.results.row import Row, measured, median_of
from weir.units import count_words

HEIGHT = 250
GIGA = 1e9
X_TITLE = "rate of HPL (Gflop/s)"
NAMED = {RINGS: "Random rings", COPY: "STREAM copy"}


@dataclass(frozen=True)
class Dot:
    """A case on a curve: its system, its ranks, the rate of HPL, and a value with its interval. `within`:
    of messages within one node."""

    series: str
    ranks: int
    x: float
    y: float
    low: float | None
    high: float | None
    text: str
    cached: bool
    within: bool

    def datum(self, *, apart: bool) -> dict[str, Any]:
        """For a drawing; `apart`: what is within one node does not compare with the rest."""
        told = {"at": count_words(self.ranks, "rank"), "within": WITHIN if self.within else ""}
        return {**vars(self), **told, "hollow": self.cached or (apart and self.within)}


@dataclass(frozen=True)
class Level:
    """A printed number, which has no place on the axis of HPL."""

    y: float
    text: str


def curve_panels(sides: Mapping[str, Sequence[Row]]) -> list[Panel]:
    """Two panels of each quantity that a side has: what is moved, and how much of it for each operation."""
    found = []
    for one, name in NAMED.items():
        moved = _dots(one, sides, moved=True)
        ratios, levels = _dots(one, sides, moved=False), _levels(one, sides)
        if moved:
            title = f"{_named(name, moved, [])}, all processes"
            found.append(Panel(title, _chart(moved, [], "bandwidth (GB/s)")))
            title = f"{_named(name, ratios, levels)} for each operation"
            found.append(Panel(title, _chart(ratios, levels, f"ratio ({one.metric.unit})")))
    return found


def _named(name: str, dots: Sequence[Dot], levels: Sequence[Level]) -> str:
    """With where its messages were, where that is one node for all that is drawn."""
    alone = bool(dots) and not levels and all(one.within for one in dots)
    return f"{name} {WITHIN}" if alone else name


def _dots(one: Quantity, sides: Mapping[str, Sequence[Row]], *, moved: bool) -> list[Dot]:
    cases = [(name, case) for name, rows in sides.items() for case in system_cases(rows)]
    found = (_moved_dot(one, *named) if moved else _ratio_dot(one, *named) for named in cases)
    return [dot for dot in found if dot is not None]


def _moved_dot(one: Quantity, name: str, case: Case) -> Dot | None:
    row, values = one.rate.row(case), [*one.rate.by_turn(case).values()]
    if row is None or not values:
        return None
    found = quantity_from(row.metric, values)
    ends = [None if end is None else end / GIGA for end in (found.low, found.high)]
    place = _place(one, name, case, row)
    return Dot(**place, y=found.median / GIGA, low=ends[0], high=ends[1], text=exact_words(found))


def _ratio_dot(one: Quantity, name: str, case: Case) -> Dot | None:
    row = balance_row(one, case)
    if row is None:
        return None
    found = quantity_from(row.metric, row.samples)
    place = _place(one, name, case, row)
    return Dot(**place, y=found.median, low=row.low, high=row.high, text=exact_words(found))


def _place(one: Quantity, name: str, case: Case, row: Row) -> dict[str, Any]:
    """All but the value, which is that of the row."""
    x = median_of(case[HPL.phase]) / GIGA
    doubts = {"cached": row.in_caches, "within": one.is_within(row)}
    return {"series": name, "ranks": ranks_of(case), "x": x, **doubts}


def _levels(one: Quantity, sides: Mapping[str, Sequence[Row]]) -> list[Level]:
    """The printed ones, those of one height together."""
    found: dict[tuple[float, str], list[str]] = {}
    for name, rows in sides.items():
        for row in measured(rows):
            if row.place and row.benchmark == BALANCE and row.phase == one.phase:
                ranks = f", {count_words(row.ranks, 'CPU')}" if row.ranks else ""
                bound = f"{row.options[BOUND]} " if BOUND in row.options else ""
                found.setdefault((median_of(row), bound), []).append(f"{name}{ranks}")
    return [Level(y, f"{_together(names)}: {bound}{y:g}") for (y, bound), names in sorted(found.items())]


def _together(names: Sequence[str]) -> str:
    """What they have in common, where they are variants of one machine."""
    stems = {name.split(", ")[0] for name in names}
    return stems.pop() if len(stems) == 1 < len(names) else ", ".join(names)


def _chart(dots: Sequence[Dot], levels: Sequence[Level], title: str) -> Spec:
    names = list(dict.fromkeys(dot.series for dot in dots))
    heights = [end for dot in dots for end in (dot.low, dot.y, dot.high) if end]
    x = quantitative("x", X_TITLE, **_scale([dot.x for dot in dots], wide=False))
    y = _scale([*heights, *(level.y for level in levels)], wide=bool(levels))
    legend = legend_of(names) | {"symbolType": "circle", "symbolOpacity": 1}
    place: dict[str, Any] = {"x": x, "color": series_color(names, legend)}
    line = {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": quantitative("y", title, **y)}}
    interval = {
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
        "encoding": {"y": quantitative("low", title, **y), "y2": {"field": "high"}},
    }
    fill = filled_unless("hollow", names, legend=None)
    apart = bool(levels) or not all(one.within for one in dots)
    dot = {
        "mark": {"type": "point", "size": 75, "strokeWidth": 2, "opacity": 1},
        "encoding": {"y": quantitative("y", title, **y), "fill": fill, "tooltip": TOOLTIP},
    }
    above = [*levels[1:], None]
    drawn = [_level(at, one, title, y, above[at]) for at, one in enumerate(levels)]
    return panel_spec(
        HEIGHT, [one.datum(apart=apart) for one in dots], encoding=place, layer=[*drawn, line, interval, dot]
    )


TOOLTIP = [
    {"field": "series", "title": "system"},
    {"field": "at", "title": "with"},
    {"field": "x", "title": X_TITLE, "format": ",.4~g"},
    {"field": "text", "title": "value"},
    {"field": "cached", "title": "of caches"},
    {"field": "within", "title": "messages"},
]


NEAR = 1.2
"""Levels that are nearer leave no room for words between them."""


def _level(at: int, level: Level, title: str, y: dict[str, Any], above: Level | None) -> Spec:
    """A line across, with its words in turn at either end, and below it where the next one is near."""
    below = above is not None and above.y < NEAR * level.y
    place = {"y": quantitative("y", title, **y), "color": None}
    left = at % 2 == 0
    note = {
        "type": "text",
        "style": "note",
        "baseline": "top" if below else "bottom",
        "dy": 4 if below else -2,
    }
    note |= {"align": "left", "dx": 4} if left else {"align": "right", "dx": -4}
    end = {"value": 0 if left else "width"}
    return {
        "data": {"values": [{"y": level.y, "text": level.text}]},
        "encoding": place,
        "layer": [
            {
                "encoding": {"x": None},
                "mark": {"type": "rule", "style": "mark-line", "strokeDash": [4, 4], "opacity": 0.6},
            },
            {"mark": note, "encoding": {"text": {"field": "text"}, "x": end}},
        ],
    }


def _scale(values: Sequence[float], *, wide: bool) -> dict[str, Any]:
    """Logarithmic where it is asked for, or the values are far apart."""
    low, high = min(values), max(values)
    if low <= 0 or not (wide or high / low > LOG_FROM_RATIO):
        return {"scale": {"domain": [0, high * 1.1]}, "axis": {"tickCount": 5, "format": ",~f"}}
    domain = [low / 1.4, high * 1.4]
    return {
        "scale": {"type": "log", "domain": domain, "nice": False},
        "axis": {"values": log_ticks(*domain), "format": ",~r"},
    }

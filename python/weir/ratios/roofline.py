"""A roofline with measured roofs: what kernels reach for each byte that they must move.

S. Williams, A. Waterman and D. Patterson, Roofline: an insightful visual performance model for multicore
architectures, Communications of the ACM 52 (2009). An intensity is the operations that a benchmark counts,
over the bytes that its definition must move once between processor and memory: compulsory traffic, so that it
is the greatest that there can be. An update of RandomAccess is one operation, though of integers.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from weir.answers.quantities import quantity_from
from weir.answers.words import exact_words
from weir.figures.encoding import (
    LINE,
    filled_unless,
    log_ticks,
    panel_spec,
    quantitative,
    series_color,
)
from weir.figures.figure import Spec
from weir.hpcc.rates import Case, SystemRate
from weir.results.row import Row
from weir.units import significant

HEIGHT = 330
GIGA = 1e9


@dataclass(frozen=True)
class Kernel:
    """`intensity`: operations a byte, of its size; `operations`: of each unit that its rate counts;
    `counted`: as words."""

    name: str
    rate: SystemRate
    intensity: Callable[[int], float]
    counted: str
    operations: float = 1.0


KERNELS = (
    Kernel("STREAM triad", SystemRate("star-triad"), lambda size: 2 / 24, "2 flop for 24 B", 2 / 24),
    Kernel(
        "PTRANS", SystemRate("ptrans"), lambda size: 1 / 24, "1 flop for 24 B, of which it counts 8", 1 / 8
    ),
    Kernel("RandomAccess", SystemRate("random-access"), lambda size: 1 / 16, "1 update for 16 B"),
    Kernel("FFT", SystemRate("fft"), lambda size: 5 * math.log2(size) / 32, "5 N log2 N flop for 32 N B"),
    Kernel("DGEMM", SystemRate("star-dgemm"), lambda size: size / 16, "2 N^3 flop for 32 N^2 B"),
    Kernel("HPL", SystemRate("hpl"), lambda size: size / 24, "2/3 N^3 flop for 16 N^2 B"),
)
"""The bytes: of triad two vectors read and one written; of PTRANS two matrices read and one written; a word
read and written an update; of FFT a complex vector read and written; of DGEMM three matrices read and one
written; of HPL its matrix read and written."""
MEMORY = {"STREAM copy": SystemRate("star-copy"), "STREAM triad": SystemRate("star-triad")}
CEILING = SystemRate("star-dgemm")


@dataclass(frozen=True)
class Point:
    """A kernel as it was measured; `rate` and its interval in operations a second."""

    kernel: Kernel
    intensity: float
    row: Row
    rate: float
    low: float | None
    high: float | None
    roof: float
    """What the roofs permit at its intensity; the ceiling itself for what is one."""

    @property
    def share(self) -> float:
        """Of the roof."""
        return self.rate / self.roof


@dataclass(frozen=True)
class Roofs:
    """The bandwidths of memory, in B/s by name, and the greatest rate, in flop/s; of all ranks."""

    memory: dict[str, float]
    ceiling: float

    @property
    def bandwidth(self) -> float:
        """The greatest."""
        return max(self.memory.values())

    def at(self, intensity: float) -> float:
        """What they permit."""
        return min(self.ceiling, self.bandwidth * intensity)


def roofs_of(case: Case) -> Roofs | None:
    """Null where memory or DGEMM was not measured."""
    memory = {name: rate for name, of in MEMORY.items() if (rate := _median(of, case))}
    ceiling = _median(CEILING, case)
    return Roofs(memory, ceiling) if memory and ceiling else None


def _median(rate: SystemRate, case: Case) -> float:
    row, values = rate.row(case), [*rate.by_turn(case).values()]
    return quantity_from(row.metric, values).median if row and values else 0.0


def points_of(case: Case, roofs: Roofs) -> Iterator[Point]:
    """Those of the kernels that were measured, whose samples say their size."""
    for one in KERNELS:
        row, values = one.rate.row(case), [*one.rate.by_turn(case).values()]
        size = _size(row) if row else None
        if row is None or not values or not size:
            continue
        found = quantity_from(row.metric, [one.operations * value for value in values])
        intensity = one.intensity(size)
        yield Point(one, intensity, row, found.median, found.low, found.high, roofs.at(intensity))


def _size(row: Row) -> int | None:
    """What its last sample says; what has no size of its own, as an update, has another."""
    details = row.records[-1].details if row.records else {}
    size = details.get("size", details.get("words"))
    return size if isinstance(size, int) and size > 1 else None


def roofline_chart(roofs: Roofs, points: list[Point]) -> Spec:
    """The spec of one panel, both axes logarithmic."""
    ends = [one.intensity for one in points]
    knee = roofs.ceiling / roofs.bandwidth
    low, high = min([*ends, knee]) / 2, max([*ends, knee]) * 2.5
    rates = [end / GIGA for one in points for end in (one.rate, one.low, one.high) if end]
    top, bottom = max([roofs.ceiling / GIGA, *rates]) * 1.6, min([roofs.at(low) / GIGA, *rates]) / 2
    x = _axis("x", "operations for each byte (flop/B)", low, high)
    y = _axis("y", "rate of all ranks (Gflop/s)", bottom, top)
    names = [one.kernel.name for one in points]
    at: dict[str, Any] = {"x": x, "y": y}
    roof_lines = [
        {"line": name, "x": intensity, "y": min(roofs.ceiling, rate * intensity) / GIGA}
        for name, rate in roofs.memory.items()
        for intensity in (low, max(low, roofs.ceiling / rate), high)
    ]
    roof = {
        "data": {"values": roof_lines},
        "mark": {"type": "line", "strokeWidth": 1.5, "clip": True},
        "encoding": at | {"detail": {"field": "line"}, "color": {"value": LINE}},
    }
    interval = {
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
        "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
    }
    fill = filled_unless("cached", names, legend=None)
    dot = {
        "mark": {"type": "point", "size": 90, "strokeWidth": 2, "opacity": 1},
        "encoding": at | {"fill": fill, "tooltip": TOOLTIP},
    }
    names_of = [
        {
            "transform": [{"filter": f"datum.left === {str(left).lower()}"}],
            "mark": look | {"type": "text", "baseline": "middle"},
            "encoding": at | {"text": {"field": "series"}, "color": None},
        }
        for left, look in LOOKS.items()
    ]
    colour = {"color": series_color(names, None)}
    values = [_datum(one) for one in points]
    layer = [roof, *_roof_names(roofs, at), interval, dot, *names_of]
    return panel_spec(HEIGHT, values, encoding=colour, layer=layer)


LOOKS: dict[bool, dict[str, Any]] = {True: {"align": "right", "dy": 14}, False: {"align": "left", "dx": 9}}
"""Of names: that of DGEMM stands to the left of its point, since HPL's stands beside it."""
TOOLTIP = [
    {"field": "series", "title": "kernel"},
    {"field": "counted", "title": "counts"},
    {"field": "number", "title": "measured"},
    {"field": "share", "title": "of the roof"},
    {"field": "cached", "title": "of caches"},
]


def _datum(one: Point) -> dict[str, Any]:
    ends = {"low": one.low, "high": one.high}
    return {
        "series": one.kernel.name,
        "left": one.kernel.rate == CEILING,
        "x": one.intensity,
        "y": one.rate / GIGA,
        **{key: None if end is None else end / GIGA for key, end in ends.items()},
        "counted": one.kernel.counted,
        "number": exact_words(quantity_from(one.row.metric, one.row.samples)),
        "share": f"{significant(100 * one.share, 2)} %",
        "cached": one.row.in_caches,
    }


def _roof_names(roofs: Roofs, at: dict[str, Any]) -> Iterator[Spec]:
    """The quickest memory above its line, the other below its own, and the ceiling where it begins."""
    knee = roofs.ceiling / roofs.bandwidth
    ordered = sorted(roofs.memory.items(), key=lambda one: -one[1])
    ceiling = f"DGEMM {significant(roofs.ceiling / GIGA)} Gflop/s"
    yield _note(at, knee, roofs.ceiling, ceiling, {"align": "left", "dy": -8})
    looks = ({"align": "right", "dx": -6, "dy": -6}, {"align": "left", "dx": 6, "dy": 10})
    for (name, rate), look in zip(ordered, looks, strict=False):
        yield _note(at, knee / 4, rate * knee / 4, f"{name} {significant(rate / GIGA)} GB/s", look)


def _note(at: dict[str, Any], x: float, y: float, text: str, look: dict[str, Any]) -> Spec:
    return {
        "data": {"values": [{"x": x, "y": y / GIGA, "text": text}]},
        "mark": {"type": "text", "style": "note", **look},
        "encoding": at | {"text": {"field": "text"}, "color": None},
    }


def _axis(field: str, title: str, low: float, high: float) -> dict[str, Any]:
    scale = {"type": "log", "domain": [low, high], "nice": False}
    return quantitative(field, title, scale=scale, axis={"values": log_ticks(low, high), "format": ",~r"})

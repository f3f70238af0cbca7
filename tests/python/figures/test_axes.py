"""The words at the ticks of axes, as they are drawn: no two of one axis read the same."""

import json
import re
from typing import Any

import pytest

from rows import MIB, row
from samples import BANDWIDTH
from weir.analyse.detail import Course, Detail
from weir.analyse.latency import PooledLatency
from weir.figures.encoding import config, quantitative, value_axis
from weir.figures.engine import engine
from weir.figures.figure import Spec
from weir.figures.image import ColourScale
from weir.figures.render import still
from weir.questions.question import draw
from weir.results.row import Row

pytestmark = pytest.mark.usefixtures("draws")
LABELS = re.compile(r'<g class="mark-text role-axis-label"[^>]*>(.*?)</g>', re.DOTALL)
TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")


def axes_of(svg: str) -> list[list[str]]:
    """The words at the ticks of each axis."""
    return [TEXT.findall(group) for group in LABELS.findall(svg)]


def drawn(encoding: dict[str, Any]) -> list[str]:
    """The ticks of a vertical axis."""
    values = [{"value": 1.0}]
    spec: Spec = {
        "width": 300,
        "height": 300,
        "data": {"values": values},
        "mark": "point",
        "config": config(),
    }
    svg = engine().vegalite_to_svg(json.dumps(spec | {"encoding": {"y": encoding}}))
    (ticks,) = axes_of(svg)
    return ticks


def value_ticks(low: float, high: float) -> list[str]:
    return drawn({"field": "value", **value_axis(BANDWIDTH, low, high)})


RANGES = [
    (0.002, 0.01), (0.08, 0.12), (1e3, 1e9), (15690, 15730),
    (0.068, 0.1026), (0.06, 0.11), (0.0006, 0.0011), (1e-8, 1.1e-8),  # 0.1 and 0.12 read the same
    (0.9, 1.1), (99, 101), (1e-9, 5e-8), (0.5, 20), (1e6, 1.9e6),
]  # fmt: skip


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_ticks_of_values_are_told_apart(low: float, high: float) -> None:
    ticks = value_ticks(low, high)
    assert len(ticks) >= 3
    assert len(set(ticks)) == len(ticks), ticks
    numbers = [float(tick.replace(",", "")) for tick in ticks]
    assert numbers == sorted(numbers)
    assert numbers[0] <= 2 * low and numbers[-1] * 2 >= high, "they span what is drawn"


def test_ticks_have_no_more_digits_than_they_need() -> None:
    assert value_ticks(0.06, 0.11) == ["0", "0.02", "0.04", "0.06", "0.08", "0.1", "0.12"]
    assert value_ticks(700, 1000) == ["0", "200", "400", "600", "800", "1,000"]


def slow_course() -> Row:
    """Half a MiB a second."""
    return row("write", 0.5, detail=Detail(course=Course(1.0, (MIB // 2, MIB // 4, MIB), 3.0)))


def spread_latencies() -> Row:
    """Each tenth of a decade has a hundredth or two of all requests."""
    bounds = [(1e-6 * 10 ** (place / 10), 20) for place in range(60)]
    pooled = PooledLatency("write", 1200, 1, 1e-6, 0.01, 1.0, None, 0.05, tuple(bounds))
    return row("write", 1000, detail=Detail(latencies=(pooled,)))


@pytest.mark.parametrize(("name", "made"), [("timeline", slow_course()), ("latency", spread_latencies())])
def test_small_rates_and_shares_are_told_apart(name: str, made: Row) -> None:
    drawing = draw(name, [made], {})
    assert drawing is not None
    for ticks in axes_of(still(drawing)):
        shown = [tick for tick in ticks if tick]
        assert len(set(shown)) == len(shown), ticks


def test_shades_of_a_narrow_range_of_large_numbers_are_told_apart() -> None:
    ticks = drawn(
        quantitative("value", "", scale={"domain": [1e5, 1.0002e5], "zero": False})
        | {"axis": ColourScale(1e5, 1.0002e5, logarithmic=False).ticks()}
    )
    assert len(set(ticks)) == len(ticks), ticks

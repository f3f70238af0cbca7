"""Axes of pictures."""

import math
from collections.abc import Iterator

from markupsafe import Markup

LEFT, RIGHT, BOTTOM, TOP = 84, 8, 26, 10


def steps(most: float, about: int) -> list[float]:
    """Round numbers from 0 to `most`, about so many of them."""
    if most <= 0:
        return [0.0]
    rough = most / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    return [step * number for number in range(int(most / step * (1 + 1e-9)) + 1)]


def svg(width: int, height: int, label: str, parts: Iterator[Markup]) -> Markup:
    """A picture that takes the width that it is given."""
    head = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">')
    return head.format(width, height, label) + Markup("\n").join(parts) + Markup("</svg>")


def text(x: float, y: float, words: str, anchor: str = "middle") -> Markup:
    """Words at a place."""
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, y, anchor, words)


def line(x0: float, y0: float, x1: float, y1: float) -> Markup:
    """A line of an axis or grid."""
    return Markup('<line class="axis" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(
        x0, y0, x1, y1
    )


def time_axis(run_s: float, width: int, height: int) -> Iterator[Markup]:
    """Ticks of time below a picture."""
    base = height - BOTTOM
    unit, factor = next(
        ((unit, factor) for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)) if run_s * factor >= 1),
        ("ns", 1e9),
    )
    for tick in steps(run_s * factor, 8):
        x = LEFT + (width - LEFT - RIGHT) * tick / factor / run_s
        yield line(x, base, x, base + 4)
        anchor = "end" if x > width - RIGHT - 20 else "middle"
        yield text(x, base + 18, f"{tick:.10g} {unit}", anchor)

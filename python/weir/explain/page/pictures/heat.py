"""How busy each rank was, over time, as a picture of as many pixels as there are numbers."""

import base64
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from weir.explain.summary import Course

from .axes import BOTTOM, LEFT, RIGHT, TOP, svg, text, time_axis
from .png import png

WIDTH = 1040
LEAST_PX, MOST_PX = 60, 380
LIGHT = ((245, 247, 250), (86, 180, 233), (0, 114, 178), (8, 48, 79))
DARK = ((30, 38, 51), (15, 84, 130), (86, 180, 233), (240, 250, 255))


def heat(course: Course, ranks: Sequence[int]) -> Markup:
    """A line a band of ranks, from pale (no I/O) to deep (nothing else)."""
    lines = min(MOST_PX, max(LEAST_PX, len(course.heat) * 14))
    height = lines + TOP + BOTTOM
    return _legend() + svg(
        WIDTH, height, "How busy each rank was with I/O over time", _parts(course, ranks, lines, height)
    )


def _parts(course: Course, ranks: Sequence[int], lines: int, height: int) -> Iterator[Markup]:
    shades = [[round(min(1.0, max(0.0, share)) * 255) for share in row] for row in course.heat]
    for paper, stops in (("light", LIGHT), ("dark", DARK)):
        data = base64.b64encode(png(shades, ramp(stops))).decode("ascii")
        yield Markup(
            '<image class="heat on-{}" x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" '
            'href="data:image/png;base64,{}"/>'
        ).format(paper, LEFT, TOP, WIDTH - LEFT - RIGHT, lines, data)
    step = 1
    while len(shades) / step * 14 > lines + 14:
        step *= 2
    for number in range(0, len(shades), step):
        first = number * course.ranks_a_band
        y = TOP + lines * (number + 0.5) / len(shades) + 4
        yield text(LEFT - 8, y, f"rank {ranks[first] if first < len(ranks) else first}", "end")
    yield from time_axis(course.interval_s * len(course.read_bytes), WIDTH, height)


def _legend() -> Markup:
    return Markup(
        '<p class="legend"><span class="key">0 %</span><span class="ramp"></span>'
        '<span class="key">100 % of the time in I/O calls</span></p>'
    )


def ramp(stops: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """256 colours through these, evenly."""
    colours = []
    for shade in range(256):
        place = shade / 255 * (len(stops) - 1)
        low = min(int(place), len(stops) - 2)
        part = place - low
        red, green, blue = (
            round(one * (1 - part) + other * part)
            for one, other in zip(stops[low], stops[low + 1], strict=True)
        )
        colours.append((red, green, blue))
    return colours

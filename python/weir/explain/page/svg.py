"""Pictures of the page: SVG elements, axes, and PNG images of a palette."""

import math
import struct
import zlib
from collections.abc import Iterator, Sequence

from markupsafe import Markup

LEFT, RIGHT, BOTTOM, TOP = 84, 8, 26, 10
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE = 3


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


def png(lines: Sequence[Sequence[int]], palette: Sequence[tuple[int, int, int]]) -> bytes:
    """A PNG image (third edition, W3C 2025) of these lines, each pixel a number of the palette's at most 256
    colours."""
    head = struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, _PALETTE, 0, 0, 0)
    unfiltered = b"\0"
    data = b"".join(unfiltered + bytes(line) for line in lines)
    colours = bytes(part for colour in palette for part in colour)
    return (
        _SIGNATURE
        + _chunk(b"IHDR", head)
        + _chunk(b"PLTE", colours)
        + _chunk(b"IDAT", zlib.compress(data, 9))
        + _chunk(b"IEND", b"")
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

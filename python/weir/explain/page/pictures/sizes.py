"""Sizes of requests, as bars by powers of two."""

from collections.abc import Iterator

from markupsafe import Markup

from weir.counts import count_words
from weir.explain.summary import TransferRow
from weir.units import format_bytes, format_share

from .axes import line, svg, text

WIDTH, HEIGHT = 500, 190
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 34, 24


def histogram(row: TransferRow) -> Markup:
    """The share of requests of each size."""
    title = f"{row.interface}, {row.kind}: {count_words(row.requests, 'request')}"
    return Markup('<div class="half">') + svg(WIDTH, HEIGHT, title, _parts(row, title)) + Markup("</div>")


def _parts(row: TransferRow, title: str) -> Iterator[Markup]:
    bars = row.histogram
    whole = sum(bar.requests for bar in bars)
    most = max(bar.requests for bar in bars)
    step = min(64.0, (WIDTH - LEFT - RIGHT) / len(bars))
    base, height = HEIGHT - BOTTOM, HEIGHT - TOP - BOTTOM - 14
    yield text(LEFT, 16, title, "start")
    yield line(LEFT, base, WIDTH - RIGHT, base)
    named = max(1, -(-len(bars) * 56 // (WIDTH - LEFT - RIGHT)))
    for number, bar in enumerate(bars):
        x = LEFT + step * number
        tall = height * bar.requests / most
        words = f"up to {format_bytes(bar.bytes)}: {count_words(bar.requests, 'request')}"
        yield Markup(
            '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2" fill="var(--kind-{})">'
            "<title>{}</title></rect>"
        ).format(x + 1, base - tall, step - 2, max(tall, 1 if bar.requests else 0), row.kind, words)
        if number % named == 0:
            yield text(x + step / 2, base + 16, f"≤ {format_bytes(bar.bytes)}")
        if bar.requests / whole >= 0.01 and step >= 40:
            yield text(x + step / 2, base - tall - 4, format_share(bar.requests / whole))

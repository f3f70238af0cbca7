"""The sizes of requests: a histogram by powers of two, its picture, and the most frequent ones exactly."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from weir.counts import count_words
from weir.explain.page.svg import line, svg, text
from weir.explain.summary import SizeCount, TransferRow
from weir.units import format_bytes, format_share

BOUNDS = np.array([0, *(2**n for n in range(64)), 2**64 - 1], np.uint64)
MOST_SIZES = 65_536
FREQUENT = 8
WIDTH, HEIGHT = 500, 190
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 34, 24


class Sizes:
    """Counts sizes. Beyond MOST_SIZES different ones, new ones are only counted in the histogram."""

    def __init__(self) -> None:
        self._bins = np.zeros(len(BOUNDS), np.int64)
        self._counts: Counter[int] = Counter()
        self._complete = True

    def add(self, lengths: NDArray[np.uint64]) -> None:
        """Count these requests."""
        found = frequencies(lengths)
        sizes = np.array([size for size, _ in found], np.uint64)
        counts = np.array([count for _, count in found], np.int64)
        np.add.at(self._bins, np.searchsorted(BOUNDS, sizes), counts)
        for size, count in found:
            if size in self._counts or len(self._counts) < MOST_SIZES:
                self._counts[size] += count
            else:
                self._complete = False

    def histogram(self) -> tuple[SizeCount, ...]:
        """From the first bin with requests to the last."""
        filled = np.flatnonzero(self._bins)
        if not len(filled):
            return ()
        return tuple(SizeCount(int(BOUNDS[i]), int(self._bins[i])) for i in range(filled[0], filled[-1] + 1))

    def common(self) -> tuple[SizeCount, ...]:
        """The most frequent sizes."""
        return tuple(SizeCount(size, count) for size, count in self._counts.most_common(FREQUENT))

    @property
    def different(self) -> int | None:
        """How many sizes there were; None where there were too many to count."""
        return len(self._counts) if self._complete else None


def frequencies(values: NDArray[Any]) -> list[tuple[int, int]]:
    """Each value with how often it is there. Sorting is slow, and most programs use few sizes: the first ones
    are taken out one by one."""
    found: list[tuple[int, int]] = []
    for _ in range(6):
        if not len(values):
            return found
        same = values == values[0]
        found.append((int(values[0]), int(np.count_nonzero(same))))
        if found[-1][1] == len(values):
            return found
        values = values[~same]
    return found + [(int(v), int(n)) for v, n in zip(*np.unique(values, return_counts=True), strict=True)]


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

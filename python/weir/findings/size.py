"""What the page cache does, seen against file size: how it flatters, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.cache import cacheable_bytes, dirty_limit_bytes, find_cliff, no_cliff_words
from weir.findings.finding import Finding, capital, care_words
from weir.findings.quantity import measured_words, times_words
from weir.findings.ratio import Ratio, compare
from weir.findings.row import Row, measured, median_of
from weir.findings.words import join_words, phase_words
from weir.units import format_bytes

UNFLATTERED = "Bandwidth against file size, with no difference by the cache"


def judge_size(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How far numbers with and without the cache's help lie apart, and whether a cliff was seen."""
    found = [row for row in measured(rows) if row.data_bytes]
    if not found:
        return None
    titles: list[str] = []
    sentences: list[str] = []
    for direction in ("write", "read"):
        through = [row for row in found if row.direction == direction and row.through_cache]
        device = [row for row in found if row.direction == direction and row.honest and not row.through_cache]
        flattery = _largest_flattery(through, device)
        if flattery:
            titles.append(f"{direction}s {'' if titles else 'look '}up to {times_words(flattery.ratio)}")
            sentences.append(_flattery_words(flattery))
        if through:
            sentences.append(_cliff_words(through, direction, card))
    title = f"Through the cache, {join_words(titles)} as fast as the storage" if titles else UNFLATTERED
    return Finding(title, tuple(sentences), care_words(found))


def _largest_flattery(through: list[Row], device: list[Row]) -> Ratio | None:
    # Options need not agree otherwise: what is compared is the same amount of data, with and without the
    # cache.
    by_size = {(row.data_bytes, row.ranks): row for row in device}
    found = [
        compare(row, by_size[(row.data_bytes, row.ranks)])
        for row in through
        if (row.data_bytes, row.ranks) in by_size
    ]
    sure = [ratio for ratio in found if ratio and ratio.different and ratio.ratio > 1]
    return max(sure, key=lambda ratio: ratio.ratio, default=None)


def _flattery_words(ratio: Ratio) -> str:
    size, what = format_bytes(ratio.one.data_bytes or 0), capital(phase_words(ratio.one))
    gives = f"{phase_words(ratio.other)}: {measured_words(ratio.other)}"
    return (
        f"{what}: {measured_words(ratio.one)} at {size}, {times_words(ratio.ratio)} what the storage gives "
        f"({gives})."
    )


def _cliff_words(through: list[Row], direction: str, card: Mapping[str, Any]) -> str:
    limit, name = (
        (dirty_limit_bytes(card), "the point where the kernel makes writers wait")
        if direction == "write"
        else (cacheable_bytes(card), "the memory available for caching")
    )
    cliff = find_cliff(through)
    label = capital(phase_words(through[0]))
    if cliff is None:
        return f"{label}: no cliff was seen, since {no_cliff_words(through, limit, name)}."
    best = max(
        (row for row in through if (row.data_bytes or 0) <= (cliff.before.data_bytes or 0)), key=median_of
    )
    edge = " and ".join(format_bytes(row.data_bytes or 0) for row in (cliff.before, cliff.after))
    return (
        f"{label}: a cliff between {edge}: from {measured_words(best)} down to {measured_words(cliff.after)}."
    )

"""What the page cache does, seen against file size: how it flatters, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.cache import Cliff, cacheable_bytes, dirty_limit_bytes, find_cliff, no_cliff_words
from weir.findings.finding import Finding, capital, care_words
from weir.findings.quantity import measured_words, times_words
from weir.findings.ratio import Ratio, compare
from weir.findings.row import Row, measured, median_of
from weir.findings.words import join_words, phase_words
from weir.units import format_bytes

UNFLATTERED = "The cache makes no difference beyond noise"


def judge_size(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How far numbers with and without the cache's help lie apart, and whether a cliff was seen."""
    found = [row for row in measured(rows) if row.data_bytes]
    if not found:
        return None
    flattered: list[str] = []
    cliffs: list[str] = []
    sentences: list[str] = []
    for direction in ("write", "read"):
        through = [row for row in found if row.direction == direction and row.through_cache]
        device = [row for row in found if row.direction == direction and row.honest and not row.through_cache]
        flattery = _largest_flattery(through, device)
        if flattery:
            flattered.append(
                f"{direction}s {'' if flattered else 'look '}up to {times_words(flattery.ratio)}"
            )
            sentences.append(_flattery_words(flattery))
        if through:
            cliff = find_cliff(through)
            sentences.append(_cliff_words(cliff, through, direction, card))
            if cliff:
                cliffs.append(f"{direction}s fall off a cliff beyond {_size(cliff.before)}")
    through_any = any(row.through_cache for row in found)
    return Finding(_title(flattered, cliffs, through_any=through_any), tuple(sentences), care_words(found))


def _title(flattered: list[str], cliffs: list[str], *, through_any: bool) -> str:
    if not through_any:
        return "Bandwidth against file size, the cache kept out"
    start = f"Through the cache, {join_words(flattered)} as fast as the storage" if flattered else UNFLATTERED
    return f"{start}; {join_words(cliffs) if cliffs else 'no cliff was seen'}"


def _size(row: Row) -> str:
    return format_bytes(row.data_bytes or 0)


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
    size, what = _size(ratio.one), capital(phase_words(ratio.one))
    gives = f"{phase_words(ratio.other)}: {measured_words(ratio.other)}"
    return (
        f"{what}: {measured_words(ratio.one)} at {size}, {times_words(ratio.ratio)} what the storage gives "
        f"({gives})."
    )


def _cliff_words(cliff: Cliff | None, through: list[Row], direction: str, card: Mapping[str, Any]) -> str:
    limit, name = (
        (dirty_limit_bytes(card), "the point where the kernel makes writers wait")
        if direction == "write"
        else (cacheable_bytes(card), "the memory available for caching")
    )
    label = capital(phase_words(through[0]))
    if cliff is None:
        return f"{label}: no cliff was seen, since {no_cliff_words(through, limit, name)}."
    best = max(
        (row for row in through if (row.data_bytes or 0) <= (cliff.before.data_bytes or 0)), key=median_of
    )
    edge = f"{_size(cliff.before)} and {_size(cliff.after)}"
    return (
        f"{label}: a cliff between {edge}: from {measured_words(best)} down to {measured_words(cliff.after)}."
    )

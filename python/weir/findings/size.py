"""What the page cache does, seen against file size: how it flatters, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.cliff import cliff_words
from weir.findings.finding import Finding, capital, care_words
from weir.findings.quantity import measured_words, times_words
from weir.findings.ratio import Ratio, compare
from weir.findings.row import Row, measured
from weir.findings.words import join_words, phase_words
from weir.units import format_bytes

UNFLATTERED = "The cache makes no difference beyond noise"


def of_files(rows: list[Row]) -> list[Row]:
    """Those whose data are a file's size: an application writes many files, and says how much in all."""
    return [row for row in measured(rows) if row.data_bytes and not row.application]


def judge_size(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How far numbers with and without the cache's help lie apart, and whether a cliff was seen."""
    found = of_files(rows)
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
            edge, sentence = cliff_words(through, card)
            sentences.append(sentence)
            if edge:
                cliffs.append(f"{direction}s fall off a cliff beyond {_size(edge)}")
    through_any = any(row.through_cache for row in found)
    return Finding(_title(flattered, cliffs, through_any=through_any), tuple(sentences), care_words(found))


def _title(flattered: list[str], cliffs: list[str], *, through_any: bool) -> str:
    if not through_any:
        return "Bandwidth against file size, the cache kept out"
    start = f"Through the cache, {join_words(flattered)} as fast as the storage" if flattered else UNFLATTERED
    end = join_words(cliffs) if cliffs else "the cache's end was not seen"
    return f"{start}; {end}"


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

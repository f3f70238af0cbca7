"""How much a storage's number depends on the size of the data: one that varies much is no single number."""

from collections.abc import Iterable

from weir.analyse.paired import Standing
from weir.results.pairing import compare, setting_key
from weir.results.row import Row, measured, median_of

RANGE = 2.0
"""A rate that surely differs, and by more than this, with the size of the data."""


def differing_with_size(shown: Iterable[Row], rows: list[Row]) -> list[Row]:
    """Of these rows, those whose rate differs so much, all else being equal."""
    return [row for row in shown if row.moves and not row.application and _differs(row, rows)]


def _differs(row: Row, rows: list[Row]) -> bool:
    by_size = _other_sizes(row, rows)
    if len({one.data_bytes for one in by_size}) < 2:
        return False
    ratio = compare(max(by_size, key=median_of), min(by_size, key=median_of))
    return ratio is not None and ratio.ratio > RANGE and ratio.standing is Standing.ABOVE


def _other_sizes(row: Row, rows: list[Row]) -> list[Row]:
    key = setting_key(row, {"block"})
    honest = [
        one
        for one in measured(rows)
        if one.honest and one.phase == row.phase and one.data_bytes and one.low is not None
    ]
    return [one for one in honest if setting_key(one, {"block"}) == key and one.metric == row.metric]

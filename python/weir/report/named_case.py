"""The case whose numbers speak for a storage, in words: it is fixed before anything is measured. The best of
many cases would be that of the luckiest moment, or the most flattered by caches."""

from weir.analyse.paired import Standing
from weir.results.pairing import compare, setting_key, times_with_interval
from weir.results.row import Row, measured, median_of
from weir.results.words import setting_words
from weir.units import format_bytes

VERBS = {"write": "writing", "read": "reading"}
NAMED_RANGE = 2.0
"""A rate that differs by more with the size of the data is no single number."""


def named_row(rows: list[Row], direction: str) -> Row | None:
    """Of the honest rows the one with most data, of several the study's first."""
    honest = [row for row in measured(rows) if row.honest and row.phase == direction]
    return max(honest, key=lambda row: row.data_bytes or 0, default=None)


def data_words(row: Row) -> str:
    """ "512 MiB of data, 2 ranks, 1 MiB transfers, shared file, POSIX"."""
    size = f"{format_bytes(row.data_bytes)} of data, " if row.data_bytes else ""
    return size + setting_words(row)


NO_SINGLE_NUMBER = "No single number stands for all sizes."


def range_words(named: list[Row], rows: list[Row]) -> list[str]:
    """A sentence for each of the rows: how its rate changes with the size of the data, all else being equal;
    and one that warns where that is much. Nothing of a row with a single size."""
    said = [_range(row, rows) for row in named]
    warned = [NO_SINGLE_NUMBER] if any(much for _, much in said) else []
    return [words for words, _ in said if words] + warned


def _range(row: Row, rows: list[Row]) -> tuple[str, bool]:
    """The sentence, and whether it is sure that the size matters, and seems so by more than NAMED_RANGE."""
    by_size = sorted(_other_sizes(row, rows), key=lambda one: one.data_bytes or 0)
    if len({one.data_bytes for one in by_size}) < 2:
        return "", False
    least, most = min(by_size, key=median_of), max(by_size, key=median_of)
    first, last = (format_bytes(one.data_bytes or 0) for one in (by_size[0], by_size[-1]))
    values = f"{row.metric.show(median_of(least))} to {row.metric.show(median_of(most))}"
    said = (
        f"From {first} to {last} of data, {VERBS[row.direction]} ranges from {values} {row.metric.shown_unit}"
    )
    ratio = compare(most, least)
    if ratio is None or ratio.ratio <= NAMED_RANGE:
        return f"{said}.", False
    return f"{said}, {times_with_interval(ratio)} as much.", ratio.standing is Standing.ABOVE


def _other_sizes(row: Row, rows: list[Row]) -> list[Row]:
    key = setting_key(row, {"block"})
    honest = [
        one
        for one in measured(rows)
        if one.honest and one.phase == row.phase and one.data_bytes and one.low is not None
    ]
    return [one for one in honest if setting_key(one, {"block"}) == key and one.metric == row.metric]

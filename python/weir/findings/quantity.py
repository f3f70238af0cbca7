"""Measured quantities in words: always with unit, interval and number of samples."""

from __future__ import annotations

from weir.analyse.metric import Metric
from weir.findings.row import Row
from weir.units import significant


def interval_words(row: Row) -> str:
    """ "1420 [1380, 1470] MiB/s", with the reason in place of what does not exist."""
    if row.median is None:
        return "no number (no sample was taken)"
    return estimate_words(row.metric, row.median, row.low, row.high, row.n)


def estimate_words(metric: Metric, median: float, low: float | None, high: float | None, n: int) -> str:
    """The same of any metric."""
    if low is None or high is None:
        return f"{metric.show(median)} {metric.shown_unit} (no interval: n = {n}, below 6)"
    return f"{metric.show(median)} [{metric.show(low)}, {metric.show(high)}] {metric.shown_unit}"


def measured_words(row: Row) -> str:
    """The interval with its number of samples."""
    # Where there is no interval, the reason for that names the count already.
    return f"{interval_words(row)} (n = {row.n})" if row.low is not None else interval_words(row)


def times_words(ratio: float) -> str:
    """A ratio such as "1.40 times" or "22.0 times"."""
    return f"{significant(ratio)} times"

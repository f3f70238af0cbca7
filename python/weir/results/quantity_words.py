"""Quantities in words: always with unit and interval, or with the reason why there is none."""

from weir.analyse.detail import Straggler
from weir.analyse.metric import Metric
from weir.analyse.statistics import NO_INTERVAL, MedianEstimate
from weir.results.row import IN_CACHES, Row
from weir.units import count_words, format_share, significant


def interval_words(row: Row) -> str:
    """ "1420 [1380, 1470] MiB/s", with the reason in place of what does not exist."""
    if row.median is None:
        return f"no number ({aside_words(row) or 'no sample was taken'})"
    if row.simulated:
        return simulated_words(row.metric, row.median)
    return estimate_words(row.metric, row.median, row.low, row.high, row.n)


def simulated_words(metric: Metric, value: float) -> str:
    """Of a number that a model gave."""
    return f"{metric.words(value)} (simulated: another sample would be the same)"


def estimate_words(metric: Metric, median: float, low: float | None, high: float | None, n: int) -> str:
    """The same of any metric."""
    if low is None or high is None:
        return f"{metric.show(median)} {metric.shown_unit} (no interval: n = {n}, below 6)"
    return f"{metric.show(median)} [{metric.show(low)}, {metric.show(high)}] {metric.shown_unit}"


def quotient_words(found: MedianEstimate, unit: str = "", mark: str = "") -> str:
    """ "0.843 [0.82, 0.86] B/flop (n = 12)"; with a mark, it stands behind the count."""
    number, unit, mark = significant(found.median), f" {unit}" if unit else "", f", {mark}" if mark else ""
    if found.low is None or found.high is None:
        return f"{number}{unit} (no interval, n = {found.count}{mark})"
    return f"{number} [{significant(found.low)}, {significant(found.high)}]{unit} (n = {found.count}{mark})"


def measured_words(row: Row) -> str:
    """The interval with its number of samples; numbers of the caches are marked."""
    words, cached = interval_words(row), f", {IN_CACHES}" if row.in_caches else ""
    if row.low is not None:
        return f"{words} (n = {row.n}{cached})"
    # Where there is no interval, the reason for that names the count already.
    return f"{words.removesuffix(')')}{cached})" if cached else words


def width_words(row: Row) -> str:
    """How wide its own interval is, as a share of its median; how it ended where it has no number."""
    if row.median is None:
        return row.verdict
    if row.low is None or row.high is None:
        return "" if row.simulated else NO_INTERVAL
    width = format_share((row.high - row.low) / abs(row.median)) if row.median else ""
    return f"{width} wide" if width else ""


def aside_words(row: Row) -> str:
    """ "3 samples set aside", of other states of the machine; empty for none."""
    return f"{count_words(row.set_aside, 'sample')} set aside" if row.set_aside else ""


def times_words(ratio: float) -> str:
    """A ratio such as "1.40 times" or "22.0 times"."""
    return f"{significant(ratio)} times"


def straggler_name(straggler: Straggler) -> str:
    """ "rank 3", "rank 3 on n2", "a rank of n2"."""
    if straggler.rank is None:
        return f"a rank of {straggler.node}"
    return f"rank {straggler.rank}{f' on {straggler.node}' if straggler.node else ''}"


def straggler_place(straggler: Straggler) -> str:
    """The same in a table's cell: "3", "3 on n2", "n2"."""
    return " on ".join(str(part) for part in (straggler.rank, straggler.node) if part is not None)


def straggler_words(straggler: Straggler) -> str:
    """ "rank 3 was the slowest in 11 of 12 samples, by 1.40 times the mean of all ranks"; of several nodes
    "rank 3 on n2 was …", or "a rank of n2 was …"."""
    return (
        f"{straggler_name(straggler)} was the slowest in {straggler.times} of "
        f"{count_words(straggler.samples, 'sample')}, with {significant(straggler.lateness)} times "
        "the mean time of all ranks"
    )

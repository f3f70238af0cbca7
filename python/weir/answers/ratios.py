"""Ratios of rows as values of answers."""

from weir.answers.answer import Choice, Ratio
from weir.results import pairing
from weir.results.row import Row


def factor(ratio: pairing.Ratio) -> float:
    """How many times as fast the faster one is."""
    return max(ratio.ratio, 1 / ratio.ratio)


def faster_and_slower(ratio: pairing.Ratio) -> tuple[Row, Row]:
    """By the ratio as it was found, sure or not."""
    return (ratio.one, ratio.other) if ratio.ratio >= 1 else (ratio.other, ratio.one)


def ratio_of(ratio: pairing.Ratio, of: str = "") -> Ratio:
    """As it is."""
    n = ratio.pairs or min(ratio.one.n, ratio.other.n)
    unit = "times as fast" if _of_times(ratio) else "times"
    return Ratio(ratio.ratio, ratio.low, ratio.high, n, of, unit)


def choice_of(ratio: pairing.Ratio, best: str, other: str, *, differs: bool) -> Choice:
    """The faster one and the other by their names."""
    found = ratio_of(ratio)
    low, high = found.low, found.high
    if ratio.ratio < 1:
        low, high = (1 / end if end else None for end in (high, low))
    unit = "times as fast as" if _of_times(ratio) else "times"
    return Choice(best, other, Ratio(factor(ratio), low, high, found.n, unit=unit), differs)


def _of_times(ratio: pairing.Ratio) -> bool:
    """Whether less is faster, so that "2 times" alone would say the opposite."""
    metric = ratio.one.metric
    return not (metric.greater_is_better or metric.is_size)

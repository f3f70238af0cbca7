"""Quantities of rows: the median, its interval, and the modes that its samples lie around."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from weir.analyse.metric import Metric
from weir.analyse.modes import Course, Modes, find_modes
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.answers.answer import Answer, Certainty, Quantity, Ratio
from weir.results.row import Row, median_of
from weir.results.words import data_words, setting_words

TIGHT = 0.25
"""To each side of the median: an interval that reaches no farther is one number to whoever reads it."""

_modes_of = lru_cache(maxsize=4096)(find_modes)
"""A row stands on the first screen and below several figures; modes take the square of its samples."""


def quantity_of(row: Row) -> Quantity:
    """That of a row that has a number."""
    n = 0 if row.simulated else row.n
    return Quantity(row.metric, median_of(row), row.low, row.high, n, _modes_of(row.samples))


def quantity_from(metric: Metric, values: Sequence[float]) -> Quantity:
    """That of samples, of which there must be one."""
    found = estimate_median(values)
    assert found is not None
    return Quantity(metric, found.median, found.low, found.high, found.count, find_modes(values))


def single(key: str, unit: str, value: float, n: int) -> Quantity:
    """A number that is no median of samples, and has no interval: `n` counts what it was taken from."""
    return Quantity(Metric(key, unit, key, greater_is_better=True), value, None, None, n, Modes(()))


def quantity_of_estimate(metric: Metric, found: MedianEstimate) -> Quantity:
    """That of an estimate, whose samples are not known one by one."""
    return Quantity(metric, found.median, found.low, found.high, found.count, Modes(()))


def certainty_of(found: Quantity | Ratio) -> Certainty:
    """Open without an interval, within a range where it is wide."""
    if found.low is None or found.high is None:
        return Certainty.OPEN
    middle = found.median if isinstance(found, Quantity) else found.times
    wide = max(found.high - middle, middle - found.low) > TIGHT * abs(middle)
    return Certainty.WITHIN if wide else Certainty.SURE


def quantity_answer(label: str, row: Row) -> Answer:
    """What is known of it: open without an interval, within a range where it is wide, has several modes,
    drifts or may be of a cache."""
    found = quantity_of(row)
    setting = ", ".join([*([data_words(row)] if row.data_bytes else []), setting_words(row)])
    what = Answer("quantity", (label,), found, weight=QUANTITY, setting=setting)
    certainty = certainty_of(found)
    if row.simulated:
        return replace(what, certainty=Certainty.SIMULATED)
    if certainty is Certainty.OPEN:
        return replace(what, certainty=certainty, action="more-samples")
    steady = len(found.modes.modes) <= 1 and found.modes.course is Course.STEADY
    doubtful = not steady or row.suspect or row.in_caches
    return replace(what, certainty=Certainty.WITHIN if doubtful else certainty)


def number_answer(subject: tuple[str, ...], row: Row) -> Answer:
    """A mere number of a figure, which decides no question."""
    known = quantity_answer("", row)
    return replace(known, question="", subject=subject, weight=NUMBER, decides=False)


def if_known(answer: Answer, cases: frozenset[str] = frozenset()) -> Answer:
    """The answer; open where its value has no interval, which samples of these cases would give it, and
    within a range where that is wide."""
    if not isinstance(answer.value, Quantity | Ratio):
        return answer
    certainty = certainty_of(answer.value)
    if certainty is Certainty.OPEN:
        return replace(answer, certainty=certainty, action="more-samples", open_cases=cases)
    return replace(answer, certainty=certainty) if answer.certainty is Certainty.SURE else answer


QUANTITY, NUMBER = 100.0, 0.1
"""On a first screen the numbers of a headline come before all else; those of figures after a way that is
surely faster."""

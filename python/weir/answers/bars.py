"""The bar of an answer: where its value and interval lie, from 0 to 1 of the bar's length."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from weir.answers.answer import Answer, Choice, Cost, Quantity, Ratio

WIDEST_RATIO = 30.0
"""At the end of a ratio's bar, whose middle is 1."""


@dataclass(frozen=True)
class Bar:
    """`low` to `high`: the interval, null where there is none. `marks`: the median, or all modes. `middle`:
    whether a line stands at the middle, where a ratio is 1."""

    marks: tuple[float, ...]
    low: float | None
    high: float | None
    middle: bool = False


def bars(answers: Iterable[Answer]) -> list[Bar | None]:
    """A bar each; quantities of a metric are on one scale from 0, and costs on that of the run, or of the
    largest one. Null for what has no length."""
    found = list(answers)
    most: dict[str, float] = {}
    longest = max((one.value.seconds for one in found if isinstance(one.value, Cost)), default=0)
    for one in found:
        if isinstance(one.value, Quantity):
            key, ends = one.value.metric.key, (_end(one.value), *(m.median for m in one.value.modes.modes))
            most[key] = max(most.get(key, 0), *ends)
    return [_bar(one, most, longest) for one in found]


def _end(quantity: Quantity) -> float:
    return quantity.median if quantity.high is None else quantity.high


def _bar(answer: Answer, most: dict[str, float], longest: float) -> Bar | None:
    match answer.value:
        case Cost(seconds=seconds, of_run=share) if share is not None or longest > 0:
            end = seconds / longest if share is None else share
            return Bar((end,), 0, end)
        case Quantity() as value:
            full = most[value.metric.key]
            if full <= 0:
                return None
            several = [mode.median for mode in value.modes.modes] if len(value.modes.modes) > 1 else []
            return _shown(several or [value.median], value.low, value.high, lambda one: one / full)
        case Ratio(unit="%") as share:
            return _shown([share.times], share.low, share.high, _of_share)
        case Choice(ratio=ratio) | (Ratio() as ratio) if ratio.unit.startswith("times"):
            return replace(_shown([ratio.times], ratio.low, ratio.high, _of_ratio), middle=True)
    return None


def _shown(
    marks: Sequence[float], low: float | None, high: float | None, place: Callable[[float], float]
) -> Bar:
    known = [None if end is None else place(end) for end in (low, high)]
    return Bar(tuple(map(place, marks)), known[0], known[1])


def _of_ratio(times: float) -> float:
    """Its place on the bar, by its logarithm."""
    at = 0.5 + math.log(times) / math.log(WIDEST_RATIO) / 2 if times > 0 else 0.0
    return min(max(at, 0.0), 1.0)


def _of_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)

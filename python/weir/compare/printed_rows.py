"""Which measured row a printed number is to be held against.

A paper says little of a measurement: what it says must be equal, and what it does not may be anything.
"""

import math
from collections.abc import Collection, Iterator, Sequence

from weir.compare.settings import BALANCE
from weir.results.row import Row, median_of

Group = Sequence[Row]
"""The same row of each run of a side, the last run's last."""
BOUND = "bound"
"""The option of a printed number that is no value: "above", "from", "up to"."""


def printed_words(row: Row) -> str:
    """ "59.64 B/kflop", "above 2.67 B/flop": with all digits that are printed, five at most."""
    value = f"{median_of(row) / row.metric.scale:.5g} {row.metric.shown_unit}"
    return " ".join(filter(None, [str(row.options.get(BOUND, "")), value]))


def of_printed(ones: Collection[Group], others: Collection[Group]) -> Iterator[tuple[Group, Group]]:
    """The pairs of both sides of which at least one is printed. Of a balance, which has no size, those whose
    ranks are nearest."""
    for mine in ones:
        for yours in _nearest(mine[-1], others):
            if any(group is mine for group in _nearest(yours[-1], ones)):
                yield mine, yours


def _nearest(row: Row, groups: Collection[Group]) -> list[Group]:
    fitting = [group for group in groups if _are_of_the_same(row, group[-1])]
    least = min((_distance(row, group[-1]) for group in fitting), default=0.0)
    return [group for group in fitting if _distance(row, group[-1]) == least]


def _are_of_the_same(one: Row, other: Row) -> bool:
    if not (one.place or other.place):
        return False
    if (one.benchmark, one.phase, one.metric.key) != (other.benchmark, other.phase, other.metric.key):
        return False
    if one.benchmark != BALANCE and one.ranks != other.ranks and 0 not in (one.ranks, other.ranks):
        return False
    printed, measured = (one, other) if one.place else (other, one)
    said = {key: value for key, value in printed.options.items() if key != BOUND}
    known = {**said, **measured.options} if measured.place else measured.options
    return all(known.get(key) == value for key, value in said.items())


def _distance(one: Row, other: Row) -> float:
    """In logarithms of ranks; none where the ranks are not printed."""
    if 0 in (one.ranks, other.ranks):
        return 0.0
    return abs(math.log(one.ranks / other.ranks))

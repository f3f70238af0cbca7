"""Two rows that differ in one thing, and whether the difference is more than noise."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass

from weir.findings.row import Row, directions, measured


@dataclass(frozen=True)
class Ratio:
    """How many times as fast `one` is as `other`, with an interval [`low`, `high`], null where one has none.

    The interval divides opposite ends of the two 95 % intervals: it holds with at least 90 % confidence,
    since the chances of either being wrong add up at most (Bonferroni's inequality).
    """

    one: Row
    other: Row
    ratio: float
    low: float | None
    high: float | None

    @property
    def different(self) -> bool | None:
        """True where the intervals do not overlap, null where that cannot be told."""
        if self.low is None or self.high is None:
            return None
        return self.low > 1 or self.high < 1


def compare(one: Row, other: Row) -> Ratio | None:
    """The ratio of two rows; null where one has no number or 0, or they are of two metrics."""
    top, bottom = (one, other) if one.metric.greater_is_better else (other, one)
    if one.metric != other.metric or not top.median or not bottom.median:
        return None
    low = top.low / bottom.high if top.low is not None and bottom.high else None
    high = top.high / bottom.low if top.high is not None and bottom.low else None
    return Ratio(one, other, top.median / bottom.median, low, high)


def alike(row: Row, ignoring: Collection[str]) -> str:
    """A key that is equal for rows that differ in nothing but what is named in `ignoring`:
    options, `phase`, `ranks`, `mpi_io`, `env`."""
    options = {key: value for key, value in row.options.items() if key not in ignoring}
    beside = {"phase": row.phase, "ranks": row.ranks, "mpi_io": row.mpi_io, "env": dict(row.env)}
    beside = {key: value for key, value in beside.items() if key not in ignoring}
    return json.dumps([row.benchmark, beside, options], sort_keys=True, default=str)


def not_shared(rows: list[Row]) -> set[str]:
    """Options that not all rows have: they belong to one way of doing it, and set nothing else apart."""
    every = [set(row.options) for row in rows]
    return set().union(*every).difference(every[0].intersection(*every)) if every else set()


def pairs(
    rows: list[Row], ignoring: Collection[str], is_one: Callable[[Row], bool], is_other: Callable[[Row], bool]
) -> list[Ratio]:
    """Ratios of all pairs of rows that are alike but for `ignoring`: writes first, then by transfer size."""
    others = {alike(row, ignoring): row for row in measured(rows) if is_other(row)}
    found = [
        compare(row, others[alike(row, ignoring)])
        for row in measured(rows)
        if is_one(row) and alike(row, ignoring) in others
    ]
    order = directions(rows)
    return sorted(
        filter(None, found), key=lambda ratio: (order.index(ratio.one.direction), _transfer(ratio.one))
    )


def _transfer(row: Row) -> int:
    return int(row.options.get("transfer") or 0)

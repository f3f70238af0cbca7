"""From which size, or how many ranks, bandwidth no longer grows, laid to rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weir.analyse import saturation
from weir.findings.row import Row, measured, median_of

POINTS_NEEDED = 3


@dataclass(frozen=True)
class RowSaturation:
    """`at` is where it saturates, `best` has the best median, `last` the largest x.

    `still_rising`: only the largest x reached the best, so that more might give more. `settled`: noise
    leaves no doubt about `at`. `falls_to`: the worst row beyond `best` whose whole interval lies below the
    tolerance, or null.
    """

    at: Row
    best: Row
    last: Row
    still_rising: bool
    settled: bool
    falls_to: Row | None


def find_saturation(rows: list[Row], x: Callable[[Row], float]) -> RowSaturation | None:
    """Saturation over `x`; null for fewer than three points."""
    by_x = {x(row): row for row in measured(rows)}
    points = [saturation.Point(value, median_of(row), row.low, row.high) for value, row in by_x.items()]
    found = saturation.find_saturation(points) if len(points) >= POINTS_NEEDED else None
    if found is None:
        return None
    enough = (1 - saturation.TOLERANCE) * found.best.median
    fallen = [p for p in points if p.value > found.best.value and p.high is not None and p.high < enough]
    worst = min(fallen, key=lambda point: point.median, default=None)
    return RowSaturation(
        at=by_x[found.value],
        best=by_x[found.best.value],
        last=by_x[max(by_x)],
        still_rising=found.at_edge,
        settled=found.settled,
        falls_to=by_x[worst.value] if worst else None,
    )

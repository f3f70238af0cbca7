"""The way through the waits, from the run's end back to its beginning."""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct

from .waits import Waits

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Path:
    """From each of `starts` on, up to the next or `end`, all depended on that rank."""

    starts: Integers
    rank: Integers
    end: int

    @property
    def ends(self) -> Integers:
        """Of each turn."""
        return np.append(self.starts[1:], self.end)


def path_through(waits: Waits, last: int, end: int) -> Path:
    """`last` is the rank that ended last, at `end`.

    Where it waited, all depended on the rank it waited for, up to the time when that one came.
    """
    of_rank = _by_rank(waits)
    turns: list[tuple[int, int]] = []
    rank, now = last, end
    left = {one: stop - start for one, (start, stop) in of_rank.items()}
    ends = waits.end.tolist()
    while rank in of_rank:
        start = of_rank[rank][0]
        at = bisect_right(ends, now, start, start + left[rank]) - 1
        if at < start:
            break
        left[rank] = at - start  # so that a damaged clock leads nobody in circles
        turns.append((int(waits.until[at]), rank))
        rank, now = int(waits.whom[at]), int(waits.until[at])
    turns.append((min(0, now), rank))
    starts, ranks = np.array(turns[::-1], np.int64).T
    return Path(np.maximum.accumulate(starts), ranks, end)


def _by_rank(waits: Waits) -> dict[int, tuple[int, int]]:
    """Where the waits of each rank begin and end."""
    ranks, first, counts = np.unique(waits.rank, return_index=True, return_counts=True)
    return {
        rank: (start, start + count)
        for rank, start, count in zip(ranks.tolist(), first.tolist(), counts.tolist(), strict=True)
    }


class Clocked:
    """How much of a time span of a rank is on the path, and how much others waited meanwhile."""

    def __init__(self, path: Path, waits: Waits, ranks: int) -> None:
        edges = np.concatenate([waits.begin, waits.until])
        step = np.concatenate([np.ones(len(waits.begin)), -np.ones(len(waits.until))])
        knots = distinct(np.concatenate([path.starts, [path.end], edges]))
        knots = knots[(knots >= path.starts[0]) & (knots <= path.end)]
        waiting = np.zeros(len(knots))
        np.add.at(waiting, np.clip(np.searchsorted(knots, edges), 0, len(knots) - 1), step)
        share = np.cumsum(waiting)[:-1] / max(1, ranks - 1)
        took = np.diff(knots.astype(np.float64))  # of a damaged trace, beyond integers
        on = path.rank[np.searchsorted(path.starts, knots[:-1], "right") - 1]
        order = np.argsort(on, kind="stable")
        found, first = np.unique(on[order], return_index=True)
        self._of: dict[int, tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]] = {}
        for rank, some in zip(found.tolist(), np.split(order, first[1:]), strict=True):
            times = np.stack([knots[some], knots[some + 1]], axis=1).ravel().astype(np.float64)
            self._of[rank] = times, _summed(took[some]), _summed(took[some] * share[some])

    @property
    def ranks(self) -> list[int]:
        """That are on the path."""
        return list(self._of)

    def whole_ns(self, rank: int) -> float:
        """Its time on the path."""
        return float(self._of[rank][1][-1])

    def between(
        self, rank: int, begin: Integers, end: Integers
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each of these spans of a rank: its time on the path, and how long the others waited in it, on
        the average."""
        if rank not in self._of:
            return np.zeros(len(begin)), np.zeros(len(begin))
        times, on, waited = self._of[rank]
        own = np.interp(end, times, on) - np.interp(begin, times, on)
        return own, np.interp(end, times, waited) - np.interp(begin, times, waited)


def _summed(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums before and after each part."""
    after = np.cumsum(parts)
    return np.stack([after - parts, after], axis=1).ravel()

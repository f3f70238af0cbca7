"""The search for the file size from which on bandwidth no longer depends on it. Pure: measuring is handed in.

An exhaustive sweep spends most of its bytes far beyond memory, and measures each size as often as the rest.
But where the cache must end is nearly known beforehand. So the search begins just beyond that, asks whether
doubling the size changes anything, and then goes down in halves until it does. All samples of flat sizes make
one plateau, so that no single size needs many.

Rule: a direction is flat from that size on whose median, and that of every larger size measured, is within
FLAT of the plateau's, where the two largest sizes are within FLAT of each other. Source: H. Shan and
J. Shalf, Using IOR to Analyze the I/O Performance for HPC Platforms (2007), section 5.2.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.curve import FLAT, Curve, Match, compare
from weir.calibrate.sizes import halvings

WRITE, READ = "write", "read"
DIRECTIONS = (WRITE, READ)
MOST_SAMPLES = 3
"""Of one size, to tell whether it is flat. The plateau as a whole gets more, for its interval."""
SAMPLES_OF_PAIR = ((2, 1), (2, 2), (3, 2), (3, 3))
"""How many of the smaller and of the larger of two sizes are taken, as long as they tell nothing."""
LEAST_STEP = 1.3
"""A size that is not this many times larger tells too little about the derivative."""
CHEAP = 8
"""Sizes so many times smaller than the first cost next to nothing, but starting does: all are measured at
once."""

Measure = Callable[[Sequence[int], bool], Sequence[Mapping[str, float]]]
"""Writes files of these sizes a rank in this order, and reads each if asked; bandwidths by direction."""
Refusal = Callable[[Sequence[int], bool], str]
"""Why these sizes may not be measured (bytes, time, space); empty if they may."""


@dataclass(frozen=True)
class Range:
    """Sizes a rank in bytes: where to start, how far down and up to go, and what all are multiples of."""

    start: int
    least: int
    most: int
    multiple: int


@dataclass(frozen=True)
class Plateau:
    """What was found of one direction; sizes a rank in bytes."""

    flat: tuple[int, ...] = ()
    """Sizes measured on the plateau, growing; none where there is no plateau."""
    below: int | None = None
    """The next smaller size measured, which is not on it; None if there is none."""
    falls: bool = False
    """Bandwidth at `below` is higher than on the plateau: a cliff."""
    why: str = ""
    """What kept the search from finding the plateau, or from looking for its lower end."""


@dataclass
class Search:
    """One search, to be run once."""

    measure: Measure
    refusal: Refusal
    range: Range
    curves: dict[str, Curve] = field(default_factory=lambda: {name: Curve() for name in DIRECTIONS})
    _stopped: str = ""

    def run(self) -> dict[str, Plateau]:
        """The plateau of each direction. What `measure` raises is passed on; `curves` keeps the samples."""
        found = {name: Plateau() for name in DIRECTIONS}
        low = self.range.start
        while open_names := [name for name in DIRECTIONS if not found[name].flat]:
            high = min(2 * low, self.range.most)
            if high < LEAST_STEP * low or not self._tell(low, high, open_names):
                why = self._stopped or "it still changes with size at the largest size"
                found |= {name: replace(found[name], why=why) for name in open_names}
                break
            found |= {name: self._top(name, low, high) for name in open_names}
            # Smaller sizes cost less than the next larger one, so those come first.
            found = self._descend(found)
            low = high
        self._fill(found)
        self._take_cheap()
        return found

    def _tell(self, low: int, high: int, names: Sequence[str]) -> bool:
        """Measure the two in turn until each direction tells whether they are the same; False if stopped."""
        reads = READ in names
        for at_low, at_high in SAMPLES_OF_PAIR:
            wanted = {low: at_low, high: at_high}
            rounds = [s for _ in range(MOST_SAMPLES) for s in (low, high)]
            missing = {s: n - min(len(self.curves[name].at(s)) for name in names) for s, n in wanted.items()}
            batch = [size for at, size in enumerate(rounds) if at // 2 < missing[size]]
            if batch and not self._take(batch, reads=reads):
                return False
            if not any(self._match_pair(name, low, high) is Match.UNSURE for name in names):
                return True
        return True

    def _top(self, name: str, low: int, high: int) -> Plateau:
        if self._match_pair(name, low, high) is Match.OTHER:
            return Plateau(below=low, falls=self._higher(name, low, [high]))
        return Plateau(flat=(low, high))

    def _descend(self, plateaus: dict[str, Plateau]) -> dict[str, Plateau]:
        """Go down in halves from where a direction is flat to where it is not."""
        found = dict(plateaus)
        for size in halvings(self.range.start, self.range.least, self.range.multiple):
            open_names = [
                n for n in DIRECTIONS if found[n].flat and found[n].below is None and found[n].flat[0] > size
            ]
            if not open_names:
                break
            if not self._look_at(size, found, open_names):
                return found | {name: replace(found[name], why=self._stopped) for name in open_names}
            for name in open_names:
                found[name] = self._extend(name, found[name], size)
        return found

    def _look_at(self, size: int, plateaus: Mapping[str, Plateau], names: Sequence[str]) -> bool:
        """Measure a size until it is told whether it is on the plateaus; False if stopped."""
        if size in self._cheap_sizes() and not self._take_cheap():
            return False
        for count in range(1, MOST_SAMPLES + 1):
            missing = count - min(len(self.curves[name].at(size)) for name in names)
            if missing > 0 and not self._take([size] * missing, reads=READ in names):
                return False
            if not any(self._match(name, plateaus[name], size) is Match.UNSURE for name in names):
                break
        return True

    def _extend(self, name: str, plateau: Plateau, size: int) -> Plateau:
        match = self._match(name, plateau, size)
        pool = self.curves[name].pool(plateau.flat)
        middle = statistics.median(self.curves[name].at(size))
        if match is Match.SAME or (match is Match.UNSURE and min(pool) <= middle <= max(pool)):
            return replace(plateau, flat=(size, *plateau.flat))
        return replace(plateau, below=size, falls=self._higher(name, size, plateau.flat))

    def _fill(self, plateaus: Mapping[str, Plateau]) -> None:
        """Measure the smallest flat sizes again until the plateaus have intervals."""
        for name in reversed(DIRECTIONS):
            flat = plateaus[name].flat
            missing = FEWEST_SAMPLES - len(self.curves[name].pool(flat))
            for _ in range(missing if flat else 0):
                if not self._take([flat[0]], reads=name == READ):
                    return

    def _cheap_sizes(self) -> list[int]:
        every = halvings(self.range.start, self.range.least, self.range.multiple)
        return [size for size in every if size * CHEAP <= self.range.start]

    def _take_cheap(self) -> bool:
        """Two samples of all cheap sizes, for the plateau if it reaches down to them, and for the picture."""
        missing = [size for size in self._cheap_sizes() if not self.curves[READ].at(size)]
        return not missing or self._take([*missing, *missing])

    def _take(self, sizes: Sequence[int], *, reads: bool = True) -> bool:
        """Measure these sizes if that is allowed."""
        self._stopped = self.refusal(sizes, reads)
        if self._stopped:
            return False
        for size, bandwidths in zip(sizes, self.measure(sizes, reads), strict=True):
            for name, bandwidth in bandwidths.items():
                self.curves[name].add(size, bandwidth)
        return True

    def _match_pair(self, name: str, low: int, high: int) -> Match:
        """Less than a double may change less."""
        flat = FLAT * math.log2(high / low)
        return compare(self.curves[name].at(low), self.curves[name].at(high), flat)

    def _match(self, name: str, plateau: Plateau, size: int) -> Match:
        """Against the two largest sizes: a plateau that took in each next size would creep down a slope."""
        return compare(self.curves[name].pool(plateau.flat[-2:]), self.curves[name].at(size))

    def _higher(self, name: str, size: int, than: Sequence[int]) -> bool:
        curve = self.curves[name]
        return statistics.median(curve.at(size)) > statistics.median(curve.pool(than))

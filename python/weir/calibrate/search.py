"""The search for the file size from which on bandwidth no longer depends on it. Pure: the caller passes the
function that measures.

An exhaustive sweep writes most of its bytes at sizes far larger than memory, and takes as many samples of
each size. But the size of the cache is nearly known in advance. So the search starts just above it, tests
whether doubling the size changes the bandwidth, and then halves the size until it does. The samples of all
flat sizes are pooled into one plateau, so that no single size needs many.

Rule: a direction is flat from that size on whose median, and that of every larger size measured, is within
FLAT of the plateau's, where the two largest sizes are within FLAT of each other. Source: H. Shan and
J. Shalf, Using IOR to Analyze the I/O Performance for HPC Platforms (2007), section 5.2.

Which sizes to measure next is a function of the samples alone, so a search can resume from any samples.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import NamedTuple

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.calibration import DIRECTIONS, READ, Level

FLAT = 0.10
"""Doubling the size changes the bandwidth by no more than this where the curve is flat."""
MOST_SAMPLES = 3
"""Of one size, to decide whether it is flat. The plateau as a whole gets more, for its interval."""
SAMPLES_OF_PAIR = ((2, 1), (2, 2), (3, 2), (3, 3))
"""How many of the smaller and of the larger of two sizes are taken, as long as they decide nothing."""
CHEAP = 8
"""Sizes so many times smaller than the first cost less than a launch does: all are measured in one launch."""
ENOUGH = 40
"""Samples of one size, at most: more would not narrow the interval much."""

TIMES_MEMORY = 4
"""As far as an exhaustive sweep goes, and a search at most."""
LEAST_STEP = 1.3
"""A size that is not this many times larger says too little about the derivative."""

Measure = Callable[[Sequence[int], bool], Sequence[Mapping[str, float]]]
"""Writes files of these sizes a rank in this order, and reads each if asked; bandwidths by direction."""
Refusal = Callable[[Sequence[int], bool], str]
"""Why these sizes may not be measured (bytes, time, space); empty if they may."""


@dataclass(frozen=True)
class Range:
    """Where a search starts, how far down and up it goes, and what all sizes are multiples of."""

    start: int
    least: int
    most: int
    multiple: int

    def cut_to(self, most: int) -> "Range":
        """The range with sizes of at most `most`; a search needs two, one about the double of the other."""
        multiple = self.multiple
        most = max(min(self.most, most), 2 * multiple) // multiple * multiple
        start = self.start if self.fits(most) else max(most // (2 * multiple), 1) * multiple
        return Range(start, min(self.least, start), most, multiple)

    @property
    def halves(self) -> list[int]:
        """The sizes below the start."""
        return halvings(self.start, self.least, self.multiple)

    def fits(self, most: int) -> bool:
        """Whether there is a larger size up to `most` to hold the first against."""
        return self.start * LEAST_STEP <= min(self.most, most)


def round_up(size: float, multiple: int = 1) -> int:
    """The least size of the form 8 to 15 times a power of two, which a person can say, that is at least
    `size`, and a multiple of `multiple`."""
    whole = max(math.ceil(size), 1)
    step = 1 << max(whole.bit_length() - 4, 0)
    rounded = -(-whole // step) * step
    return -(-rounded // multiple) * multiple


def halvings(size: int, least: int, multiple: int) -> list[int]:
    """Half of `size`, a quarter, and so on, each rounded up to a multiple, down to `least`."""
    found: list[int] = []
    while (size := -(-size // (2 * multiple)) * multiple) >= least and size not in found:
        found.append(size)
    return found


def exhaustive_sizes(memory: int, ranks: int, least: int, multiple: int) -> list[int]:
    """Sizes of an exhaustive sweep in doublings, from about `least` until all ranks' files have
    four times the memory."""
    top = TIMES_MEMORY * memory // ranks // multiple * multiple
    return sorted([top, *halvings(top, least, multiple)])


class Match(Enum):
    """Whether bandwidths are the same."""

    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"


def compare(level: Sequence[float], other: Sequence[float], flat: float = FLAT) -> Match:
    """Same if the medians differ by no more than `flat`; other if all samples of one side differ by more from
    all of the other. Both hold at least one positive sample; single samples can only show sameness.
    """
    change = abs(math.log(statistics.median(other) / statistics.median(level)))
    if change <= math.log1p(flat):
        return Match.SAME
    gap = max(min(other) / max(level), min(level) / max(other))
    return Match.OTHER if gap > 1 + flat and min(len(level), len(other)) > 1 else Match.UNSURE


class Curve(dict[int, list[float]]):
    """Samples of one direction in bytes a second, by size in bytes a rank."""

    def pool(self, sizes: Iterable[int]) -> list[float]:
        """The pooled samples of several sizes."""
        return [bandwidth for size in sizes for bandwidth in self.get(size, [])]

    def count(self, size: int) -> int:
        """How many samples of a size there are."""
        return len(self.get(size, []))


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

    def is_sure(self, curve: Curve) -> bool:
        """Whether where it begins is distinct from noise: no sample of the size below lies among its own, or,
        since of many samples some will, the intervals do not overlap; where none is below, by a narrow
        interval."""
        pool = curve.pool(self.flat)
        flat = Level.of(pool)
        if self.below is None or flat is None:
            return self.below is None and flat is not None and flat.is_precise
        below = curve[self.below]
        if min(below) > max(pool) or max(below) < min(pool):
            return True
        other = Level.of(below)
        return other is not None and flat.overlaps(other) is False


class Stage(IntEnum):
    """Why sizes are measured, in order of priority: smaller sizes cost less than the next larger one."""

    FIRST_PAIR = 0
    DOWN = 1
    UP = 2
    INTERVAL = 3
    PICTURE = 4
    NOISE = 5


class Step(NamedTuple):
    """Sizes to measure next, in this order."""

    stage: Stage
    sizes: Sequence[int]
    reads: bool


@dataclass
class Search:
    """One search. With `through_noise`, while noise hides where a plateau begins, it takes more samples of
    the two sizes around that place."""

    measure: Measure
    refusal: Refusal
    range: Range
    curves: dict[str, Curve] = field(default_factory=lambda: {name: Curve() for name in DIRECTIONS})
    through_noise: bool = False
    _refused: dict[tuple[str, Stage], str] = field(default_factory=dict)

    def run(self) -> dict[str, Plateau]:
        """The plateau of each direction. What `measure` raises is passed on; `curves` keeps the samples."""
        self._refused.clear()
        while True:
            looks = {name: self._look(name) for name in DIRECTIONS}
            steps = [(step, name) for name, (_, step) in looks.items() if step]
            if not steps:
                return {name: plateau for name, (plateau, _) in looks.items()}
            # Of two directions at one stage the one at the larger size goes first: both use its samples.
            step, name = min(steps, key=lambda one: (one[0].stage, -max(one[0].sizes), not one[0].reads))
            # What is written is read as well while reading still wants samples: it costs no more bytes.
            reads = any(each.reads for each, _ in steps)
            why = self.refusal(step.sizes, reads)
            if why:
                self._refused[name, max(step.stage, Stage.UP)] = why
                continue
            for size, bandwidths in zip(step.sizes, self.measure(step.sizes, reads), strict=True):
                for direction, bandwidth in bandwidths.items():
                    self.curves[direction].setdefault(size, []).append(bandwidth)

    def _look(self, name: str) -> tuple[Plateau, Step | None]:
        """The plateau of a direction as far as the samples show it, and the next step; None where no step
        would show more, or none is allowed."""
        found, step = self._up(name)
        if found.flat:
            found, step = self._down(name, found)
        if step:
            why = self._refused.get((name, Stage.UP))
            if why is None:
                return found, step
            found = replace(found, why=why)
        allowed = (s for s in self._support(name, found) if s.sizes and (name, s.stage) not in self._refused)
        return found, next(allowed, None)

    def _up(self, name: str) -> tuple[Plateau, Step | None]:
        """From the start up until doubling a size changes nothing."""
        curve, found, low = self.curves[name], Plateau(), self.range.start
        while (high := min(2 * low, self.range.most)) >= LEAST_STEP * low:
            missing, match = _compare_pair(curve, low, high)
            if missing:
                stage = Stage.FIRST_PAIR if low == self.range.start else Stage.UP
                return found, Step(stage, missing, name == READ)
            if match is not Match.OTHER:
                # A size that differed on the way up is not taken for the edge: so few samples may mislead.
                return Plateau(flat=(low, high)), None
            found, low = Plateau(below=low, falls=_is_higher(curve, low, [high])), high
        return replace(found, why="it still changes with size at the largest size"), None

    def _down(self, name: str, found: Plateau) -> tuple[Plateau, Step | None]:
        """From the start down in halves to where bandwidth is another one."""
        curve = self.curves[name]
        for size in self.range.halves:
            # Against the two largest sizes: a plateau that took in each next size would creep down a slope.
            count, top = curve.count(size), curve.pool(found.flat[-2:])
            match = compare(top, curve[size]) if count else Match.UNSURE
            if match is Match.UNSURE and count < MOST_SAMPLES:
                cheap = [] if count else self._cheap(name)
                is_cheap = size in cheap
                return found, Step(Stage.DOWN, cheap if is_cheap else [size], name == READ or is_cheap)
            pool = curve.pool(found.flat)
            is_within = min(pool) <= statistics.median(curve[size]) <= max(pool)
            if match is Match.OTHER or (match is Match.UNSURE and not is_within):
                return replace(found, below=size, falls=_is_higher(curve, size, found.flat)), None
            found = replace(found, flat=(size, *found.flat))
        return found, None

    def _support(self, name: str, found: Plateau) -> Iterator[Step]:
        """Steps after the plateau is known: for its interval, for the table of sizes, against noise."""
        curve, reads = self.curves[name], name == READ
        if found.flat and len(curve.pool(found.flat)) < FEWEST_SAMPLES:
            yield Step(Stage.INTERVAL, found.flat[:1], reads)
        if reads:
            yield Step(Stage.PICTURE, self._cheap(name), reads)
        if self.through_noise and not found.is_sure(curve):
            sizes = [found.below, found.flat[0]] if found.flat else sorted(curve)[-2:]
            telling = [size for size in sizes if size]
            if min(map(curve.count, telling), default=ENOUGH) < ENOUGH:
                yield Step(Stage.NOISE, telling, reads)

    def _cheap(self, name: str) -> list[int]:
        """Each cheap size that is not measured yet, twice."""
        missing = [
            s for s in self.range.halves if s * CHEAP <= self.range.start and not self.curves[name].count(s)
        ]
        return [*missing, *missing]


def _compare_pair(curve: Curve, low: int, high: int) -> tuple[list[int], Match]:
    """The samples that are missing to decide whether the two are the same; none missing, whether they are."""
    match = Match.UNSURE
    for at_low, at_high in SAMPLES_OF_PAIR:
        missing = {low: at_low - curve.count(low), high: at_high - curve.count(high)}
        sizes = [size for times in range(MOST_SAMPLES) for size in missing if times < missing[size]]
        if sizes:
            return sizes, Match.UNSURE
        # Less than a double may change less.
        match = compare(curve[low], curve[high], FLAT * math.log2(high / low))
        if match is not Match.UNSURE:
            break
    return [], match


def _is_higher(curve: Curve, size: int, than: Sequence[int]) -> bool:
    return statistics.median(curve[size]) > statistics.median(curve.pool(than))

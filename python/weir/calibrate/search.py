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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import median

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.calibration import DIRECTIONS, Level, Side, Size

FLAT = 0.10
"""Doubling the size changes the bandwidth by no more than this where the curve is flat."""
MOST_SAMPLES = 3
"""Of one size, to decide whether it is flat. The plateau as a whole gets more, for its interval."""
CHEAP = 8
"""Sizes so many times smaller than the first cost less than a launch does: all are measured in one launch."""
ENOUGH = 40
"""Samples of one size, at most: more would not narrow the interval much."""
TIMES_MEMORY = 4
"""As far as an exhaustive sweep goes, and a search at most."""
LEAST_STEP = 1.3
"""A size that is not this many times larger says too little about the derivative."""

Curve = Mapping[int, Sequence[float]]
"""Samples of one direction in bytes a second, by size in bytes a rank."""
Match = Enum("Match", ["SAME", "OTHER", "UNSURE"])
"""Whether bandwidths are the same."""


@dataclass(frozen=True)
class Sizes:
    """Where a search starts, how far down and up it goes, and what all sizes are multiples of."""

    start: int
    least: int
    most: int
    multiple: int
    cut: str = ""
    """What keeps the search from starting where it should, in words; empty where nothing does."""

    def cut_to(self, most: int, why: str) -> "Sizes":
        """The sizes up to `most`; a search needs two, one about the double of the other."""
        most = max(min(self.most, most), 2 * self.multiple) // self.multiple * self.multiple
        if self.start * LEAST_STEP <= most:
            return replace(self, most=most, cut="")
        start = max(most // (2 * self.multiple), 1) * self.multiple
        return replace(self, start=start, least=min(self.least, start), most=most, cut=why)

    @property
    def halves(self) -> list[int]:
        """The sizes below the start."""
        return halvings(self.start, self.least, self.multiple)


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


def compare(level: Sequence[float], other: Sequence[float], flat: float = FLAT) -> Match:
    """Same if the medians differ by no more than `flat`; other if all samples of one side differ by more from
    all of the other. Single samples can only show sameness, none shows nothing.
    """
    if not level or not other:
        return Match.UNSURE
    if abs(math.log(median(other) / median(level))) <= math.log1p(flat):
        return Match.SAME
    gap = max(min(other) / max(level), min(level) / max(other))
    return Match.OTHER if gap > 1 + flat and min(len(level), len(other)) > 1 else Match.UNSURE


@dataclass
class Search:
    """One search. With `through_noise`, while noise hides where a plateau begins, it takes more samples of
    the two sizes around that place."""

    measure: Callable[[Sequence[int]], None]
    """Writes and reads files of these sizes a rank in this order, and adds the samples to `curves`."""
    refusal: Callable[[Sequence[int]], str]
    """Why these sizes may not be measured (bytes, time, space); empty if they may."""
    sizes: Sizes
    curves: Mapping[str, Curve]
    through_noise: bool = False

    def run(self) -> dict[str, Side]:
        """What was found of each direction. What `measure` raises is passed on."""
        while True:
            looks = {name: self._look(self.curves[name]) for name in DIRECTIONS}
            steps = [sizes for _, sizes in looks.values() if sizes]
            if not steps:
                return {name: side for name, (side, _) in looks.items()}
            self.measure(min(steps, key=sum))  # the cheapest first: its samples are of both directions

    def _look(self, curve: Curve) -> tuple[Side, Sequence[int]]:
        """A direction as far as the samples show it, and the sizes to measure next; none where no step would
        show more, or none is allowed."""
        flat, below, missing = self._up(curve)
        if flat:
            flat, below, missing = self._down(curve, flat)
        side = side_of(curve, flat, below)
        if missing:
            side.why = self.refusal(missing)
            if not side.why:
                return side, missing
        elif not flat:
            side.why = "it still changes with size at the largest size"
        allowed = (sizes for sizes in self._support(curve, side) if sizes and not self.refusal(sizes))
        return side, next(allowed, [])

    def _up(self, curve: Curve) -> "Found":
        """From the start up until doubling a size changes nothing."""
        low, below = self.sizes.start, None
        while (high := min(2 * low, self.sizes.most)) >= LEAST_STEP * low:
            if low not in curve or high not in curve:
                return (), below, [high] if low in curve else [low, high, low]
            # Less than a double may change less.
            match = compare(curve[low], curve[high], FLAT * math.log2(high / low))
            fewest = min(low, high, key=lambda size: len(curve[size]))
            if match is Match.UNSURE and len(curve[fewest]) < MOST_SAMPLES:
                return (), below, [fewest]
            if match is not Match.OTHER:
                # A size that differed on the way up is not taken for the edge: so few samples may mislead.
                return (low, high), None, []
            low, below = high, low
        return (), below, []

    def _down(self, curve: Curve, flat: tuple[int, ...]) -> "Found":
        """From the start down in halves to where bandwidth is another one."""
        for size in self.sizes.halves:
            # Against the two largest sizes: a plateau that took in each next size would creep down a slope.
            samples = curve.get(size, [])
            match = compare(pooled(curve, flat[-2:]), samples)
            if match is Match.UNSURE and len(samples) < MOST_SAMPLES:
                cheap = self._cheap(curve)
                return flat, None, cheap if size in cheap else [size]
            pool = pooled(curve, flat)
            is_within = min(pool) <= median(samples) <= max(pool)
            if match is Match.OTHER or (match is Match.UNSURE and not is_within):
                return flat, size, []
            flat = (size, *flat)
        return flat, None, []

    def _support(self, curve: Curve, side: Side) -> Iterator[Sequence[int]]:
        """Steps after the plateau is known: for its interval, for the table of sizes, against noise."""
        if side.plateau and side.plateau.n < FEWEST_SAMPLES:
            yield [side.size_bytes or 0]
        yield self._cheap(curve)
        if self.through_noise and not side.sure:
            telling = [side.below_bytes, side.size_bytes] if side.plateau else sorted(curve)[-2:]
            sizes = [size for size in telling if size]
            if min((len(curve[size]) for size in sizes), default=ENOUGH) < ENOUGH:
                yield sizes

    def _cheap(self, curve: Curve) -> Sequence[int]:
        """Each cheap size that is not measured yet, twice."""
        return 2 * [s for s in self.sizes.halves if s * CHEAP <= self.sizes.start and s not in curve]


Found = tuple[tuple[int, ...], int | None, Sequence[int]]
"""The sizes on the plateau, growing; the largest one that is not; and sizes missing to tell more."""


def side_of(curve: Curve, flat: Sequence[int], below: int | None) -> Side:
    """What the samples show, given the sizes on the plateau and the next smaller one, which is not.

    Where the plateau begins is distinct from noise if the size below is, or where none is below, if its own
    interval is narrow.
    """
    pool = pooled(curve, flat)
    level = Level.of(pool) if pool else None
    side = Side(
        plateau=level,
        size_bytes=flat[0] if flat else None,
        below_bytes=below,
        precise=level is not None and level.is_precise,
        sizes=[Size(bytes=s, level=Level.of(curve[s]), flat=s in flat) for s in sorted(curve)],
    )
    side.sure = side.precise
    if below is not None:
        other = curve[below]
        side.falls = median(other) > median(pool or curve[min(size for size in curve if size > below)])
        side.sure = bool(pool) and _are_distinct(other, pool)
    return side


def pooled(curve: Curve, sizes: Iterable[int]) -> list[float]:
    """The samples of several sizes."""
    return [bandwidth for size in sizes for bandwidth in curve[size]]


def _are_distinct(some: Sequence[float], others: Sequence[float]) -> bool:
    """Whether no sample of one lies among the other's, or, since of many samples some will, whether the
    intervals do not overlap."""
    if min(some) > max(others) or max(some) < min(others):
        return True
    return Level.of(some).overlaps(Level.of(others)) is False

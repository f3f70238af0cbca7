"""Bandwidths measured at sizes, and whether two of them are the same."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

FLAT = 0.10
"""Doubling the size changes the bandwidth by no more than this where the curve is flat."""


class Match(Enum):
    """Whether bandwidths are the same."""

    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"


def compare(level: Sequence[float], other: Sequence[float], flat: float = FLAT) -> Match:
    """Same if the medians differ by no more than `flat`; other if all samples of one side differ by more from
    all of the other. Both hold at least one positive sample; of single samples only sameness can be told.
    """
    change = abs(math.log(statistics.median(other) / statistics.median(level)))
    if change <= math.log1p(flat):
        return Match.SAME
    gap = max(min(other) / max(level), min(level) / max(other))
    return Match.OTHER if gap > 1 + flat and min(len(level), len(other)) > 1 else Match.UNSURE


@dataclass
class Curve:
    """Samples of one direction by size in bytes a rank."""

    samples: dict[int, list[float]] = field(default_factory=dict)

    def add(self, size: int, bandwidth: float) -> None:
        """Take a sample in, in bytes a second."""
        self.samples.setdefault(size, []).append(bandwidth)

    def at(self, size: int) -> list[float]:
        """The samples at a size."""
        return self.samples.get(size, [])

    def pool(self, sizes: Iterable[int]) -> list[float]:
        """The samples of several sizes together."""
        return [bandwidth for size in sizes for bandwidth in self.at(size)]

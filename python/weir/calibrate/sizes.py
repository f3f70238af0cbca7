"""File sizes in bytes a rank: which to search among, and those of an exhaustive sweep."""

from __future__ import annotations

import math
from dataclasses import dataclass

TIMES_MEMORY = 4
"""As far as an exhaustive sweep goes, and a search at most."""
LEAST_STEP = 1.3
"""A size that is not this many times larger tells too little about the derivative."""


@dataclass(frozen=True)
class Range:
    """Where a search starts, how far down and up it goes, and what all sizes are multiples of."""

    start: int
    least: int
    most: int
    multiple: int

    def cut_to(self, most: int) -> Range:
        """The range with sizes of at most `most`; a search needs two, one about the double of the other."""
        multiple = self.multiple
        most = max(min(self.most, most), 2 * multiple) // multiple * multiple
        start = self.start if self.fits(most) else max(most // (2 * multiple), 1) * multiple
        return Range(start, min(self.least, start), most, multiple)

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
    """Sizes of an exhaustive sweep in doublings, from about `least` until the ranks' files together have
    four times the memory."""
    top = TIMES_MEMORY * memory // ranks // multiple * multiple
    return sorted([top, *halvings(top, least, multiple)])

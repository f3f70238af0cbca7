"""File sizes that a person can say: eighths between powers of two."""

import math

TIMES_MEMORY = 4
"""As far as an exhaustive sweep goes, and a search at most."""


def round_up(size: float, multiple: int = 1) -> int:
    """The least size of the form 8 to 15 times a power of two that is at least `size`, and a multiple
    of `multiple`."""
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
    """Bytes a rank of an exhaustive sweep in doublings, from about `least` until the ranks' files together
    have four times the memory."""
    top = TIMES_MEMORY * memory // ranks // multiple * multiple
    return sorted([top, *halvings(top, least, multiple)])

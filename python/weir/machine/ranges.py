"""The kernel's lists of numbers, such as "0-3,8"."""

from __future__ import annotations


def parse_range_list(text: str) -> list[int]:
    """Numbers of a kernel list; raises ValueError. Source: Linux admin-guide/cputopology.rst."""
    numbers: list[int] = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def parse_kernel_size(text: str) -> int:
    """Bytes of a size as in sysfs ("32K", "36608K", "2M"); raises ValueError."""
    factors = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    factor = factors.get(text[-1:].upper(), 1)
    return int(text[:-1] if factor > 1 else text) * factor

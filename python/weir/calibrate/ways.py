"""The ways to measure that are held against each other."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Way:
    """A name, what it is in words, and the options of the benchmark `storage` that make it."""

    name: str
    words: str
    options: dict[str, Any]
    settles: bool = False
    """Before the read, the files are synced outside the timing."""


THROUGH_CACHE = Way("cached", "through the page cache", {"sync": "never", "cache": "keep"}, settles=True)
DROPPED = Way(
    "dropped", 'synced and dropped from the cache (sync = "close", cache = "drop")',
    {"sync": "close", "cache": "drop"},
)  # fmt: skip
DIRECT = Way(
    "direct", "past the cache (direct = true)",
    {"sync": "close", "cache": "drop", "direct": True},
)  # fmt: skip
SHORT_WAYS = (DROPPED, DIRECT)
"""Those that a small file may suffice for."""

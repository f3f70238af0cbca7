"""Time as something that can be handed in."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time in seconds; only differences mean anything."""

    def now(self) -> float:
        """The time now."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """The time now."""
        return time.monotonic()


class ManualClock:
    """A clock that stands still until told to move; for tests."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now(self) -> float:
        """The time now."""
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Move on."""
        self._now_s += seconds

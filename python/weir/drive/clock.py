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

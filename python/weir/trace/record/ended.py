"""How a program that ran under the recorder has ended."""

from dataclasses import dataclass

from .kernel import Moved
from .running import Running


@dataclass(frozen=True)
class Ended:
    """What its launcher knows when it has waited for it."""

    process: int
    status: int
    """Its exit status, or minus the signal that killed it."""
    moved: Moved | None
    """By the kernel's count, with its descendants that have ended."""
    running: tuple[Running, ...] = ()
    """Those that have not."""

    @property
    def exit_status(self) -> int:
        """As a shell has it: 128 and the signal that killed it."""
        return self.status if self.status >= 0 else 128 - self.status

"""One option, as whoever carries it out declares it."""

from typing import Any

import msgspec

_NOT_OF_THE_PATTERN = ("backend", "hint", "hint_file", "dir", "keep", "cache", "repetitions", "interval")


class Option(msgspec.Struct):
    """One option of a benchmark, declared once, in the core."""

    name: str
    type: str
    unit: str | None = None
    default: Any = None
    min: float | None = None
    max: float | None = None
    choices: list[str] | None = None
    group: str | None = None
    help: str = ""
    alias: str | None = None
    """A word that one of the choices had before."""
    reach: str | None = None
    """What its value names outside of the run, as `code` or `input`; None: nothing."""
    inside: list[str] | None = None
    """Values of such an option that name nothing outside, beside its default."""

    @property
    def is_not_of_the_pattern(self) -> bool:
        """Whether it says how, where and how often something is asked of the storage, and not what."""
        by_name = self.name in _NOT_OF_THE_PATTERN
        return by_name or (self.group or "").endswith("back-end")

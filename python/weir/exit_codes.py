"""Exit codes of every `weir` verb. They are public: scripts and batch systems act on them."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the number that a `weir` command leaves behind means."""

    FINE = 0
    """All went well."""
    THRESHOLD = 1
    """A regression was found, or a threshold missed."""
    USAGE = 2
    """Wrong use or configuration; nothing ran."""
    CASE_FAILED = 3
    """A case could not run; the others did."""
    WRONG_DATA = 4
    """Data read back is not what was written."""
    INCONCLUSIVE = 5
    """Too noisy for any statement, or nothing to compare with."""
    NOTHING_SELECTED = 6
    """The selection is empty."""
    INTERNAL = 70
    """An error in Weir itself."""
    INTERRUPTED = 130
    """Stopped by the user or the system; what was finished is kept."""


def worst(codes: list[int]) -> int:
    """The greatest code: the rule by which `weir-core` and `weir run` sum up several failures. Fine if
    empty."""
    return max(codes, default=int(ExitCode.FINE))

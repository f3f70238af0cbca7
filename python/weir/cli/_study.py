"""Which study a verb is to plan or carry out, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StudyWish:
    """What `weir plan`, `weir run` and `weir evaluate` are told, and share."""

    study: str
    """A file, or the name of one of Weir's own."""
    directory: Path | None = None
    launcher: str = "mpirun"
    asked: tuple[str, ...] = ()
    """Optional comparisons that are to be run."""
    budget: str | None = None
    """As written; None: the study's."""
    keep: bool = False
    calibration: Path | None = None

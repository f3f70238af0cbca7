"""What the person asked for."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from weir.drive.scratch import check_directory

RUNS = Path("runs")


@dataclass(frozen=True)
class Wish:
    """A pattern to replay; `ranks` None is the pattern's own number, `out` None a new folder."""

    pattern: Path
    backend: str = "posix"
    directory: Path | None = None
    ranks: int | None = None
    gaps: bool = True
    repetitions: int = 6
    budget_s: float = 3600.0
    out: Path | None = None
    keep: bool = False
    launcher: str = "mpirun"

    def choose_out(self, now: datetime.datetime) -> Path:
        """The run that was asked for, or a new one named by pattern and time."""
        return self.out or RUNS / f"replay-{self.pattern.stem}-{now:%Y%m%d-%H%M%S}"

    def check(self) -> None:
        """Raises WeirError where the storage is not there."""
        check_directory(self.directory or Path())

"""A side of a comparison: a run, or a folder of runs that repeat each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.report.gather import Contents, gather
from weir.results.row import Row, measured
from weir.store.run_directory import RunDirectory


@dataclass(frozen=True)
class Side:
    """`path`: as it was named; `runs`: in the order in which they were made, at least one."""

    path: Path
    runs: tuple[Contents, ...]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.name or str(self.path)

    @property
    def machine(self) -> Mapping[str, Any]:
        """The card of its last run; empty where that has none."""
        return self.runs[-1].machine

    @property
    def host(self) -> str:
        """Where its last run was made; empty where that is not known."""
        return str((self.machine.get("host") or {}).get("name") or "")

    @cached_property
    def rows(self) -> list[list[Row]]:
        """The measured rows of each run."""
        return [measured(one.rows) for one in self.runs]


def side_of(path: Path) -> Side:
    """The run at `path`, or the runs in that folder. Raises WeirError where there is none."""
    if RunDirectory(path).exists():
        return Side(path, (gather(RunDirectory(path)),))
    found = runs_in(path)
    if not found:
        RunDirectory(path).info()  # says what it is not
    return Side(path, tuple(gather(RunDirectory(one)) for one in found))


def runs_in(folder: Path) -> list[Path]:
    """The runs directly in a folder, the first one first; nothing where it is none, or cannot be read."""
    try:
        paths = [one for one in sorted(folder.iterdir()) if RunDirectory(one).exists()]
    except OSError:
        return []
    made = {one: created_at(one) for one in paths}
    return sorted((one for one in paths if made[one]), key=lambda one: made[one])


def created_at(path: Path) -> str:
    """When a run was made, UTC; empty where it cannot be read."""
    try:
        return RunDirectory(path).info().created_at
    except (WeirError, OSError):
        return ""


def in_turns(one: Side, other: Side) -> bool:
    """Whether the runs of both were made in turns, one of each and then the next: they share what the machine
    went through."""
    if len(one.runs) != len(other.runs) or len(one.runs) == 1:
        return False
    order = sorted((run.info.created_at, name) for name, side in enumerate((one, other)) for run in side.runs)
    pairs = zip(order[::2], order[1::2], strict=True)
    return all(first[1] != second[1] for first, second in pairs)


def distinct_names(sides: Sequence[Side]) -> list[str]:
    """Their names; with more of the path where some are alike."""
    for parts in (1, 2):
        names = ["/".join(side.path.parts[-parts:]) or side.name for side in sides]
        if len({*names}) == len(names):
            return names
    return [f"{side.name} ({number})" for number, side in enumerate(sides, 1)]

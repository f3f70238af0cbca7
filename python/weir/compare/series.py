"""Runs that repeat one another: of one study, on one machine, side by side in a folder; and the mark of the
one that others are compared with."""

import os
from dataclasses import dataclass
from pathlib import Path

from weir.errors import ExitCode, WeirError
from weir.files.plain import read_plain
from weir.files.write import write
from weir.store.run_directory import RunDirectory, RunInfo

BASELINE, MARK = "baseline", b"weir baseline\n"
"""A file in a run's folder, and what it holds: others are compared with that run."""
MOST_OF_MARK = 64
MOST_HISTORY = 20
"""Earlier runs that tell what runs differ by."""


@dataclass(frozen=True)
class Earlier:
    """A run to compare another with, and runs made before that one that tell what runs differ by."""

    reference: Path
    history: tuple[Path, ...]


def series_of(run: Path) -> list[Path]:
    """The runs of its folder that are of its study and machine, itself too, the first one first."""
    info = RunDirectory(run).info()
    found: list[tuple[str, Path]] = []
    for path in sorted(run.absolute().parent.iterdir()):
        if not RunDirectory(path).exists():
            continue
        try:
            other = RunDirectory(path).info()
        except (WeirError, OSError):
            continue
        if _identity(other) == _identity(info):
            found.append((other.created_at, path))
    return [path for _, path in sorted(found)]


def _identity(info: RunInfo) -> tuple[str, str]:
    return info.study.name, str(((info.machine or {}).get("host") or {}).get("name") or "")


def earlier(run: Path, against: str) -> Earlier:
    """The run that was made before it, or with "baseline" the last one that is marked. Raises WeirError where
    there is none."""
    made = RunDirectory(run).info().created_at
    own = run.resolve()
    before = [path for path in series_of(run) if path.resolve() != own and _made(path) <= made]
    wanted = [path for path in before if against != BASELINE or is_baseline(path)]
    if not wanted:
        marked = "that is marked as baseline" if against == BASELINE else "before it"
        raise WeirError(
            f"there is nothing to compare '{run}' with",
            f"'{run.absolute().parent}' has no run of its study and machine {marked}",
            "mark one with `weir baseline`"
            if against == BASELINE and before
            else "name a run to compare with",
            ExitCode.INCONCLUSIVE,
        )
    history = tuple(path for path in before if path != wanted[-1])[-MOST_HISTORY:]
    return Earlier(wanted[-1], history)


def _made(path: Path) -> str:
    return RunDirectory(path).info().created_at


def is_baseline(run: Path) -> bool:
    """Whether it is marked."""
    try:
        return read_plain(run / BASELINE, MOST_OF_MARK) == MARK
    except (OSError, WeirError):
        return False


def mark_baseline(run: Path) -> None:
    """Make it the one that others of its series are compared with. Raises WeirError if it is no run, or has
    another file of that name."""
    RunDirectory(run).info()
    RunDirectory(run).check_own()
    if os.path.lexists(run / BASELINE) and not is_baseline(run):
        raise WeirError(f"cannot mark '{run}'", f"it has a '{BASELINE}' that is no mark", "move that away")
    write(run / BASELINE, MARK)


def unmark_baseline(run: Path) -> bool:
    """Take the mark away; false where there was none."""
    RunDirectory(run).info()
    RunDirectory(run).check_own()
    if not is_baseline(run):
        return False
    (run / BASELINE).unlink()
    return True

"""Runs that repeat one another: of one study, on one machine, side by side in a folder; and the mark of the
one that others are compared with."""

import os
from dataclasses import dataclass
from pathlib import Path

from weir.errors import ExitCode, WeirError
from weir.files.plain import read_plain
from weir.files.write import write
from weir.store.run_directory import RunDirectory, host_of
from weir.store.runs_here import first_to_last

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


def earlier(run: Path, against: str) -> Earlier:
    """The run that was made before it, or with "baseline" the last one that is marked. Raises WeirError where
    there is none."""
    info, own = RunDirectory(run).info(), run.resolve()
    identity = info.study.name, host_of(info.machine)
    repeats = [one for one in first_to_last(run.absolute().parent) if (one.study, one.host) == identity]
    before = [one.path for one in repeats if one.created_at <= info.created_at and one.path.resolve() != own]
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


def is_baseline(run: Path) -> bool:
    """Whether it is marked. Raises WeirError where that may not be read."""
    try:
        return read_plain(run / BASELINE, MOST_OF_MARK) == MARK
    except PermissionError as error:
        why = "you may not read that"
        raise WeirError(
            f"whether '{run}' is marked cannot be told: '{BASELINE}'", why, "ask its owner"
        ) from error
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

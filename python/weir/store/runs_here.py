"""The runs in the folder of runs, where those go that are given no place."""

from dataclasses import dataclass
from pathlib import Path

from weir.errors import WeirError
from weir.store.run_directory import RunDirectory, host_of, runs_folder


@dataclass(frozen=True)
class RunHere:
    """A run: its folder, the study's name and title, when it was made, UTC, and on which host."""

    path: Path
    study: str
    title: str
    created_at: str
    host: str


def look_into(folder: Path) -> tuple[list[RunHere], list[Path]]:
    """The runs in a folder, the first one first, and what has what only runs have and cannot be read as
    such."""
    found, broken = list[RunHere](), list[Path]()
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return [], []
    for path in paths:
        run = RunDirectory(path)
        try:
            if not run.exists():
                continue
            info = run.info()
        except (WeirError, OSError):
            broken.append(path)
            continue
        host = host_of(info.machine)
        found.append(RunHere(path, info.study.name, info.study.title, info.created_at, host))
    return sorted(found, key=lambda run: run.created_at), broken


def runs_here(folder: Path | None = None) -> list[RunHere]:
    """All of them, the last one first; what is no run, or cannot be read, is left out."""
    return sorted(first_to_last(folder or runs_folder()), key=lambda run: run.created_at, reverse=True)


def first_to_last(folder: Path) -> list[RunHere]:
    """The same, the first one first."""
    return look_into(folder)[0]


def latest_run(folder: Path | None = None) -> Path:
    """The last one. Raises WeirError where there is none."""
    folder = folder or runs_folder()
    found = runs_here(folder)
    if not found:
        raise WeirError(
            f"there is no run in '{folder}'{'' if folder.is_absolute() else ' of the current folder'}",
            "",
            "name a run by its folder, or make one with `weir run` or `weir evaluate`",
        )
    return found[0].path

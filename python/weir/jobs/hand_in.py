"""Hands in the jobs of a run: all, or none."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weir.batch.base import BatchSystem, JobRequest
from weir.errors import WeirError
from weir.files.walk import entry, remove_entry, remove_if_empty
from weir.jobs.record import JobFolder, Submitted, now
from weir.jobs.status import active_of
from weir.store.run_directory import RunDirectory


@dataclass(frozen=True)
class Studied:
    """The study of the jobs: how many cases it has, and the copy of its file that they read; null for one of
    Weir's own."""

    cases: int = 0
    copy: Path | None = None
    text: bytes = b""


def hand_in(
    path: Path, system: BatchSystem, jobs: Sequence[JobRequest], study: Studied = Studied()
) -> list[Submitted]:
    """Write their scripts, hand them in, and note them in the run. Where one is refused, those before it are
    taken back, and the WeirError is passed on; so where another process hands in jobs of the run."""
    run, folder = RunDirectory(path), JobFolder(path)
    was_there = path.exists()
    run.prepare()
    try:
        with folder.handing_in():
            _check_none_left(path, folder)
            _check_unused(path, jobs)
            return _all_or_none(folder, system, jobs, study)
    except BaseException:
        if not was_there:
            remove_if_empty(folder.path)
            remove_if_empty(path)
        raise


def _all_or_none(
    folder: JobFolder, system: BatchSystem, jobs: Sequence[JobRequest], study: Studied
) -> list[Submitted]:
    """Each job is noted before the next one is handed in: it may begin at once, and looks for itself."""
    done: list[Submitted] = []
    was_noted = folder.has_lines()
    try:
        if study.copy:
            folder.write(study.copy, study.text)
        for job in jobs:
            folder.write(job.script, system.script(job).encode())
            number = system.submit(job, done[-1].id if done else None)
            paths = str(job.script), str(job.log)
            done.append(Submitted(now(), number, system.name, job.name, *paths, study.cases))
            folder.note(done[-1])
    except BaseException:
        if done:
            with suppress(WeirError):
                system.cancel([one.id for one in done])
        _remove([*(job.script for job in jobs), *([study.copy] if study.copy else [])])
        if not was_noted:
            _remove([folder.lines_path])
        raise
    return done


def _check_unused(path: Path, jobs: Sequence[JobRequest]) -> None:
    """Raises WeirError where another process has handed in jobs since these were planned."""
    if any(job.script.exists() for job in jobs):
        raise WeirError(
            f"the run '{path}' was just given jobs by another process",
            "these would take the places of their scripts",
            f"see how far it is: weir status {path}",
        )


def _check_none_left(path: Path, folder: JobFolder) -> None:
    """Raises WeirError where jobs of the run wait or run already."""
    left = active_of(folder.jobs())
    if left:
        raise WeirError(
            f"the run '{path}' has jobs already: {', '.join(left)}",
            "they carry it out",
            f"wait for them: weir status {path}",
        )


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        with suppress(OSError), entry(path) as (above, name):
            remove_entry(above, name)

"""Hands in the jobs of a run: all, or none."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from weir.batch.base import BatchSystem, JobRequest
from weir.errors import WeirError
from weir.files.walk import entry, remove_entry, remove_if_empty
from weir.jobs.record import JobFolder, Submitted, now
from weir.jobs.status import active_of
from weir.store.run_directory import RunDirectory


def hand_in(path: Path, system: BatchSystem, jobs: Sequence[JobRequest], cases: int = 0) -> list[Submitted]:
    """Write their scripts, hand them in, and note them in the run, of a study of so many cases. Where one is
    refused, those before it are taken back, and the WeirError is passed on."""
    run, folder = RunDirectory(path), JobFolder(path)
    _check_none_left(path, folder)
    was_there = path.exists()
    run.prepare()
    done: list[Submitted] = []
    try:
        for job in jobs:
            folder.write_script(job.script, system.script(job))
            number = system.submit(job)
            done.append(Submitted(now(), system.name, number, job.name, str(job.script), str(job.log), cases))
        for one in done:
            folder.note(one)
    except BaseException:
        if done:
            with suppress(WeirError):
                system.cancel([one.id for one in done])
        _remove_scripts(jobs)
        if not was_there:
            remove_if_empty(folder.path)
            remove_if_empty(path)
        raise
    return done


def _check_none_left(path: Path, folder: JobFolder) -> None:
    """Raises WeirError where jobs of the run wait or run already."""
    left = active_of(folder.jobs())
    if left:
        raise WeirError(
            f"the run '{path}' has jobs already: {', '.join(left)}",
            "they carry it out",
            f"wait for them: weir status {path}",
        )


def _remove_scripts(jobs: Sequence[JobRequest]) -> None:
    for job in jobs:
        with suppress(OSError), entry(job.script) as (above, name):
            remove_entry(above, name)

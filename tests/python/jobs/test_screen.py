"""What the screen of a run's status says of its jobs' logs."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from weir.batch.base import JobState, Phase
from weir.jobs.record import Began, KnownJob, Submitted, now
from weir.jobs.screen import advice_words
from weir.jobs.status import JobStanding, Standing

WAITS = JobState(Phase.WAITING, "pending", "Resources")
RAN = JobState(Phase.FAILED, "failed", nodes="n1")
CANCELLED = JobState(Phase.FAILED, "cancelled")
NO_RUN = "no log: no job has run"
UNSHARED = "no log: the run must be on storage that all nodes share"


def standing(folder: Path, states: Sequence[JobState | None], begun: int = 0) -> Standing:
    """Jobs 1, 2 … in these states, the first so many of which began."""
    found = []
    for number, state in enumerate(states, 1):
        log = folder / f"{number}.log"
        job = KnownJob(Submitted(now(), str(number), "played", "weir-x", "script", str(log)))
        if number <= begun:
            job.begun.append(Began(now(), str(number), "n1"))
            log.touch()
        found.append(JobStanding(job, state))
    return Standing(folder, "study", 4, 0, 0, 0, tuple(found))


@pytest.mark.parametrize(
    ("states", "begun", "line"),
    [
        ([RAN], 1, "log: {}/1.log"),
        ([RAN, CANCELLED], 1, "log: {}/1.log"),
        ([RAN, WAITS], 1, "log: {}/2.log"),
        ([RAN], 0, UNSHARED),
        ([None], 0, UNSHARED),
        ([CANCELLED, CANCELLED], 0, NO_RUN),
        ([CANCELLED], 1, "log: {}/1.log"),
    ],
)
def test_the_log_of_the_last_job_that_ran_is_named(
    tmp_path: Path, states: Sequence[JobState | None], begun: int, line: str
) -> None:
    assert advice_words(tmp_path, standing(tmp_path, states, begun))[0] == line.format(tmp_path)


@pytest.mark.parametrize(("begun", "goes_on"), [(1, True), (0, False)])
def test_a_run_that_the_nodes_do_not_see_is_not_to_be_handed_in_again(
    tmp_path: Path, begun: int, goes_on: bool
) -> None:
    said = advice_words(tmp_path, standing(tmp_path, [RAN], begun))
    assert any("with the same --out" in line for line in said) is goes_on

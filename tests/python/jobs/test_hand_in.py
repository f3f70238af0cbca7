"""Jobs are handed in all or none, and what they did is told."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from synthetic_run import write_run
from verbs import weir_here as weir
from weir.batch.base import BatchSystem, JobPlace, JobRequest, JobState, Phase, Size, batch_system
from weir.errors import Interrupted, WeirError
from weir.jobs.hand_in import Studied, hand_in
from weir.jobs.record import Began, Ended, JobFolder, now
from weir.jobs.status import Course, standing_of
from weir.store.lock import Lock
from weir.store.run_directory import Reading, RunDirectory


@batch_system("played")
class Played(BatchSystem):
    """Takes so many jobs, and remembers what was asked of it."""

    name = "played"
    summary = "for tests"
    launcher = "mpirun"
    takes = 9
    known: Mapping[str, JobState] = {}
    cancelled: Sequence[str] = ()

    def prepare(self) -> None:
        pass

    def script(self, job: JobRequest) -> str:
        return f"run {job.name}\n"

    def submit(self, job: JobRequest, after: str | None = None) -> str:
        if self.takes == 0:
            raise WeirError("`played` refuses", "no more jobs", "wait")
        type(self).takes -= 1
        return str(100 + self.takes)

    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        return {one: self.known[one] for one in ids if one in self.known}

    def cancel(self, ids: Sequence[str]) -> None:
        type(self).cancelled = tuple(ids)

    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        return None


@pytest.fixture(autouse=True)
def _played() -> None:
    Played.takes, Played.known, Played.cancelled = 9, {}, ()


def jobs(run: Path, count: int) -> list[JobRequest]:
    folder = JobFolder(run)
    first = JobRequest("weir-x", Size(2), 60.0, run.parent, run, run, ("weir", "run"))
    scripts = [folder.script_path(number) for number in range(1, count + 1)]
    return [replace(first, script=script, log=script.with_suffix(".log")) for script in scripts]


def test_all_are_handed_in_and_known_to_the_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert [one.id for one in hand_in(run, Played(), jobs(run, 2))] == ["108", "107"]
    assert [job.submitted.id for job in JobFolder(run).jobs()] == ["108", "107"]
    assert JobFolder(run).script_path(2).read_text() == "run weir-x\n"
    assert JobFolder(run).next_number() == 3


def test_where_one_is_refused_none_is_left(tmp_path: Path) -> None:
    run = tmp_path / "run"
    Played.takes = 2
    with pytest.raises(WeirError, match="no more jobs"):
        hand_in(run, Played(), jobs(run, 3))
    assert Played.cancelled == ("101", "100")
    assert list(tmp_path.iterdir()) == []


def test_of_a_run_that_was_there_only_new_scripts_go(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    Played.takes = 0
    with pytest.raises(WeirError, match="no more jobs"):
        hand_in(run, Played(), jobs(run, 2)[1:])
    assert sorted(path.name for path in (run / "jobs").iterdir()) == ["job-0001.sh", "jobs.jsonl"]


def test_while_jobs_are_left_no_others_are_taken(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    Played.known = {"108": JobState(Phase.WAITING, "pending")}
    with pytest.raises(WeirError, match="has jobs already: 108"):
        hand_in(run, Played(), jobs(run, 2)[1:])
    Played.known = {"108": JobState(Phase.FAILED, "cancelled")}
    hand_in(run, Played(), jobs(run, 2)[1:])


def test_beginning_and_end_of_a_job_are_kept(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    folder, here = JobFolder(run), JobPlace("played", "108")
    assert folder.carry_out(here, lambda: "done", lambda _: 5) == "done"
    (job,) = folder.jobs()
    assert len(job.begun) == 1 and job.ended is not None and job.ended.exit_code == 5

    def cut() -> str:
        raise Interrupted(15)

    with pytest.raises(Interrupted):
        folder.carry_out(replace_restarts(here), cut, lambda _: 0)
    (job,) = folder.jobs()
    assert [one.restarts for one in job.begun] == [0, 1]
    assert job.ended is not None and job.ended.exit_code == 130


def test_a_job_that_is_forgotten_keeps_all_its_nodes(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 2))
    Played.known = {}
    for here in (JobPlace("played", "108", nodes="n[1-4]"), JobPlace("played", "107")):
        JobFolder(run).carry_out(here, lambda: "done", lambda _: 0)
    assert [one.nodes for one in standing_of(run).jobs] == ["n[1-4]", os.uname().nodename]


def replace_restarts(here: JobPlace) -> JobPlace:
    return JobPlace(here.system, here.id, here.restarts + 1)


def test_jobs_of_others_leave_no_trace(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    before = (run / "jobs" / "jobs.jsonl").read_bytes()
    for here in (None, JobPlace("played", "5")):
        assert JobFolder(run).carry_out(here, lambda: 7, lambda _: 0) == 7
    assert (run / "jobs" / "jobs.jsonl").read_bytes() == before
    elsewhere = tmp_path / "of-no-job"
    assert JobFolder(elsewhere).carry_out(JobPlace("played", "108"), lambda: 7, lambda _: 0) == 7
    assert not elsewhere.exists()


@pytest.mark.parametrize(
    ("state", "course"),
    [
        (JobState(Phase.WAITING, "pending"), Course.WAITING),
        (JobState(Phase.RUNNING, "running"), Course.RUNNING),
        (JobState(Phase.FAILED, "timeout"), Course.STOPPED),
        (None, Course.STOPPED),
    ],
)
def test_how_a_run_goes_on_before_its_first_case(
    tmp_path: Path, state: JobState | None, course: Course
) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    Played.known = {"108": state} if state else {}
    found = standing_of(run)
    assert (found.course, found.cases, found.open_cases) == (course, None, None)


def test_what_is_no_run_has_no_standing(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="is not a run"):
        standing_of(tmp_path / "nothing")


def test_a_run_that_a_process_holds_goes_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    with Lock(run / "lock"):
        found = standing_of(run)
        assert found.course is Course.RUNNING and found.as_data()["held_by"]["pid"] == os.getpid()
    assert standing_of(run).course is Course.STOPPED


def test_cases_that_no_job_has_begun_are_open(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1), Studied(7))
    assert JobFolder(run).jobs()[0].submitted.cases == 7


def test_each_job_is_known_to_the_run_before_the_next_is_handed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, known = tmp_path / "run", []
    take = Played.submit

    def submit(system: Played, job: JobRequest, after: str | None) -> str:
        known.append([one.submitted.id for one in JobFolder(run).jobs()])
        assert after == (known[-1][-1] if known[-1] else None)
        return take(system, job, after)

    monkeypatch.setattr(Played, "submit", submit)
    hand_in(run, Played(), jobs(run, 3))
    assert known == [[], ["108"], ["108", "107"]]


def test_two_at_once_do_not_take_each_others_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, take = tmp_path / "run", Played.submit
    planned = jobs(run, 1)

    def submit(system: Played, job: JobRequest, after: str | None) -> str:
        monkeypatch.setattr(Played, "submit", take)
        with pytest.raises(WeirError, match="is in use"):
            hand_in(run, Played(), planned)
        return take(system, job, after)

    monkeypatch.setattr(Played, "submit", submit)
    hand_in(run, Played(), planned)
    with pytest.raises(WeirError, match="just given jobs by another process"):
        hand_in(run, Played(), planned)  # the first one's job is over already
    assert sorted(path.name for path in (run / "jobs").iterdir()) == ["job-0001.sh", "jobs.jsonl"]
    assert [job.submitted.id for job in JobFolder(run).jobs()] == ["108"]


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        (b'"at":"2', b'"at":"yesterday 2'),
        (b'"at":"2', b'"at":"0001-01-01T00:00:00+14:00","was":"2'),
        (b'"id":"108"', rb'"id":"108\u0000"'),
        (b'"name":"weir-x"', rb'"name":"weir\u001b[31m"'),
    ],
)
def test_damaged_lines_are_passed_over(tmp_path: Path, was: bytes, is_now: bytes) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 2))
    path = run / "jobs" / "jobs.jsonl"
    content = path.read_bytes()
    assert was in content
    path.write_bytes(content.replace(was, is_now, 1))
    assert [one.job.submitted.id for one in standing_of(run).jobs] == ["107"]


def test_a_job_whose_command_ended_is_not_left_though_the_batch_system_still_has_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    Played.known = {"108": JobState(Phase.RUNNING, "completing")}
    JobFolder(run).note(Ended(now(), "108", 0))
    assert [one.id for one in hand_in(run, Played(), jobs(run, 2)[1:])] == ["107"]


def test_a_job_that_is_begun_anew_has_not_ended(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hand_in(run, Played(), jobs(run, 1))
    for line in (Ended(now(), "108", 130), Began(now(), "108", "n2", 1)):
        JobFolder(run).note(line)
    (job,) = JobFolder(run).jobs()
    assert job.ended is None and job.begun[-1].host == "n2"


def test_jobs_read_the_study_that_was_handed_in(tmp_path: Path) -> None:
    run = tmp_path / "run"
    copy = JobFolder(run).study_path(1)
    hand_in(run, Played(), jobs(run, 1), Studied(2, copy, b"[study]"))
    assert copy.read_bytes() == b"[study]"


def test_a_refused_study_leaves_no_copy(tmp_path: Path) -> None:
    run = tmp_path / "run"
    Played.takes = 0
    with pytest.raises(WeirError, match="no more jobs"):
        hand_in(run, Played(), jobs(run, 1), Studied(2, JobFolder(run).study_path(1), b"[study]"))
    assert not run.exists()


def test_who_waits_reads_the_samples_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = write_run(tmp_path / "run")
    hand_in(run, Played(), jobs(run, 1))
    phases, asked, read = [Phase.WAITING, Phase.RUNNING, Phase.ENDED], [], []

    def states(_: Played, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        asked.append(name)
        return {one: JobState(phases[min(len(asked), len(phases)) - 1], "") for one in ids}

    def reading(self: RunDirectory) -> Reading:
        read.append(len(asked))
        return read_all(self)

    read_all = RunDirectory.read
    monkeypatch.setattr(Played, "states", states)
    monkeypatch.setattr(RunDirectory, "read", reading)
    monkeypatch.setattr("weir.cli.status.LOOK_EVERY_S", 0.0)
    done = weir("status", str(run), "--wait", "--json")
    assert json.loads(done.stdout)["jobs"][0]["phase"] == "ended", done.output
    assert (len(asked), read) == (3, [3])

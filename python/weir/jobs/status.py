"""How far a run and its jobs are."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from weir.batch.base import JobState, Phase, find_batch_system
from weir.errors import WeirError
from weir.jobs.record import JobFolder, KnownJob
from weir.measure.run_history import read_history
from weir.measure.stopping_rule import Verdict
from weir.store.lock import Owner, holder_of
from weir.store.records import AnyRecord, CaseRecord, FinishedRecord, SampleRecord
from weir.store.run_directory import RunDirectory
from weir.study.case import Case
from weir.study.load import parse_study


class Course(StrEnum):
    """How a run goes on."""

    COMPLETE = "complete"
    RUNNING = "running"
    WAITING = "waiting"
    STOPPED = "stopped"
    """No job is left, and cases are open."""


@dataclass(frozen=True)
class JobStanding:
    """One job. `state` is null where the batch system knows it no more, or does not answer."""

    job: KnownJob
    state: JobState | None

    @property
    def is_over(self) -> bool:
        """Whether nothing of it runs or will; a job that nobody knows any more is over."""
        return self.state.is_over if self.state else True

    @property
    def never_ran(self) -> bool:
        """Whether it was over before it had a node, as one that is cancelled while it waits."""
        return self.state is not None and self.is_over and not self.state.nodes and not self.job.begun

    @property
    def word(self) -> str:
        """How far it is; of a job that the batch system has forgotten, what its command left behind."""
        if self.job.ended and (self.state is None or self.state.word == "failed"):
            return "ended"  # with the exit code that stands beside it
        if self.state:
            return self.state.word
        return "began, then forgotten" if self.job.begun else "forgotten"

    @property
    def nodes(self) -> str:
        """Those that it has or had, as the batch system writes them; of a job that says no more, the host on
        which it began; empty where it did not."""
        last = self.job.begun[-1] if self.job.begun else None
        return (self.state.nodes if self.state else "") or (last.nodes or last.host if last else "")

    def as_data(self) -> dict[str, Any]:
        """As `--json` shows it."""
        begun = self.job.begun
        return {
            "id": self.job.submitted.id,
            "system": self.job.submitted.system,
            "state": self.state.word if self.state else None,
            "phase": str(self.state.phase) if self.state else None,
            "reason": self.state.reason if self.state else None,
            "nodes": self.nodes or None,
            "submitted_at": self.job.submitted.at,
            "began_at": begun[-1].at if begun else None,
            "begun": len(begun),
            "host": begun[-1].host if begun else None,
            "ended_at": self.job.ended.at if self.job.ended else None,
            "exit_code": self.job.ended.exit_code if self.job.ended else None,
            "log": self.job.submitted.log,
        }


@dataclass(frozen=True)
class Carriers:
    """What carries the run out: its jobs, or the process that holds it."""

    jobs: tuple[JobStanding, ...]
    no_answer: str
    """Why the batch system says nothing of its jobs; empty where it does."""
    holder: Owner | None

    @property
    def are_over(self) -> bool:
        """Whether nothing of them runs or will, as far as can be told."""
        return not self.holder and not self.no_answer and all(one.is_over for one in self.jobs)


@dataclass(frozen=True)
class Standing:
    """How far the run is. Counts of cases are null before its first job has begun."""

    run: Path
    study: str | None
    cases: int | None
    settled: int
    failed: int
    samples: int
    jobs: tuple[JobStanding, ...]
    no_answer: str = ""
    """Why the batch system says nothing of its jobs; empty where it does."""
    holder: Owner | None = None
    """The process that carries it out."""
    simulated: bool = False

    @property
    def course(self) -> Course:
        """How the run goes on."""
        if self.cases is not None and self.settled == self.cases:
            return Course.COMPLETE
        if self.holder is not None:
            return Course.RUNNING
        left = [one.state.phase for one in self.jobs if one.state and not one.is_over]
        if left:
            return Course.RUNNING if Phase.RUNNING in left else Course.WAITING
        return Course.COMPLETE if self.open_cases == 0 else Course.STOPPED

    @property
    def open_cases(self) -> int | None:
        """Neither settled nor failed; null where it is not known yet how many there are."""
        return None if self.cases is None else self.cases - self.settled - self.failed

    def as_data(self) -> dict[str, Any]:
        """As `--json` shows it."""
        return {
            "run": str(self.run),
            "study": self.study,
            "course": str(self.course),
            "cases": self.cases,
            "settled": self.settled,
            "failed": self.failed,
            "open": self.open_cases,
            "samples": self.samples,
            "jobs": [one.as_data() for one in self.jobs],
            "no_answer": self.no_answer or None,
            "held_by": {"host": self.holder.host, "pid": self.holder.pid} if self.holder else None,
        }


def carriers_of(path: Path) -> Carriers:
    """Of the run there; nothing that was measured is read. Raises WeirError where that is none, and none was
    handed in."""
    run, known = RunDirectory(path), JobFolder(path).jobs()
    if not run.exists() and not known:
        run.info()  # says what is wrong
    states, no_answer = _states(known)
    jobs = tuple(JobStanding(job, states.get(job.submitted.id)) for job in known)
    return Carriers(jobs, no_answer, holder_of(run.lock_path))


def standing_of(path: Path, carriers: Carriers | None = None) -> Standing:
    """Of the run there, as far as these have brought it; null asks after them. Raises WeirError as
    `carriers_of`."""
    run, found = RunDirectory(path), carriers or carriers_of(path)
    of_carriers = found.jobs, found.no_answer, found.holder
    if not run.exists():
        return Standing(path, None, None, 0, 0, 0, *of_carriers)
    foreseen = max((one.job.submitted.cases for one in found.jobs), default=0)
    records = run.read().records
    cases = {one.case: _case(one) for one in records if isinstance(one, CaseRecord)}
    least = parse_study(run.study_text(), str(run.study_path)).file.study.min_samples
    states = read_history([*cases.values()], records, least).states
    info = run.info()
    return Standing(
        path,
        info.study.name,
        max(len(states), foreseen),
        sum(state.verdict is not None for state in states),
        _failed(records),
        sum(isinstance(one, SampleRecord) for one in records),
        *of_carriers,
        simulated=info.simulated_on is not None,
    )


def _case(record: CaseRecord) -> Case:
    return Case(record.case, record.benchmark, record.ranks, record.env, record.options)


def _failed(records: Sequence[AnyRecord]) -> int:
    """Cases whose last end says so: the next job tries them again."""
    ends = {one.case: one.verdict for one in records if isinstance(one, FinishedRecord)}
    return sum(verdict == Verdict.FAILED for verdict in ends.values())


def _states(known: Sequence[KnownJob]) -> tuple[dict[str, JobState], str]:
    """What the batch systems say of the jobs; and why one says nothing."""
    found: dict[str, JobState] = {}
    for system, name in dict.fromkeys((job.submitted.system, job.submitted.name) for job in known):
        ids = [job.submitted.id for job in known if job.submitted.name == name]
        try:
            found |= find_batch_system(system).states(name, ids)
        except WeirError as error:
            return found, str(error)
    return found, ""


def active_of(known: Sequence[KnownJob]) -> list[str]:
    """The numbers of those that wait or run. Raises WeirError where the batch system does not answer."""
    states, no_answer = _states(known)
    if no_answer:
        raise WeirError("cannot tell whether jobs of the run are left", no_answer, "try again later")
    ended = {job.submitted.id for job in known if job.ended}  # which the batch system may still clear away
    return [number for number, state in states.items() if not state.is_over and number not in ended]

"""What a batch system is, what a job asks of it, and the job that this process is a part of.

A job's script is made apart from handing it over, so that a dry run can show it.
"""

import json
import math
import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from weir.errors import WeirError
from weir.registry import Registry

REFUSED = "ask for what the site has: --partition, --account, --time, or its configuration file"
"""What to do where a job is refused."""
LONGEST_ANSWER_S = 60.0
"""Of a command of the batch system: controllers that are busy or start anew answer late."""


@dataclass(frozen=True)
class Size:
    """What a job has: nodes, or only ranks, which the batch system then spreads."""

    ranks: int
    nodes: int | None = None
    ranks_per_node: int | None = None
    threads: int = 1
    """Of each rank."""
    hosts: tuple[str, ...] = ()
    """The very nodes; empty leaves them to the batch system."""

    @property
    def most_on_a_node(self) -> int | None:
        """Ranks of a node, at most; None where the batch system spreads them."""
        spread = math.ceil(self.ranks / self.nodes) if self.nodes else None
        return self.ranks_per_node or spread


@dataclass(frozen=True)
class JobRequest:
    """One job. Paths are absolute."""

    name: str
    """Jobs of one name run one after the other."""
    size: Size
    time_s: float
    folder: Path
    """In which its command runs."""
    log: Path
    """Of this job; what it says is appended."""
    script: Path
    """Where its script is; a node that does not see it shares no file system with this one."""
    command: tuple[str, ...]
    account: str | None = None
    partition: str | None = None
    modules: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class Phase(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"
    FAILED = "failed"


@dataclass(frozen=True)
class JobState:
    """How far a job is, in the batch system's own word too; why it waits, and where it runs, where that is
    said."""

    phase: Phase
    word: str
    reason: str = ""
    nodes: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing of it runs any more or will."""
        return self.phase in (Phase.ENDED, Phase.FAILED)


class JobPlace(msgspec.Struct, frozen=True):
    """The job that a process is a part of. `restarts`: how often the batch system has begun it anew; `nodes`:
    those that it has, as the batch system writes them, where it says so."""

    system: str
    id: str
    restarts: int = 0
    nodes: str = ""


class BatchSystem(ABC):
    """Where jobs are handed in. Subclasses register with `@batch_system(NAME)`."""

    name: ClassVar[str]
    summary: ClassVar[str]
    launcher: ClassVar[str]
    """The launcher that starts ranks in its jobs, unless a site names another."""

    @abstractmethod
    def prepare(self) -> None:
        """Find its commands. Raises WeirError (exit code 2) where one is missing."""

    @abstractmethod
    def script(self, job: JobRequest) -> str:
        """The job's script. Pure. Raises WeirError where it cannot say what the job asks for."""

    @abstractmethod
    def submit(self, job: JobRequest, after: str | None = None) -> str:
        """Hand in the script, which is in its place, to begin when the job `after` is over; returns the job's
        number. Raises WeirError, with what the batch system says, where it refuses."""

    @abstractmethod
    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        """Of the jobs of that name and these numbers; without those that the batch system knows no more.
        Raises WeirError where it does not answer."""

    @abstractmethod
    def cancel(self, ids: Sequence[str]) -> None:
        """Take the jobs back. Raises WeirError where it does not answer."""

    @abstractmethod
    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        """The job that a process of this environment is a part of; None if it is of none."""


_systems = Registry[type[BatchSystem]]("weir.batch", "batch system")
batch_system = _systems.register
"""Class decorator: make the batch system known under the name."""
batch_systems = _systems.all


def find_batch_system(name: str) -> BatchSystem:
    """A new one of that name. Raises WeirError if there is none."""
    return _systems.find(name)()


def job_of_process(environment: Mapping[str, str] = os.environ) -> JobPlace | None:
    """The job that this process is a part of; None outside of one."""
    found = (kind().this_job(environment) for kind in batch_systems().values())
    return next((place for place in found if place), None)


def is_over(job: JobPlace, here: JobPlace | None) -> bool | None:
    """Whether what ran as that part of a job runs no more; None where nobody can say. `here`: the job of this
    process."""
    if here is not None and (here.system, here.id) == (job.system, job.id):
        return True if here.restarts > job.restarts else None
    try:
        found = find_batch_system(job.system).states("", [job.id])
    except WeirError:
        return None
    return found[job.id].is_over if job.id in found else None


def find_programs(system: str, *names: str) -> None:
    """Raises WeirError where a command of the batch system is not there."""
    for name in names:
        if shutil.which(name) is None:
            raise WeirError(
                "cannot hand in a job",
                f"there is no {name} in PATH",
                f"load {system}'s module, or use `weir run` in a job",
            )


def asked(argv: Iterable[str], *, advice: str, typed: str = "", forgiven: str | None = None) -> str:
    """What a command of the batch system prints. Raises WeirError with what it says where it refuses, and
    where it does not answer; `advice` says what to do then. `typed` is its standard input. With the words
    `forgiven` it may refuse: it does not know a job."""
    words = list(argv)
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            input=typed,
            timeout=LONGEST_ANSWER_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        why = f"it gave no answer in {LONGEST_ANSWER_S:.0f} s"
        raise WeirError(f"`{words[0]}` does not answer", why, "try again later") from error
    except OSError as error:
        raise WeirError(f"cannot start `{words[0]}`", error.strerror or str(error), advice) from error
    if done.returncode != 0:
        if forgiven and forgiven in (done.stderr or done.stdout).lower():
            return done.stdout
        said = "; ".join(_without_name(words[0], line) for line in (done.stderr or done.stdout).splitlines())
        raise WeirError(f"`{words[0]}` refuses", said[:500] or f"it ended with {done.returncode}", advice)
    return done.stdout


def read_answer(program: str, text: str) -> dict[str, Any]:
    """The object of JSON that it printed; empty for no text. Raises WeirError for anything else."""
    try:
        found = json.loads(text or "{}")
    except ValueError as error:
        found, why = None, str(error)
    else:
        why = "it is no object"
    if not isinstance(found, dict):
        raise WeirError(f"`{program}` gave no JSON", why, "see what it says by hand")
    return found


def _without_name(program: str, line: str) -> str:
    """What it says, without the "sbatch: error:" before it."""
    return line.strip().removeprefix(f"{program}: ").removeprefix("error: ")

"""Flux: flux batch, flux jobs, flux cancel. A job is an instance of Flux of its own.

It follows flux-batch(1) and flux-jobs(1), and was tried on no such machine."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from weir.batch.base import (
    REFUSED,
    BatchSystem,
    JobPlace,
    JobRequest,
    JobState,
    Phase,
    asked,
    batch_system,
    find_programs,
)
from weir.batch.script import plain, script_of
from weir.errors import WeirError

_JOB = "WEIR_FLUX_JOB"
"""Tells a job its own number: Flux sets no variable in its script (flux-environment(7))."""
_NUMBER = re.compile(r"f[1-9A-HJ-NP-Za-km-z]+")
_WAITING = {"NEW", "PENDING", "DEPEND", "PRIORITY", "SCHED"}
_RUNNING = {"RUN", "RUNNING", "CLEANUP"}


@batch_system("flux")
class Flux(BatchSystem):
    """Jobs by flux batch."""

    name = "flux"
    summary = "Flux: flux batch, flux jobs, flux cancel"
    launcher = "flux"

    def prepare(self) -> None:
        """Find flux. Raises WeirError where it is missing."""
        find_programs("Flux", "flux")

    def script(self, job: JobRequest) -> str:
        """For flux batch."""
        known = replace(job, setup=(f"export {_JOB}=$(flux getattr jobid)", *job.setup))
        return script_of("# flux:", _options(job), known)

    def submit(self, job: JobRequest, after: str | None = None) -> str:
        """By flux batch."""
        depends = [f"--dependency=afterany:{after}"] if after else []
        said = _ascii(asked(["flux", "batch", *depends, str(job.script)], advice=REFUSED).strip())
        if not _NUMBER.fullmatch(said):
            raise WeirError("`flux batch` gave no job", f"it said '{said[:200]}'", "ask `flux jobs -a`")
        return said

    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        """By flux jobs, of the instance that this process reaches."""
        words = ["flux", "jobs", "-n", "-o", "{id.f58}|{status}|{nodelist}", *ids]
        lines = (line.split("|", 2) for line in asked(words, advice="", forgiven="unknown").splitlines())
        found = {_ascii(line[0]): _state(*line[1:]) for line in lines if len(line) == 3}
        return {one: found[one] for one in ids if one in found}

    def cancel(self, ids: Sequence[str]) -> None:
        """By flux cancel."""
        asked(["flux", "cancel", *ids], advice="cancel them by hand: flux cancel")

    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        """By the variable that its script sets."""
        number = _ascii(environment.get(_JOB, ""))
        return JobPlace("flux", number) if _NUMBER.fullmatch(number) else None


def _options(job: JobRequest) -> Iterator[str]:
    """A slot is a rank, with its cores."""
    size, each = job.size, job.size.most_on_a_node
    yield f"--job-name={job.name}"
    if size.nodes is not None:
        yield f"--nodes={size.nodes}"
    yield f"--nslots={size.ranks if each is None or size.nodes is None else each * size.nodes}"
    if size.threads > 1:
        yield f"--cores-per-slot={size.threads}"
    if size.hosts:
        yield f"--requires=host:{','.join(plain(host, 'Flux') for host in size.hosts)}"
    yield f"--time-limit={math.ceil(job.time_s)}s"
    if job.account:
        yield f"--bank={plain(job.account, 'Flux')}"
    if job.partition:
        yield f"--queue={plain(job.partition, 'Flux')}"
    yield f"--cwd={plain(str(job.folder), 'Flux')}"
    yield f"--output={plain(str(job.log), 'Flux')}"
    yield from job.options


def _state(word: str, nodes: str) -> JobState:
    if word in _WAITING:
        return JobState(Phase.WAITING, word.lower())
    if word in _RUNNING:
        return JobState(Phase.RUNNING, word.lower(), nodes=nodes)
    return JobState(Phase.ENDED if word == "COMPLETED" else Phase.FAILED, word.lower(), nodes=nodes)


def _ascii(number: str) -> str:
    """Flux prints "\u0192" in front where the terminal has it, and reads "f" too."""
    return number.replace("\u0192", "f")

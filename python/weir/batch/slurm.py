"""Slurm: sbatch, squeue, scancel; after some minutes it forgets jobs that are over, and sacct may know."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence

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
from weir.batch.script import clock, script_of
from weir.errors import WeirError

WARNING_S = 60
"""Before its end a job is told so; Slurm may do it up to a minute earlier (sbatch(1), --signal)."""
_WAITING = {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESIZING"}
_RUNNING = {"RUNNING", "COMPLETING", "STAGE_OUT", "SIGNALING", "SUSPENDED", "STOPPED"}
_NOTHING = {"None", "None assigned"}
"""For what a job has not: no reason to wait, or no node."""


@batch_system("slurm")
class Slurm(BatchSystem):
    """Jobs by sbatch."""

    name = "slurm"
    summary = "Slurm: sbatch, squeue, scancel"
    launcher = "srun"

    def prepare(self) -> None:
        """Find sbatch and squeue. Raises WeirError where one is missing."""
        find_programs("Slurm", "sbatch", "squeue", "scancel")

    def script(self, job: JobRequest) -> str:
        """For sbatch. A job is begun anew where a node of it goes down, and goes on with its run."""
        return script_of("#SBATCH", _options(job), job, '"${SLURMD_NODENAME:-$(hostname)}"')

    def submit(self, job: JobRequest, after: str | None = None) -> str:
        """By sbatch; of the jobs of a name Slurm runs one at a time."""
        try:
            said = asked(["sbatch", "--parsable", str(job.script)], advice=REFUSED)
        except WeirError as error:
            if not isinstance(error.__cause__, subprocess.TimeoutExpired):
                raise
            advice = f"see whether the job was taken all the same: squeue --me --name={job.name}"
            raise WeirError(error.problem, error.why, advice) from error
        number = said.strip().splitlines()[-1].split(";")[0] if said.strip() else ""
        if not number.isdigit():
            raise WeirError(
                "`sbatch` gave no job number", f"it said '{said.strip()[:200]}'", "ask `squeue --me`"
            )
        return number

    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        """By squeue, and of what that knows no more by sacct, where the site has it."""
        which = [f"--name={name}"] if name else [f"--jobs={','.join(ids)}"]
        words = ["squeue", "--noheader", "--states=all", "--format=%i|%T|%r|%N", *which]
        found = dict(_states(asked(words, advice="", forgiven="invalid job id")))
        missing = [one for one in ids if one not in found]
        if missing and shutil.which("sacct"):
            found |= _accounted(missing)
        return {one: found[one] for one in ids if one in found}

    def cancel(self, ids: Sequence[str]) -> None:
        """By scancel."""
        asked(["scancel", *ids], advice="cancel them by hand: scancel")

    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        """By the variables of the job (sbatch(1), OUTPUT ENVIRONMENT VARIABLES)."""
        number, again = environment.get("SLURM_JOB_ID", ""), environment.get("SLURM_RESTART_COUNT", "0")
        nodes = environment.get("SLURM_JOB_NODELIST", "")
        restarts = int(again) if again.isdigit() else 0
        return JobPlace("slurm", number, restarts, nodes) if number.isdigit() else None


def _options(job: JobRequest) -> Iterator[str]:
    size = job.size
    yield f"--job-name={job.name}"
    yield "--dependency=singleton"
    if size.nodes is not None:
        yield f"--nodes={size.nodes}"
    if size.ranks_per_node is not None:
        yield f"--ntasks-per-node={size.ranks_per_node}"
    else:
        yield f"--ntasks={size.ranks}"
    if size.threads > 1:
        yield f"--cpus-per-task={size.threads}"
    if size.hosts:
        yield f"--nodelist={','.join(size.hosts)}"
    yield f"--time={clock(job.time_s)}"
    if job.account:
        yield f"--account={_word(job.account)}"
    if job.partition:
        yield f"--partition={_word(job.partition)}"
    yield f"--chdir={_word(str(job.folder))}"
    yield f"--output={_word(str(job.log).replace('%', '%%'))}"
    yield "--open-mode=append"
    yield "--requeue"
    yield f"--signal=B:TERM@{WARNING_S}"
    yield from job.options


_NO_WORD = re.compile(r"[\x00-\x1f\x7f\\]")


def _word(text: str) -> str:
    """As sbatch reads it: it takes the words of its lines as a shell does, but for backslashes, at which it
    drops the rest of a path's meaning. Raises WeirError for those, and for what would begin another line."""
    if _NO_WORD.search(text):
        raise WeirError(
            f"cannot name {text!r} to Slurm",
            "it holds a backslash or a control character, which a line of sbatch cannot hold",
            "choose another name",
        )
    return shlex.quote(text)


def _states(lines: str) -> Iterator[tuple[str, JobState]]:
    for line in lines.splitlines():
        number, word, reason, nodes = (*line.split("|"), "", "", "")[:4]
        word = word.partition(" ")[0]  # sacct says by whom a job was cancelled
        reason, nodes = (("" if text in _NOTHING else text) for text in (reason, nodes))
        yield number, JobState(_phase(word), word.lower(), reason, nodes)


def _phase(word: str) -> Phase:
    if word in _WAITING:
        return Phase.WAITING
    if word in _RUNNING:
        return Phase.RUNNING
    return Phase.ENDED if word == "COMPLETED" else Phase.FAILED


def _accounted(ids: Sequence[str]) -> dict[str, JobState]:
    """What the accounting says, empty where the site has none."""
    words = ["sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={','.join(ids)}"]
    try:
        lines = asked([*words, "--format=JobID,State,Reason,NodeList"], advice="")
    except WeirError:
        return {}
    return dict(_states(lines))

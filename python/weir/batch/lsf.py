"""LSF: bsub, bjobs, bkill; it forgets jobs that are over after an hour, unless the site says otherwise.

It follows IBM's reference of these commands, and was tried on no such machine."""

import math
import re
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
    read_answer,
)
from weir.batch.script import plain, script_of
from weir.errors import WeirError

_WAITING = {"PEND", "PSUSP", "WAIT"}
_RUNNING = {"RUN", "PROV", "USUSP", "SSUSP", "UNKWN"}
_SUBMITTED = re.compile(r"Job <(\d+)> is submitted")


@batch_system("lsf")
class Lsf(BatchSystem):
    """Jobs by bsub. None is begun anew, since nothing would tell it so: the next one goes on."""

    name = "lsf"
    summary = "LSF: bsub, bjobs, bkill"
    launcher = "mpirun"

    def prepare(self) -> None:
        """Find its commands. Raises WeirError where one is missing."""
        find_programs("LSF", "bsub", "bjobs", "bkill")

    def script(self, job: JobRequest) -> str:
        """For bsub."""
        return script_of("#BSUB", _options(job), job)

    def submit(self, job: JobRequest, after: str | None = None) -> str:
        """By bsub, which reads scripts from its standard input."""
        depends = ["-w", f"ended({after})"] if after else []
        said = asked(["bsub", *depends], typed=job.script.read_text(), advice=REFUSED)
        found = _SUBMITTED.search(said)
        if found is None:
            raise WeirError("`bsub` gave no job number", f"it said '{said.strip()[:200]}'", "ask `bjobs`")
        return found[1]

    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        """By bjobs."""
        words = ["bjobs", "-a", "-o", "jobid stat exec_host pend_reason", "-json", *ids]
        records = read_answer("bjobs", asked(words, advice="", forgiven="is not found")).get("RECORDS", [])
        found = {one["JOBID"]: one for one in records if "STAT" in one}
        return {one: _state(found[one]) for one in ids if one in found}

    def cancel(self, ids: Sequence[str]) -> None:
        """By bkill."""
        asked(["bkill", *ids], advice="cancel them by hand: bkill")

    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        """By the variable of each job."""
        number = environment.get("LSB_JOBID", "")
        return JobPlace("lsf", number) if number.isdigit() else None


def _options(job: JobRequest) -> Iterator[str]:
    """Slots are processors: a rank takes as many as it has threads."""
    size = job.size
    yield f"-J {job.name}"
    each = size.most_on_a_node
    ranks = size.ranks if each is None or size.nodes is None else each * size.nodes
    yield f"-n {ranks * size.threads}"
    if each is not None:
        yield f'-R "span[ptile={each * size.threads}]"'
    if size.hosts:
        yield f'-m "{" ".join(plain(host, "LSF") for host in size.hosts)}"'
    yield f"-W {math.ceil(job.time_s / 60)}"
    if job.account:
        yield f"-P {plain(job.account, 'LSF')}"
    if job.partition:
        yield f"-q {plain(job.partition, 'LSF')}"
    yield f"-cwd {plain(str(job.folder), 'LSF')}"
    yield f"-o {plain(str(job.log), 'LSF')}"
    yield "-rn"
    yield from job.options


def _state(record: Mapping[str, str]) -> JobState:
    word, nodes = record["STAT"], _nodes(record.get("EXEC_HOST", ""))
    if word in _WAITING:
        return JobState(Phase.WAITING, word.lower(), record.get("PEND_REASON", ""))
    if word in _RUNNING:
        return JobState(Phase.RUNNING, word.lower(), nodes=nodes)
    return JobState(Phase.ENDED if word == "DONE" else Phase.FAILED, word.lower(), nodes=nodes)


def _nodes(text: str) -> str:
    """ "n1,n2" of "4*n1:4*n2"."""
    return ",".join(dict.fromkeys(part.rpartition("*")[2] for part in text.split(":") if part))

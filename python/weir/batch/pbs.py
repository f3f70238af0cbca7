"""PBS Professional and OpenPBS: qsub, qstat, qdel. Torque has other words for nodes.

It follows qsub(1B) and qstat(1B), and was tried on no such machine."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.batch.base import (
    REFUSED,
    BatchSystem,
    JobPlace,
    JobRequest,
    JobState,
    Phase,
    Size,
    asked,
    batch_system,
    find_programs,
    read_answer,
)
from weir.batch.script import clock, plain, script_of
from weir.errors import WeirError

_NUMBER = re.compile(r"\d+(\.[\w.-]+)?")
_LONGEST_NAME = 15
"""Of a job, in all versions."""
_RUNNING = {"R": "running", "E": "exiting", "S": "suspended", "U": "suspended"}
_WAITING = {"Q": "queued", "H": "held", "W": "waiting", "T": "moving", "M": "moved"}


@batch_system("pbs")
class Pbs(BatchSystem):
    """Jobs by qsub. None is begun anew, since nothing would tell it so: the next one goes on."""

    name = "pbs"
    summary = "PBS Professional, OpenPBS: qsub, qstat, qdel"
    launcher = "pbs"

    def prepare(self) -> None:
        """Find its commands. Raises WeirError where one is missing."""
        find_programs("PBS", "qsub", "qstat", "qdel")

    def script(self, job: JobRequest) -> str:
        """For qsub, which begins jobs in the home directory."""
        folder = plain(str(job.folder), "PBS")
        moved = replace(job, setup=(f'cd {folder} || refuse "node $node has no" {folder}', *job.setup))
        return script_of("#PBS", _options(job), moved)

    def submit(self, job: JobRequest, after: str | None = None) -> str:
        """By qsub."""
        depends = ["-W", f"depend=afterany:{after}"] if after else []
        said = asked(["qsub", *depends, str(job.script)], advice=REFUSED).strip()
        if not _NUMBER.fullmatch(said):
            raise WeirError("`qsub` gave no job number", f"it said '{said[:200]}'", "ask `qstat -u $USER`")
        return said

    def states(self, name: str, ids: Sequence[str]) -> Mapping[str, JobState]:
        """By qstat, with those that are over as long as the server keeps them."""
        words = ["qstat", "-x", "-f", "-F", "json", *ids]
        found = read_answer("qstat", asked(words, advice="", forgiven="unknown job")).get("Jobs", {})
        return {one: _state(found[one]) for one in ids if one in found}

    def cancel(self, ids: Sequence[str]) -> None:
        """By qdel."""
        asked(["qdel", *ids], advice="cancel them by hand: qdel")

    def this_job(self, environment: Mapping[str, str]) -> JobPlace | None:
        """By the variable of each job."""
        number = environment.get("PBS_JOBID", "")
        return JobPlace("pbs", number) if _NUMBER.fullmatch(number) else None


def _options(job: JobRequest) -> Iterator[str]:
    yield f"-N {job.name[:_LONGEST_NAME]}"
    yield f"-l select={_select(job.size)}"
    yield f"-l place={'scatter' if job.size.nodes else 'free'}"
    yield f"-l walltime={clock(job.time_s)}"
    if job.account:
        yield f"-A {plain(job.account, 'PBS')}"
    if job.partition:
        yield f"-q {plain(job.partition, 'PBS')}"
    yield "-j oe"
    yield f"-o {plain(str(job.log), 'PBS')}"
    yield "-r n"
    yield from job.options


def _select(size: Size) -> str:
    """A chunk a node, or a rank where the ranks are left to PBS."""
    each = size.most_on_a_node or 1
    chunk = f"ncpus={each * size.threads}:mpiprocs={each}"
    if size.hosts:
        return "+".join(f"1:host={plain(host, 'PBS')}:{chunk}" for host in size.hosts)
    return f"{size.nodes or size.ranks}:{chunk}"


def _state(job: Mapping[str, Any]) -> JobState:
    """Of a job that is over, its exit status says how; it has none where it was deleted before it ran."""
    letter, nodes = str(job.get("job_state", "")), _nodes(str(job.get("exec_host", "")))
    if letter in _WAITING:
        return JobState(Phase.WAITING, _WAITING[letter], str(job.get("comment", "")))
    if letter in _RUNNING:
        return JobState(Phase.RUNNING, _RUNNING[letter], nodes=nodes)
    good = job.get("Exit_status") == 0
    return JobState(Phase.ENDED if good else Phase.FAILED, "finished" if good else "failed", nodes=nodes)


def _nodes(text: str) -> str:
    """ "n1,n2" of "n1/0*2+n2/0*2"."""
    return ",".join(dict.fromkeys(part.partition("/")[0] for part in text.split("+") if part))

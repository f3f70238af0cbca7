"""`srun` of Slurm, inside a job: each launch is a step of it."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from weir.launch.base import Command, Launcher, LaunchSpec, launcher, too_few_nodes
from weir.launch.in_job import JobsOf
from weir.launch.mpirun import LONGEST_ANSWER_S, Mpirun, does_not_answer
from weir.launch.nodes import nodes_of_job

_BINDINGS = {"core": "cores", "socket": "sockets", "none": "none"}
_JOBS = JobsOf("Slurm", "SLURM_JOB_ID", "salloc -N 2 weir run …, or in a script for sbatch")
_PLUGINS = ("pmix", "pmi2", "cray_shasta")
"""By which ranks find each other, the best first; `srun --mpi=list` says which there are."""


@dataclass(frozen=True)
class Job:
    """What the command depends on apart from the spec: the job's processors of all nodes, and the plug-in of
    MPI, null where Slurm's own choice is to hold."""

    program: str
    processors: int | None
    plugin: str | None
    nodes: int | None = None


@launcher("srun")
class Srun(Launcher):
    """Starts ranks as steps of the job that this process is in."""

    summary = "srun of Slurm, inside a job"

    def __init__(self, job: Job | None = None) -> None:
        self._job = job
        self._mpirun = Mpirun()

    def prepare(self) -> None:
        """Find srun and the job. Raises WeirError where there is none."""
        self._job = self._job or _find_job(os.environ)

    def foresee(self) -> str:
        """Without a job, srun by its name."""
        if _JOBS.is_here():
            return super().foresee()
        self._job = self._job or Job("srun", None, None)
        return _JOBS.unknown

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The step. Variables go by the environment, which srun hands on as it is."""
        job = self._known()
        argv = [job.program, "--ntasks", str(spec.ranks), "--kill-on-bad-exit=1", "--input=none"]
        argv += [f"--cpu-bind={_BINDINGS[self.binding(spec)]}"]
        if job.plugin is not None:
            argv += [f"--mpi={job.plugin}"]
        if spec.host is not None:
            argv += ["--nodes", "1", "--nodelist", spec.host]
        if spec.nodes is not None:
            argv += ["--nodes", str(spec.nodes)]
        if spec.ranks_per_node is not None:
            argv += ["--ntasks-per-node", str(spec.ranks_per_node)]
        if spec.threads > 1:
            argv += ["--cpus-per-task", str(spec.threads)]
        if self._crowded(spec):
            argv += ["--overcommit"]
        return Command((*argv, *program), self._variables(spec))

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores, but for more ranks than the job has processors."""
        return spec.binding or ("none" if self._crowded(spec) else "core")

    def lacks(self, spec: LaunchSpec) -> str | None:
        """Of MPI-IO as mpirun says, where that is beside it; it knows the MPI."""
        if too_few := too_few_nodes(spec, self._known().nodes):
            return too_few
        if spec.mpi_io is None:
            return None
        if shutil.which("mpirun") is None:
            return "which MPI this is cannot be told: there is no mpirun in PATH"
        return self._mpirun.lacks(spec)

    def _crowded(self, spec: LaunchSpec) -> bool:
        processors = self._known().processors
        return processors is not None and spec.ranks * spec.threads > processors

    def _variables(self, spec: LaunchSpec) -> Mapping[str, str]:
        own = dict(spec.env)
        if spec.mpi_io is not None:
            own |= self._mpirun.command(spec, ()).env
        if self._crowded(spec):
            # Ranks that wait in a busy loop would keep the core from the very ranks that they wait for.
            own.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
        return own

    def _known(self) -> Job:
        self.prepare()
        assert self._job is not None
        return self._job


def _find_job(environment: Mapping[str, str]) -> Job:
    program = _JOBS.find("srun")
    nodes = len(nodes_of_job(environment)) or None
    return Job(program, processors_of(environment), _plugin(program), nodes)


_NODES = re.compile(r"(\d+)(?:\(x(\d+)\))?")


def processors_of(environment: Mapping[str, str]) -> int | None:
    """Those of all nodes of the job, of "2(x3),1"; None where Slurm does not say (sbatch(1),
    SLURM_JOB_CPUS_PER_NODE)."""
    found = [_NODES.fullmatch(part) for part in environment.get("SLURM_JOB_CPUS_PER_NODE", "").split(",")]
    if not all(found):
        return None
    return sum(int(one[1]) * int(one[2] or 1) for one in found if one)


def _plugin(program: str) -> str | None:
    """The best that is there; None where none is known. Open MPI needs one, and Slurm's own choice may be
    none."""
    try:
        done = subprocess.run(
            [program, "--mpi=list"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_ANSWER_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise does_not_answer(program, error.timeout) from error
    except OSError:
        return None
    there = set((done.stdout + done.stderr).split())
    return next((name for name in _PLUGINS if name in there), None)

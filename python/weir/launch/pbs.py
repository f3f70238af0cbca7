"""`mpiexec` in a job of PBS: that of HPE's PALS has options of its own; the mpirun of Open MPI and of MPICH
reads the job's list of nodes by itself."""

import shutil
from pathlib import Path

from weir.launch.base import Command, LaunchSpec, launcher
from weir.launch.in_job import InJob, JobsOf, most_per_node

_JOBS = JobsOf("PBS", "PBS_JOBID", "qsub -I -l select=2, then weir run …")
_PALS = "pals"
"""A folder on the way to it, as /opt/cray/pals/1.4/bin/mpiexec."""


@launcher("pbs")
class Pbs(InJob):
    """Starts ranks on the nodes of the job that this process is in."""

    summary = "mpiexec of PALS, else mpirun, inside a job of PBS"

    def __init__(self, pals: str | None = None) -> None:
        super().__init__()
        self._pals = pals
        self._is_ready = pals is not None

    def prepare(self) -> None:
        """Find the job and its mpiexec. Raises WeirError where there is none."""
        if not self._is_ready:
            _JOBS.check_here("pbs")
            self._find_mpiexec()

    def foresee(self) -> str:
        """Without a job, the mpiexec that is here."""
        if not self._is_ready:
            self._find_mpiexec()
        return "" if _JOBS.is_here() else _JOBS.unknown

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The launch, by PALS where that is there."""
        self.prepare()
        if self._pals is None:
            return self._mpirun.command(spec, program)
        argv = [self._pals, "-n", str(spec.ranks)]
        if (per_node := most_per_node(spec)) is not None:
            argv += ["--ppn", str(per_node)]
        if spec.host is not None:
            argv += ["--hosts", spec.host]
        if spec.threads > 1:
            argv += ["--depth", str(spec.threads)]
        argv += ["--cpu-bind", spec.binding or "core"]
        for name, value in self.variables(spec).items():
            argv += ["--env", f"{name}={value}"]
        return Command((*argv, *program))

    def _find_mpiexec(self) -> None:
        self._pals = find_pals()
        if self._pals is None:
            self._mpirun.prepare()
        self._is_ready = True

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores."""
        self.prepare()
        return self._mpirun.binding(spec) if self._pals is None else spec.binding or "core"

    def cannot(self, spec: LaunchSpec) -> str | None:
        """What mpirun cannot, where it starts the ranks."""
        self.prepare()
        return self._mpirun.lacks(spec) if self._pals is None else None


def find_pals() -> str | None:
    """The mpiexec of PALS; None where the first in PATH is another."""
    found = shutil.which("mpiexec")
    return found if found and _PALS in Path(found).resolve().parts else None

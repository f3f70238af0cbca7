"""`aprun` of ALPS, on machines of Cray whose jobs PBS or Torque start."""

from weir.launch.base import Command, LaunchSpec, launcher
from weir.launch.in_job import InJob, JobsOf, most_per_node

_JOBS = JobsOf("PBS", "PBS_JOBID", "qsub -I, then weir run …")
_BINDINGS = {"core": "cpu", "socket": "numa_node", "none": "none"}


@launcher("aprun")
class Aprun(InJob):
    """Starts ranks on the nodes of the job that this process is in."""

    summary = "aprun of ALPS, inside a job on a machine of Cray"

    def __init__(self, program: str | None = None) -> None:
        super().__init__()
        self._program = program

    def prepare(self) -> None:
        """Find aprun and the job. Raises WeirError where there is none."""
        self._program = self._program or _JOBS.find("aprun")

    def foresee(self) -> str:
        """Without a job, aprun by its name."""
        if _JOBS.is_here():
            return super().foresee()
        self._program = self._program or "aprun"
        return _JOBS.unknown

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The launch, quiet: aprun else prints a summary of its own among the program's lines."""
        self.prepare()
        assert self._program is not None
        argv = [self._program, "-q", "-n", str(spec.ranks)]
        if (per_node := most_per_node(spec)) is not None:
            argv += ["-N", str(per_node)]
        if spec.threads > 1:
            argv += ["-d", str(spec.threads)]
        if spec.host is not None:
            argv += ["-L", spec.host]
        argv += ["-cc", _BINDINGS[self.binding(spec)]]
        for name, value in self.variables(spec).items():
            argv += ["-e", f"{name}={value}"]
        return Command((*argv, *program))

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores, as aprun does by itself."""
        return spec.binding or "core"

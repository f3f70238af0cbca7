"""`jsrun` of IBM's Job Step Manager, in a job of LSF. A resource set is a rank with its cores."""

from weir.launch.base import Command, LaunchSpec, launcher
from weir.launch.in_job import InJob, JobsOf, nodes_asked, uneven

_JOBS = JobsOf("LSF", "LSB_JOBID", "bsub -nnodes 2 -Is weir run …")


@launcher("jsrun")
class Jsrun(InJob):
    """Starts ranks as steps of the job that this process is in: each has its cores, and more ranks than these
    suffice for are refused by jsrun."""

    summary = "jsrun of IBM's Job Step Manager, inside a job of LSF"

    def __init__(self, program: str | None = None) -> None:
        super().__init__()
        self._program = program

    def prepare(self) -> None:
        """Find jsrun and the job. Raises WeirError where there is none."""
        self._program = self._program or _JOBS.find("jsrun")

    def foresee(self) -> str:
        """Without a job, jsrun by its name."""
        if _JOBS.is_here():
            return super().foresee()
        self._program = self._program or "jsrun"
        return _JOBS.unknown

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The step. Variables are named: jsrun need not hand on all."""
        self.prepare()
        assert self._program is not None
        argv = [self._program, "--nrs", str(spec.ranks), "--tasks_per_rs", "1"]
        argv += ["--cpu_per_rs", str(spec.threads)]
        nodes = nodes_asked(spec)
        if nodes is not None:
            argv += ["--rs_per_host", str(spec.ranks_per_node or spec.ranks // nodes)]
        bound = "none" if self.binding(spec) == "none" else f"packed:{spec.threads}"
        argv += ["--bind", bound, "-X", "1"]
        for name, value in self.variables(spec).items():
            argv += ["-E", f"{name}={value}"]
        return Command((*argv, *program))

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores, of which each rank has its own."""
        return spec.binding or "core"

    def cannot(self, spec: LaunchSpec) -> str | None:
        """It chooses hosts by itself, binds to cores or not at all, and spreads ranks evenly."""
        if spec.host is not None:
            return f"jsrun chooses the node: to start on {spec.host} takes mpirun"
        if spec.binding == "socket":
            return "jsrun binds ranks to cores or not at all"
        if spec.nodes is not None and spec.ranks % spec.nodes:
            return f"jsrun starts as many ranks on each node: {spec.nodes} do not divide {spec.ranks}"
        return uneven(spec, "jsrun")

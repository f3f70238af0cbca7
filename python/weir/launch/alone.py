"""One rank, started as it is: what can be measured where there is no launcher of MPI."""

from weir.launch.base import Command, Launcher, LaunchSpec, launcher


@launcher("alone")
class Alone(Launcher):
    """Starts the program itself, as any other."""

    summary = "one rank, started as it is: where there is no mpirun"

    def prepare(self) -> None:
        """Needs nothing."""

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The program, with the environment that the spec asks for."""
        return Command(program, dict(spec.env))

    def binding(self, spec: LaunchSpec) -> str | None:
        """It is left to the system."""
        return "none"

    def lacks(self, spec: LaunchSpec) -> str | None:
        """More ranks than one, another node, and a choice among implementations of MPI-IO."""
        if spec.host is not None:
            return f"to start on node {spec.host} takes mpirun or srun"
        if spec.ranks > 1:
            return f"{spec.ranks} ranks take mpirun, and there is none"
        return (
            None
            if spec.mpi_io is None
            else "an implementation of MPI-IO is chosen by mpirun, and there is none"
        )

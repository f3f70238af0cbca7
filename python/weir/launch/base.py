"""What a launcher is, and where launchers are found.

To build the command is pure and apart from executing it, so that a dry run can show it and a batch system
can take it into a job script instead.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from weir.errors import WeirError, did_you_mean
from weir.launch.process import Exit, execute
from weir.registry import Registry
from weir.site.load import site
from weir.units import count_words

OnLine = Callable[[bytes], None]


@dataclass(frozen=True)
class LaunchSpec:
    """What a launch asks for: launches of equal specs can share a process."""

    ranks: int
    nodes: int | None = None
    ranks_per_node: int | None = None
    threads: int = 1
    """Of each rank: it gets so many cores where ranks are bound to cores."""
    host: str | None = None
    """The one host on which all ranks are to run; None leaves it to the launcher."""
    binding: str | None = None
    """`core`, `socket` or `none`; None leaves it to the launcher, which binds to cores where there are
    enough."""
    env: tuple[tuple[str, str], ...] = ()
    mpi_io: str | None = None
    """The implementation of MPI-IO to use, by a name of weir.launch.mpirun; None leaves it to the MPI."""


@dataclass(frozen=True)
class Command:
    """A process to start: its arguments, and variables to add to the environment."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LaunchRequest:
    """One launch: the spec, the program with its arguments, and where its talk goes."""

    spec: LaunchSpec
    program: tuple[str, ...]
    stderr_path: Path
    silence_limit_s: Callable[[], float]
    """A launch that gives no sign for this long is ended. Asked again and again: it is shorter once the core
    watches its ranks."""


class Launcher(ABC):
    """A way to start ranks. Subclasses register with `@launcher(NAME)`."""

    summary: ClassVar[str]

    @abstractmethod
    def prepare(self) -> None:
        """Find what is needed. Raises WeirError (exit code 2) if something is missing."""

    def foresee(self) -> str:
        """For a plan, which starts nothing: as `prepare`, but it needs no job. Returns what is not known
        without one; empty in a job, and where none is needed."""
        self.prepare()
        return ""

    @abstractmethod
    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The command that starts the program under the spec. Changes nothing; needs `prepare`."""

    @abstractmethod
    def binding(self, spec: LaunchSpec) -> str | None:
        """How ranks will be bound under the spec, in the protocol's words; None if that is not known."""

    def lacks(self, spec: LaunchSpec) -> str | None:
        """Why the MPI of this machine cannot do what the spec asks, None if it can; needs `prepare`.

        Raises WeirError for what no MPI can.
        """
        return None

    def run(self, request: LaunchRequest, on_line: OnLine) -> Exit:
        """Start the command and hand over each line of its standard output as it comes; returns when it
        has ended.

        Whatever is raised meanwhile, by `on_line` too, ends the launch with all its processes and is
        passed on.
        """
        command = self.command(request.spec, request.program)
        return execute(
            command.argv,
            command.env,
            stderr_path=request.stderr_path,
            silence_limit_s=request.silence_limit_s,
            on_line=on_line,
        )


_launchers = Registry[type[Launcher]]("weir.launch", "launcher")
launcher = _launchers.register
"""Class decorator: make the launcher known under the name."""
launchers = _launchers.all


DEFAULT = "mpirun"


def launcher_name(asked: str | None) -> str:
    """The launcher that was asked for, else the site's, else mpirun. Raises WeirError where the site names
    one that there is not."""
    if asked is not None:
        return asked
    found = site()
    if found.launcher is None:
        return DEFAULT
    known = launcher_summaries()
    if found.launcher not in known:
        problem = f"{found.place('launcher')}: there is no launcher '{found.launcher}'"
        raise WeirError(problem, f"known are {', '.join(known)}", did_you_mean(found.launcher, known))
    return found.launcher


OF_JOBS = ("slurm", "sbatch", "lsf", "bsub", "qsub", "torque", "sge")
"""Systems of jobs, and how jobs are handed to them, which people name."""


def launcher_summaries() -> dict[str, str]:
    """All launchers by name, the site's own behind the others, with what each is."""
    own = site().launchers
    summaries = {name: kind.summary for name, kind in launchers().items() if name not in own}
    return summaries | {name: f"of this site: {one.program}" for name, one in own.items()}


def find_launcher(name: str) -> Launcher:
    """A new launcher of that name; the site's own one goes before one of Weir's. Raises WeirError if there is
    none."""
    own = site().launchers
    if name in own:
        from weir.launch.of_site import OfSite  # noqa: PLC0415 - it is a launcher itself

        return OfSite(own[name])
    if name in OF_JOBS:
        raise WeirError(
            f"there is no launcher '{name}'",
            f"known are {', '.join(launcher_summaries())}",
            "use mpirun: in a job it starts ranks on the job's nodes",
        )
    return _launchers.find(name, own)()


def too_few_nodes(spec: LaunchSpec, nodes: int | None) -> str | None:
    """Why a job of so many nodes cannot carry the launch; None where it can, or nobody knows."""
    if spec.nodes is None or nodes is None or spec.nodes <= nodes:
        return None
    return f"it takes {count_words(spec.nodes, 'node')}, and the job has {nodes}"


_TOPOLOGY = Path("/sys/devices/system/cpu")


def usable_cores(topology: Path = _TOPOLOGY) -> int:
    """Physical cores that this process may use: hardware threads of one core count once."""
    allowed = os.sched_getaffinity(0)
    cores = set()
    for cpu in allowed:
        try:
            cores.add((topology / f"cpu{cpu}/topology/core_cpus_list").read_text().strip())
        except OSError:
            cores.add(f"cpu{cpu}")
    return len(cores)

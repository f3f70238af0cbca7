"""What a launcher is, and where launchers are found.

To build the command is pure and apart from executing it, so that a dry run can show it and a batch system
can take it into a job script instead.
"""

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import weir.launch
from weir.errors import WeirError, did_you_mean
from weir.launch.process import Exit, execute

OnLine = Callable[[bytes], None]


@dataclass(frozen=True)
class LaunchSpec:
    """What a launch asks for: launches of equal specs can share a process."""

    ranks: int
    nodes: int | None = None
    ranks_per_node: int | None = None
    binding: str | None = None
    """`core`, `socket` or `none`; None leaves it to the launcher, which binds to cores where there are
    enough."""
    env: tuple[tuple[str, str], ...] = ()
    mpi_io: str | None = None
    """The implementation of MPI-IO to use, by a name of weir.launch.mpi_io; None leaves it to the MPI."""


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
    silence_limit_s: float
    """A launch that prints nothing for this long is killed."""


class Launcher(ABC):
    """A way to start ranks. Subclasses register with `@launcher(NAME)`."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def prepare(self) -> None:
        """Find what is needed. Raises WeirError (exit code 2) if something is missing."""

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


_LAUNCHERS: dict[str, type[Launcher]] = {}


def launcher(name: str) -> Callable[[type[Launcher]], type[Launcher]]:
    """Class decorator: make the launcher known under the name."""

    def register(kind: type[Launcher]) -> type[Launcher]:
        kind.name = name
        _LAUNCHERS[name] = kind
        return kind

    return register


def launchers() -> dict[str, type[Launcher]]:
    """All launchers by name: every module of this package is looked into."""
    for module in pkgutil.iter_modules(weir.launch.__path__):
        importlib.import_module(f"weir.launch.{module.name}")
    return dict(sorted(_LAUNCHERS.items()))


def find_launcher(name: str) -> Launcher:
    """A new launcher of that name. Raises WeirError if there is none."""
    known = launchers()
    if name not in known:
        raise WeirError(
            f"there is no launcher '{name}'", f"known are {', '.join(known)}", did_you_mean(name, known)
        )
    return known[name]()

"""What launchers of batch systems have in common: they start ranks on the nodes of a job, and hand on the
environment that they are given."""

import math
import os
import shutil
from dataclasses import dataclass, replace

from weir.errors import WeirError
from weir.launch.base import Launcher, LaunchSpec, too_few_nodes
from weir.launch.mpirun import Mpirun, check_name
from weir.launch.nodes import nodes_of_job


class InJob(Launcher):
    """A launcher of a job. It says what it has no words for, so that such cases are left out."""

    def __init__(self) -> None:
        self._mpirun = Mpirun()

    def cannot(self, spec: LaunchSpec) -> str | None:
        """What of the placement that is asked for it cannot do; None where it can do all."""
        return None

    def nodes(self) -> int | None:
        """How many the job has; None where nobody knows."""
        return len(nodes_of_job()) or None

    def lacks(self, spec: LaunchSpec) -> str | None:
        """Of MPI-IO as mpirun says, where that is beside it: it knows the MPI."""
        why = too_few_nodes(replace(spec, nodes=nodes_asked(spec)), self.nodes()) or self.cannot(spec)
        if why is not None or spec.mpi_io is None:
            return why
        check_name(spec.mpi_io)
        try:
            return self._mpirun.lacks(LaunchSpec(spec.ranks, mpi_io=spec.mpi_io))
        except WeirError as error:
            return f"which MPI this is cannot be told: {error.why}"

    def variables(self, spec: LaunchSpec) -> dict[str, str]:
        """The environment of the ranks beside that of this process."""
        own = dict(spec.env)
        return own if spec.mpi_io is None else own | dict(self._mpirun.command(spec, ()).env)


def nodes_asked(spec: LaunchSpec) -> int | None:
    """On how many nodes the ranks are to be; None where nothing is asked for."""
    if spec.host is not None:
        return 1
    if spec.nodes is None and spec.ranks_per_node is not None:
        return math.ceil(spec.ranks / spec.ranks_per_node)
    return spec.nodes


def most_per_node(spec: LaunchSpec) -> int | None:
    """How many ranks a node has at most; None where neither that nor the nodes are asked for."""
    nodes = nodes_asked(spec)
    if spec.ranks_per_node is None and nodes is not None:
        return math.ceil(spec.ranks / nodes)
    return spec.ranks_per_node


def uneven(spec: LaunchSpec, launcher: str) -> str | None:
    """Why a launcher that spreads ranks evenly cannot do what is asked for; None where it can."""
    nodes = nodes_asked(spec)
    if nodes is None or spec.ranks_per_node in (None, spec.ranks / nodes):
        return None
    asked = f"not {spec.ranks_per_node} on each of {nodes} nodes"
    return f"{launcher} spreads {spec.ranks} ranks evenly, and {asked}"


@dataclass(frozen=True)
class JobsOf:
    """A batch system to whose jobs a launcher belongs; `variable` is set in each, `start` says how to get
    one."""

    system: str
    variable: str
    start: str

    def is_here(self) -> bool:
        """Whether this process is in one."""
        return bool(os.environ.get(self.variable))

    @property
    def unknown(self) -> str:
        """What a plan says outside of one."""
        return f"this is no job of {self.system}: its nodes are not known yet"

    def check_here(self, name: str) -> None:
        """Raises WeirError where this process is in none, and the launcher of that name can start nothing."""
        if not self.is_here():
            raise WeirError(
                f"cannot start ranks by {name}",
                f"this is no job of {self.system}: {self.variable} is not set",
                f"start weir in a job: {self.start}",
            )

    def find(self, name: str) -> str:
        """The path of the launcher of that name. Raises WeirError where it is not there, or this process is
        in no job."""
        program = shutil.which(name)
        if program is None:
            advice = f"use --launcher mpirun, or load {self.system}'s module"
            raise WeirError("cannot start ranks", f"there is no {name} in PATH", advice)
        self.check_here(name)
        return program

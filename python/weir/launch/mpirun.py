"""`mpirun` on this machine, that of Open MPI or of MPICH (Hydra), and how each is given the implementation
of MPI-IO to use."""

import math
import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from weir.errors import WeirError, did_you_mean
from weir.launch.base import Command, Launcher, LaunchSpec, launcher, too_few_nodes, usable_cores
from weir.launch.nodes import nodes_of_job, slots_of_job

_IO_VARIABLE = "OMPI_MCA_io"


# MPICH 4.1 and later: ranks that wait sleep after so many looks, and leave the core to those they wait for.
_HYDRA_SHARES_CORES = {
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "256",
}


class Flavour(Enum):
    """Whose mpirun it is: their options differ."""

    OPEN_MPI = "Open MPI"
    HYDRA = "MPICH"


@dataclass(frozen=True)
class Facts:
    """What the command depends on apart from the spec."""

    program: str
    flavour: Flavour
    cores: int
    """Of each node."""
    is_root: bool
    io_components: tuple[str, ...] | None = None
    """Open MPI's components for MPI-IO; None until somebody asks, empty where it does not say."""
    nodes: int | None = None
    """Of the job; None outside of one."""
    slots: int | None = None
    """Ranks for which it takes a node of the job to have room; None outside of one."""


@launcher("mpirun")
class Mpirun(Launcher):
    """Starts ranks on this machine by mpirun."""

    summary = "mpirun of Open MPI or MPICH, on this machine"

    def __init__(self, facts: Facts | None = None) -> None:
        self._facts = facts

    def prepare(self) -> None:
        """Find mpirun and whose it is. Raises WeirError if there is none, or one of neither kind."""
        self._facts = self._facts or _find_facts()

    @property
    def program_and_flavour(self) -> tuple[str, Flavour]:
        """Which mpirun it is, and whose. Raises WeirError as `prepare`."""
        facts = self._known_facts()
        return facts.program, facts.flavour

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The command line for either flavour."""
        if spec.mpi_io is not None:
            check_name(spec.mpi_io)
            self._io_components()
        facts = self._known_facts()
        build = {Flavour.OPEN_MPI: _open_mpi, Flavour.HYDRA: _hydra}[facts.flavour]
        return build(facts, spec, self.binding(spec), program)

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores, but for more ranks than cores, which no launcher can bind so."""
        return spec.binding or ("none" if _is_crowded(self._known_facts(), spec) else "core")

    def lacks(self, spec: LaunchSpec) -> str | None:
        """Whether the job has the nodes, and this MPI the implementation of MPI-IO, that are asked for."""
        if too_few := too_few_nodes(spec, self._known_facts().nodes):
            return too_few
        if spec.mpi_io is None:
            return None
        check_name(spec.mpi_io)
        facts = self._known_facts()
        if facts.flavour is Flavour.HYDRA:
            return None if spec.mpi_io == ROMIO else f"{facts.flavour.value}'s MPI-IO is ROMIO"
        have = {of_component(component) for component in self._io_components()}
        if not have or spec.mpi_io in have:
            return None
        return f"this Open MPI was built without {spec.mpi_io.upper()}"

    def _io_components(self) -> tuple[str, ...]:
        facts = self._known_facts()
        if facts.io_components is None:
            self._facts = facts = replace(facts, io_components=open_mpi_components(facts.program))
        return facts.io_components or ()

    def _known_facts(self) -> Facts:
        if self._facts is None:
            self.prepare()
        assert self._facts is not None
        return self._facts


def _is_crowded(facts: Facts, spec: LaunchSpec) -> bool:
    """Whether a node has more to run than it has cores."""
    per_node = spec.ranks_per_node or math.ceil(spec.ranks / (1 if spec.host else facts.nodes or 1))
    return per_node * spec.threads > facts.cores


def _open_mpi(facts: Facts, spec: LaunchSpec, binding: str, program: tuple[str, ...]) -> Command:
    argv = [facts.program, "-n", str(spec.ranks), "--bind-to", binding]
    if spec.host is not None:
        argv += ["--host", f"{spec.host}:{spec.ranks}"]
    cores = f":PE={spec.threads}" if spec.threads > 1 and binding == "core" else ""
    if spec.ranks_per_node is not None:
        argv += ["--map-by", f"ppr:{spec.ranks_per_node}:node{cores}"]
    elif cores:
        argv += ["--map-by", f"slot{cores}"]
    if _is_crowded(facts, spec):
        # Ranks that wait in a busy loop would keep the core from the very ranks that they wait for.
        argv += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
    elif facts.slots is not None and (spec.ranks_per_node or 0) > facts.slots:
        argv += ["--oversubscribe"]
    # Open MPI hands on what concerns itself, and refuses an explicit option.
    own = {name: value for name, value in spec.env if name.startswith("OMPI_")}
    if spec.mpi_io is not None:
        own[_IO_VARIABLE] = _io_component(spec.mpi_io, facts.io_components or ())
    for name, value in spec.env:
        if name not in own:
            argv += ["-x", f"{name}={value}"]
    if facts.is_root:
        own |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return Command((*argv, *program), own)


def _io_component(name: str, components: tuple[str, ...]) -> str:
    """ROMIO's component carries its version in its name; where that is not known, it is all but OMPIO."""
    found = next((component for component in components if of_component(component) == name), None)
    return found or {OMPIO: OMPIO, ROMIO: f"^{OMPIO}"}[name]


def _hydra(facts: Facts, spec: LaunchSpec, binding: str, program: tuple[str, ...]) -> Command:
    cores = f":{spec.threads}" if spec.threads > 1 and binding == "core" else ""
    argv = [facts.program, "-n", str(spec.ranks), "-bind-to", binding + cores]
    if spec.host is not None:
        argv += ["-hosts", f"{spec.host}:{spec.ranks}"]
    if spec.ranks_per_node is not None:
        argv += ["-ppn", str(spec.ranks_per_node)]
    crowded = _HYDRA_SHARES_CORES if _is_crowded(facts, spec) else {}
    for name, value in (crowded | dict(spec.env)).items():
        argv += ["-genv", name, value]
    return Command((*argv, *program))


def _find_facts() -> Facts:
    program = shutil.which("mpirun")
    if program is None:
        raise WeirError(
            "cannot start ranks",
            "there is no mpirun in PATH",
            "install an MPI, on Debian by `sudo apt-get install openmpi-bin`, or load its module",
        )
    _check_session_folder()
    flavour = _flavour(program)
    nodes, is_root = len(nodes_of_job()) or None, os.geteuid() == 0
    return Facts(program, flavour, usable_cores(), is_root, nodes=nodes, slots=slots_of_job())


def _check_session_folder() -> None:
    """Raises WeirError where the launcher cannot make its files: it takes the first of these that is set."""
    name = next((name for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), None)
    path = Path(os.environ[name]) if name else None
    if path is None or not path.exists():  # else the launcher makes it
        return
    if not path.is_dir():
        why = "is no folder"
    elif not os.access(path, os.W_OK | os.X_OK):
        why = "cannot be written to"
    else:
        return
    raise WeirError(
        "cannot start ranks",
        f"mpirun keeps files of its own in {name}, and '{path}' {why}",
        f"set {name} to a folder that you can write to, or unset it",
    )


def _flavour(program: str) -> Flavour:
    command = [program, "--version"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=LONGEST_ANSWER_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise does_not_answer(program, error.timeout) from error
    except OSError as error:
        return flavour_of(str(error), program)
    return flavour_of(done.stdout + done.stderr, program)


def does_not_answer(program: str, waited_s: float, asked: str = "--version") -> WeirError:
    """What to say of a launcher that hangs."""
    return WeirError(
        f"cannot use '{program}'",
        f"its {asked} has not answered within {waited_s:.0f} s",
        "try it by hand, and put one that works first in PATH",
    )


def flavour_of(version_text: str, program: str) -> Flavour:
    """Whose mpirun printed that for --version. Raises WeirError if that is not known."""
    if "Open MPI" in version_text or "OpenRTE" in version_text:
        return Flavour.OPEN_MPI
    if "HYDRA" in version_text or "MPICH" in version_text or "Intel(R) MPI" in version_text:
        return Flavour.HYDRA
    first = next(iter(version_text.strip().splitlines()), "it printed nothing")
    raise WeirError(
        f"cannot use '{program}'",
        f"its --version is neither that of Open MPI nor of MPICH: {first}",
        "put the mpirun of the MPI that weir-core was built with first in PATH",
    )


OMPIO, ROMIO = "ompio", "romio"
IMPLEMENTATIONS = (OMPIO, ROMIO)
_COMPONENT = "mca:io:"
LONGEST_ANSWER_S = 30


def check_name(name: str) -> None:
    """Raises WeirError for what is no implementation of MPI-IO."""
    if name not in IMPLEMENTATIONS:
        raise WeirError(
            f"there is no implementation '{name}' of MPI-IO",
            f"known are {' and '.join(IMPLEMENTATIONS)}",
            did_you_mean(name, list(IMPLEMENTATIONS)),
        )


def of_component(component: str | None) -> str | None:
    """The implementation that a component of Open MPI is ("romio321"), or anything but OMPIO ("^ompio"); None
    if that is not known."""
    if component is None:
        return None
    excluded = component.startswith("^")
    found = next((name for name in IMPLEMENTATIONS if component.lstrip("^").startswith(name)), None)
    if excluded:
        return ROMIO if found == OMPIO else None
    return found


def open_mpi_components(mpirun: str) -> tuple[str, ...]:
    """The components for MPI-IO of the Open MPI that this mpirun belongs to; empty where it does not say."""
    lines = (line for line in ask_ompi_info(mpirun, "--parsable") if line.startswith(_COMPONENT))
    return tuple(dict.fromkeys(line.removeprefix(_COMPONENT).partition(":")[0] for line in lines))


def ask_ompi_info(mpirun: str, *arguments: str) -> list[str]:
    """What the ompi_info of the Open MPI that this mpirun belongs to prints; nothing where there is none."""
    sibling = Path(mpirun).with_name("ompi_info")
    program = str(sibling) if sibling.exists() else shutil.which("ompi_info")
    if program is None:
        return []
    try:
        return subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_ANSWER_S,
            check=False,
        ).stdout.splitlines()
    except (OSError, subprocess.TimeoutExpired):
        return []

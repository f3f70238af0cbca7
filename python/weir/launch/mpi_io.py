"""The implementations of MPI-IO, and how each kind of MPI is told to use one of them."""

import shutil
import subprocess
from pathlib import Path

from weir.errors import WeirError, did_you_mean

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
    """The components for MPI-IO of the Open MPI that this mpirun belongs to; empty where it does not tell."""
    beside = Path(mpirun).with_name("ompi_info")
    program = str(beside) if beside.exists() else shutil.which("ompi_info")
    if program is None:
        return ()
    try:
        said = subprocess.run(
            [program, "--parsable"], capture_output=True, text=True, timeout=LONGEST_ANSWER_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    lines = (line for line in said.splitlines() if line.startswith(_COMPONENT))
    return tuple(dict.fromkeys(line.removeprefix(_COMPONENT).partition(":")[0] for line in lines))

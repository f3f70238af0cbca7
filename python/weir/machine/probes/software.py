"""`weir-core`, MPI and its I/O component, compiler, libraries, and the environment that steers them."""

import platform
import re
import subprocess
from importlib import metadata

from weir.machine.card import Section, System, probe

STEERING = (
    "OMPI_", "PMIX_", "MPICH_", "MPIR_", "I_MPI_", "MV2_", "UCX_", "FI_", "ROMIO_", "HDF5_", "PNETCDF_",
    "DARSHAN_", "OMP_", "SLURM_JOB", "PBS_", "WEIR_", "LD_PRELOAD", "LUSTRE_", "TMPDIR",
)  # fmt: skip
SECRET = re.compile(r"token|secret|password|passwd|credential|api_?key|auth", re.IGNORECASE)
PACKAGES = ["typer", "rich", "msgspec", "jinja2", "vl-convert-python"]


@probe("mpi")
def mpi(system: System) -> Section:
    """The launcher found, and for Open MPI its I/O components with the one that is taken by default."""
    known = dict((system.core or {}).get("mpi") or {})
    launcher, why = _launcher(system)
    found: Section = {
        "launcher": launcher,
        "io_components": None,
        "io": None,
    }
    if why is not None:
        found["launcher_fails"] = why
    found |= known
    if "Open MPI" in (found["launcher"] or ""):
        components = _components(system)
        found["io_components"] = components
        found["io"] = found["io"] or _default_io(components, system)
    return found


def _launcher(system: System) -> tuple[str | None, str | None]:
    """As it names itself, and why one that is there does not; MPICH's names itself on two lines."""
    try:
        said = system.run(["mpirun", "--version"]).strip()
    except subprocess.TimeoutExpired as error:
        return None, f"it has not answered within {error.timeout:.0f} s"
    except subprocess.CalledProcessError as error:
        return None, f"it ended with {error.returncode}"
    except PermissionError as error:
        return None, error.strerror
    except Exception:
        return None, None
    hydra = re.match(r"HYDRA build details:\s+Version:\s+(\S+)", said)
    name = f"mpirun (MPICH, Hydra) {hydra[1]}" if hydra else next(iter(said.splitlines()), None)
    return name, "it printed nothing" if name is None else None


def _components(system: System) -> list[str] | None:
    try:
        text = system.run(["ompi_info", "--parsable"])
    except Exception:
        return None
    return sorted(set(re.findall(r"^mca:io:(\w+):version", text, re.MULTILINE)))


def _default_io(components: list[str] | None, system: System) -> str | None:
    # Open MPI 4 and later takes OMPIO, save on Lustre, where it leaves the field to ROMIO.
    asked = system.environment.get("OMPI_MCA_io")
    if asked:
        return asked.removeprefix("^")
    return "ompio" if components and "ompio" in components else None


@probe("software")
def software(system: System) -> Section:
    """Versions: of the compiler here, of what `weir-core` was built with, and of the Python packages in
    use.
    """
    return {
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "compiler": _first_line(system, ["c++", "--version"]),
        "libc": " ".join(platform.libc_ver()) or None,
        "libraries": {name: _pkg_version(system, name) for name in ("hwloc", "hdf5", "pnetcdf")},
    }


@probe("environment")
def environment(system: System) -> Section:
    """Variables that are set and known to steer MPI, I/O libraries or the batch system; secrets are left
    out.
    """
    names = [
        name for name in sorted(system.environment) if name.startswith(STEERING) and not SECRET.search(name)
    ]
    return {
        "set": {name: system.environment[name] for name in names},
        "looked_for": [f"{p}*" for p in STEERING],
    }


def _first_line(system: System, command: list[str]) -> str | None:
    try:
        return system.run(command).strip().splitlines()[0]
    except Exception:
        return None


def _pkg_version(system: System, name: str) -> str | None:
    return _first_line(system, ["pkg-config", "--modversion", name])


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


@probe("core")
def core(system: System) -> Section | None:
    """The `machine` line of `weir-core machine`, save for what other sections have already taken from it."""
    if system.core is None:
        return None
    taken = {"schema", "kind", "first_touch", "hand_off", "mpi"}
    return {key: value for key, value in system.core.items() if key not in taken}

"""A library of Weir's that programs load before their own, on all nodes of a launch."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from weir.core.client import find_core
from weir.errors import WeirError

_PASSED = "OMPI_MCA_mca_base_env_list"
"""The variables that Open MPI's launcher gives to ranks on other nodes too. It refuses them with -x."""
_SANITIZER = "ASAN_OPTIONS"
_ANY_ORDER = "verify_asan_link_order=0"
"""A program with the address sanitizer otherwise refuses to start behind a preloaded library."""
_PASSING = ("mpirun", "mpiexec", "orterun")


def find_library(name: str, variable: str) -> Path:
    """What the environment's variable names, if it is set; else the library of this name of the native core's
    installation. Raises WeirError where there is none."""
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise WeirError(
                f"{variable} is '{named}'", "there is no such file", f"set it to the path of {name}"
            )
        return Path(named).resolve()
    core = find_core()
    for folder in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu"):
        found = core.parent.parent / folder / name
        if found.is_file():
            return found
    raise no_library(name, variable, core)


def no_library(name: str, variable: str, neighbour: Path) -> WeirError:
    """The error where the library is not beside what it should be beside."""
    return WeirError(
        f"cannot find {name}",
        f"it is not beside {neighbour}",
        f"build it with `make build`, or set {variable} to its path",
    )


def preloading(
    library: Path, ours: Mapping[str, str], before: Mapping[str, str], variable: str
) -> dict[str, str]:
    """The environment `before`, with what makes programs load the library, and with `ours`, which all ranks
    get. Libraries that are preloaded already stay, after it. Raises WeirError for a path that cannot be
    preloaded; the variable names another."""
    if not str(library).isprintable() or set(" :") & set(str(library)):
        raise WeirError(
            f"cannot load '{library}' into programs",
            "LD_PRELOAD takes no paths with blanks or colons",
            f"copy it elsewhere, and set {variable} to its path",
        )
    preloaded = [str(library), *before.get("LD_PRELOAD", "").replace(":", " ").split()]
    added = {"LD_PRELOAD": ":".join(dict.fromkeys(preloaded)), **ours}
    added[_SANITIZER] = ":".join([*filter(None, [before.get(_SANITIZER)]), _ANY_ORDER])
    passed = ";".join([*filter(None, [before.get(_PASSED)]), *added])
    return {**before, **added, _PASSED: passed}


def passed_on(command: Sequence[str], environment: dict[str, str]) -> list[str]:
    """The command, which passes variables on by -x as it does with others of its own, where it does."""
    words = list(command)
    if Path(words[0]).name.partition(".")[0] not in _PASSING or "-x" not in words:
        return words
    names = environment.pop(_PASSED).split(";")
    return [words[0], *(word for name in names for word in ("-x", name)), *words[1:]]

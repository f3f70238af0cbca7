"""Where the recorder is, and how a program is made to load it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.core.client import find_core
from weir.errors import WeirError
from weir.trace.paths import whole_prefix
from weir.trace.record.program import kind_of

LIBRARY = "libweir-trace.so"
FILES_LIBRARY = "libweir-trace-files.so"
"""The same without the functions of MPI, HDF5 and PnetCDF."""
VARIABLE = "WEIR_TRACE_LIBRARY"
HEAD = "head.json"
"""What `weir trace` writes into the trace's folder, in addition to the recorder's files."""
_PASSED = "OMPI_MCA_mca_base_env_list"
"""The variables that Open MPI's launcher gives to ranks on other nodes too. It refuses them with -x."""
_SANITIZER = "ASAN_OPTIONS"
_ANY_ORDER = "verify_asan_link_order=0"
"""A program with the address sanitizer otherwise refuses to start behind a preloaded library."""
_PASSING = ("mpirun", "mpiexec", "orterun")


def find_recorder(files_only: bool = False) -> Path:
    """The recorder's library, or that of files only in the same folder: WEIR_TRACE_LIBRARY if set, else that
    of the native core's installation. Raises WeirError where there is none."""
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise WeirError(
                f"{VARIABLE} is '{named}'", "there is no such file", f"set it to the path of {LIBRARY}"
            )
        found = Path(named).resolve()
        return _beside(found) if files_only else found
    core = find_core()
    for folder in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu"):
        found = core.parent.parent / folder / LIBRARY
        if found.is_file():
            return _beside(found) if files_only else found
    raise _missing(LIBRARY, core)


def _beside(recorder: Path) -> Path:
    found = recorder.with_name(FILES_LIBRARY)
    if not found.is_file():
        raise _missing(FILES_LIBRARY, recorder)
    return found


def _missing(name: str, neighbour: Path) -> WeirError:
    return WeirError(
        f"cannot find {name}",
        f"it is not beside {neighbour}",
        f"build it with `make build`, or set {VARIABLE} to its path",
    )


@dataclass(frozen=True)
class Recording:
    """What is to be recorded, and where to."""

    folder: Path
    limit_bytes: int | None = None
    """Of records of each process."""
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    files_only: bool = False
    """Calls of the C library alone, and none of MPI, HDF5 and PnetCDF."""
    redact: bool = False
    """Names are replaced by hashes once the program has ended."""

    def environment(self, library: Path, before: Mapping[str, str]) -> dict[str, str]:
        """The environment `before`, with what makes programs load the recorder. Libraries that are preloaded
        already stay, after it."""
        if not str(library).isprintable() or set(" :") & set(str(library)):
            raise WeirError(
                f"cannot load '{library}' into programs",
                "LD_PRELOAD takes no paths with blanks or colons",
                f"copy it elsewhere, and set {VARIABLE} to its path",
            )
        preloaded = [str(library), *before.get("LD_PRELOAD", "").replace(":", " ").split()]
        ours = {"LD_PRELOAD": ":".join(dict.fromkeys(preloaded)), "WEIR_TRACE": str(self.folder.resolve())}
        if self.limit_bytes is not None:
            ours["WEIR_TRACE_LIMIT"] = str(self.limit_bytes)
        for name, paths in (("ONLY", self.only), ("EXCLUDE", self.exclude)):
            if paths:
                ours[f"WEIR_TRACE_{name}"] = ":".join(map(whole_prefix, paths))
        ours[_SANITIZER] = ":".join([*filter(None, [before.get(_SANITIZER)]), _ANY_ORDER])
        passed = ";".join([*filter(None, [before.get(_PASSED)]), *ours])
        return {**before, **ours, _PASSED: passed}

    def passed_on(self, command: Sequence[str], environment: dict[str, str]) -> list[str]:
        """The command, which passes variables on by -x as it does with others of its own, where it does."""
        words = list(command)
        if kind_of(words[0]) not in _PASSING or "-x" not in words:
            return words
        names = environment.pop(_PASSED).split(";")
        return [words[0], *(word for name in names for word in ("-x", name)), *words[1:]]

"""Where the recorder is, and how a program is made to load it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.core.locate import find_core
from weir.errors import WeirError

LIBRARY = "libweir-trace.so"
VARIABLE = "WEIR_TRACE_LIBRARY"
HEAD = "head.json"
"""What `weir trace` writes into the trace's folder, beside what the recorder does."""
_PASSED = "OMPI_MCA_mca_base_env_list"
"""The variables that Open MPI's launcher gives to ranks on other nodes too. It refuses them beside -x."""
_LAUNCHERS = ("mpirun", "mpiexec", "orterun")


def find_recorder() -> Path:
    """The recorder's library: WEIR_TRACE_LIBRARY if set, else beside the native core.

    Raises WeirError where there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise WeirError(
                f"{VARIABLE} is '{named}'", "there is no such file", f"set it to the path of {LIBRARY}"
            )
        return Path(named).resolve()
    core = find_core()
    for folder in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu"):
        found = core.parent.parent / folder / LIBRARY
        if found.is_file():
            return found
    raise WeirError(
        f"cannot find {LIBRARY}",
        f"it is not beside {core}",
        f"build it with `make build`, or set {VARIABLE} to its path",
    )


@dataclass(frozen=True)
class Recording:
    """What is to be recorded, and where to."""

    folder: Path
    limit_bytes: int | None = None
    """Of records of each process."""
    only: tuple[Path, ...] = ()
    exclude: tuple[Path, ...] = ()

    def environment(self, library: Path, before: Mapping[str, str]) -> dict[str, str]:
        """The environment `before`, with what makes programs load the recorder.

        Libraries that are preloaded already stay, behind it.
        """
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
                ours[f"WEIR_TRACE_{name}"] = ":".join(str(path.resolve()) for path in paths)
        passed = ";".join([*filter(None, [before.get(_PASSED)]), *ours])
        return {**before, **ours, _PASSED: passed}

    def passed_on(self, command: Sequence[str], environment: dict[str, str]) -> list[str]:
        """The command, which passes variables on by -x as it does with others of its own, where it does."""
        words = list(command)
        if Path(words[0]).name not in _LAUNCHERS or "-x" not in words:
            return words
        names = environment.pop(_PASSED).split(";")
        return [words[0], *(word for name in names for word in ("-x", name)), *words[1:]]

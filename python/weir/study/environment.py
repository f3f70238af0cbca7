"""The environment variables that a study sets for its launches, and which of them can make the programs that
are started load or run what the study's author chose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weir.errors import WeirError
from weir.study.load import Study

_MPI_IO_AND_TRANSPORT = "io|fs|fbtl|fcoll|sharedfp|btl|bml|pml|mtl|osc|coll|topo|op|mpi|common"
_LOADS_CODE = re.compile(
    r"""
    LD_.* | DYLD_.* | GLIBC_TUNABLES | GCONV_.*                 # the dynamic linker and the C library
    | .*(PATH|PRELOAD|PLUGIN|MODULE|LIBRAR|INJECTION).*         # where libraries are, whosoever reads it
    | .*(AGENT|LAUNCHER|EXEC|PREFIX|PROVIDER).*                 # what is started, or where it is installed
    | HDF5_(VOL|DRIVER).*                                       # connectors and drivers of HDF5
    | OMPI_(?!MCA_(MPI_IO_AND_TRANSPORT)(_|$)).*                # Open MPI: all but what chooses among its own
    | (OPAL|ORTE|PRTE|PRRTE|PMIX|HYDRA)_.*                      # its runtime, and MPICH's
    | PYTHON.* | PERL.* | RUBY.* | BASH.* | ENV | IFS | SHELL.* # interpreters: launchers may be scripts
    | HOME | XDG_.*                                             # where programs look for settings
    | WEIR_.*
    """.replace("MPI_IO_AND_TRANSPORT", _MPI_IO_AND_TRANSPORT),
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Variable:
    """A variable with a value that some of the study's cases get."""

    name: str
    value: str

    @property
    def loads_code(self) -> bool:
        """Whether it can make a program load or run code: by its name, as broadly as names tell."""
        return _LOADS_CODE.fullmatch(self.name) is not None

    def in_words(self) -> str:
        """The setting, and what to know of it."""
        said = f"{self.name}={self.value}"
        return f"{said} (it can make programs load or run code)" if self.loads_code else said

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {"name": self.name, "value": self.value, "loads_code": self.loads_code}


def variables_of(study: Study) -> list[Variable]:
    """Every setting in the file once, in its order; those of comparisons that are not run are left out.
    Whether each is right is for `expand` to say."""
    return list(dict.fromkeys(_settings(study)))


def check_allowed(study: Study) -> None:
    """Raises WeirError if the study sets variables that can load code."""
    names = dict.fromkeys(variable.name for variable in variables_of(study) if variable.loads_code)
    if names:
        raise WeirError(
            f"study '{study.name}' sets {', '.join(names)}",
            "so its author can choose code that runs with your rights, and it is none of Weir's own studies",
            "look at it with `weir plan`, and say --allow-env if you trust it",
        )


def _settings(study: Study) -> Iterator[Variable]:
    parts = [part for part in study.comparisons if part.name not in study.not_asked]
    tables = [study.file.fixed.get("env")]
    for part in parts:
        tables.append(part.fixed.get("env"))
        values = part.axes.get("env")
        tables += values if isinstance(values, list) else []
    for table in tables:
        if isinstance(table, dict):
            yield from (Variable(str(name), str(value)) for name, value in table.items())

"""How a study has its cases launched: environment variables, the implementation of MPI-IO."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weir.study.load import Study
from weir.toml.source import KeyPath

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LAUNCH_KEYS = ("benchmark", "ranks", "env", "mpi_io", "nodes", "ranks_per_node", "threads", "binding")


@dataclass(frozen=True)
class Setting:
    """A value as written, and where."""

    value: Any
    place: KeyPath


def read_env(study: Study, setting: Setting | None) -> dict[str, str]:
    """The environment variables of the launch. Raises WeirError, with the line, for what is no table of
    texts."""
    value = {} if setting is None else setting.value
    fits = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    if setting is not None and not fits:
        raise study.source.error(
            setting.place,
            f"'env' is {value!r}",
            "it must be a table of texts",
            'write env = { OMPI_MCA_btl = "self,vader" }',
        )
    for name, content in value.items():
        if not _NAME.fullmatch(name) or "\0" in content:
            raise study.source.error(
                setting.place if setting else (),
                f"'env' sets {name!r}",
                "that is no name of a variable" if "\0" not in content else "a value cannot hold the byte 0",
                'write env = { OMPI_MCA_btl = "self,vader" }',
            )
    return dict(value)


def read_mpi_io(study: Study, setting: Setting | None) -> str | None:
    """The implementation of MPI-IO; None leaves it to the MPI. Which there are, the launcher knows.

    Raises WeirError, with the line, for what is no text."""
    if setting is None:
        return None
    if not isinstance(setting.value, str) or not setting.value:
        raise study.source.error(
            setting.place,
            f"'mpi_io' is {setting.value!r}",
            "it must be the name of an implementation of MPI-IO",
            'write mpi_io = "romio"',
        )
    return setting.value


_MPI_IO_AND_TRANSPORT = "io|fs|fbtl|fcoll|sharedfp|btl|bml|pml|mtl|osc|coll|topo|op|mpi|common"
_LOADS_CODE = re.compile(
    r"""
    LD_.* | DYLD_.* | GLIBC_TUNABLES | GCONV_.*                 # the dynamic linker and the C library
    | .*(PATH|PRELOAD|PLUGIN|MODULE|LIBRAR|INJECTION).*         # where libraries are, whosoever reads it
    | .*(AGENT|LAUNCHER|EXEC|PREFIX|PROVIDER).*                 # what is started, or where it is installed
    | HDF5_(VOL|DRIVER).*                                       # connectors and drivers of HDF5
    | OMPI_(?!MCA_(MPI_IO_AND_TRANSPORT)(_|$)).*                # Open MPI: all but what chooses among its own
    | (OPAL|ORTE|PRTE|PRRTE|PMIX|HYDRA)_.*                      # its runtime, and MPICH's
    | PETSC_.*                                                  # options of PETSc: libraries, files
    | .*(FILE|FILENAME|DIR|DEST|OUTPUT) | .*(DUMP|TRACE).*      # what is written, and where
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
        """Whether it can make a program load or run code, or write files: by its name, as far as names show
        that."""
        return _LOADS_CODE.fullmatch(self.name) is not None

    def in_words(self) -> str:
        """The setting, and what to know of it."""
        said = f"{self.name}={self.value}"
        return f"{said} (it can make programs load or run code, or write files)" if self.loads_code else said

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {"name": self.name, "value": self.value, "loads_code": self.loads_code}


def variables_of(study: Study) -> list[Variable]:
    """Every setting in the file once, in its order; those of comparisons that are not run are left out.
    Whether each is right is for `expand` to say."""
    return list(dict.fromkeys(_settings(study)))


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

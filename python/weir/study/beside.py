"""What stands beside a benchmark's options in a study: how it is launched."""

import re
from dataclasses import dataclass
from typing import Any

from weir.study.load import Study
from weir.study.source import KeyPath

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
BESIDE_OPTIONS = ("benchmark", "ranks", "env", "mpi_io")


@dataclass(frozen=True)
class Setting:
    """A value as written, and where."""

    value: Any
    place: KeyPath


def read_ranks(study: Study, setting: Setting | None) -> int:
    """How many ranks; 1 where nothing is said. Raises WeirError, with the line, for anything else."""
    if setting is None:
        return 1
    value = setting.value
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise study.source.error(
            setting.place, f"'ranks' is {value!r}", "it must be a whole number from 1", "write ranks = 2"
        )
    return value


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

"""A case: one benchmark with every option settled."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

DIRECTORY_OPTION = "dir"


@dataclass(frozen=True)
class Case:
    """What is measured. `options` are resolved, with the defaults filled in; unset ones are None.

    `dir` is None where the study leaves it to the command line: what storage is measured belongs to the
    run, so that the same case keeps its id on every machine.
    """

    id: str
    benchmark: str
    ranks: int
    env: dict[str, str]
    options: dict[str, Any]
    mpi_io: str | None = None
    """The implementation of MPI-IO that the study asks for; None leaves it to the MPI."""
    comparisons: tuple[str, ...] = ()
    label: str = ""
    """The case for people: what sets it apart in its comparison."""

    @property
    def uses_directory(self) -> bool:
        """Whether the benchmark works in a directory."""
        return DIRECTORY_OPTION in self.options

    def as_data(self) -> dict[str, Any]:
        """The case as run directories and `--json` show it."""
        return {
            "case": self.id,
            "label": self.label,
            "benchmark": self.benchmark,
            "ranks": self.ranks,
            "env": self.env,
            "options": self.options,
            "mpi_io": self.mpi_io,
            "comparisons": list(self.comparisons),
        }


def case_id(
    benchmark: str, ranks: int, env: dict[str, str], options: dict[str, Any], mpi_io: str | None = None
) -> str:
    """First 16 hex digits of the SHA-256 of these in canonical JSON: ASCII, keys sorted, no blanks.

    An implementation of MPI-IO counts where one is asked for only."""
    parts = {"benchmark": benchmark, "ranks": ranks, "env": env, "options": options}
    if mpi_io is not None:
        parts["mpi_io"] = mpi_io
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]

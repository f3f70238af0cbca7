"""Show and draw dumps of the gas cloud."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.extras import lacking
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.cloud.dump import Dump

DumpArgument = Annotated[
    Path,
    typer.Argument(metavar="DUMP", help="A file of a dump, or a directory: the newest state in it."),
    Takes(("cloud-dump", "hdf5")),
]


def open_dump_of(path: Path) -> Dump:
    """The file, or that of the newest state in a directory. Raises WeirError if there is none."""
    if importlib.util.find_spec("numpy") is None:
        raise lacking("NumPy", "cloud", "cannot read a dump")
    from weir.cloud.dump import newest_in, open_dump

    return open_dump(newest_in(path) if path.is_dir() else path)

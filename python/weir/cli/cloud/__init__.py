"""Show and draw dumps of the gas cloud."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.errors import WeirError
from weir.extras import how_to_install

if TYPE_CHECKING:
    from weir.cloud.dump import Dump

DumpArgument = Annotated[
    Path,
    typer.Argument(metavar="DUMP", help="A file of a dump, or a directory: the newest state in it."),
]


def open_dump_of(path: Path) -> Dump:
    """The file, or that of the newest state in a directory. Raises WeirError if there is none."""
    if importlib.util.find_spec("numpy") is None:
        raise WeirError(
            "cannot read a dump", "NumPy is not installed", f"install it, {how_to_install('cloud')}"
        )
    from weir.cloud.dump import newest_in, open_dump

    return open_dump(newest_in(path) if path.is_dir() else path)

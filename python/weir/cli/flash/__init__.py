"""Show and draw files of FLASH."""

from __future__ import annotations

import importlib.util
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.extras import lacking
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.flash.file import FlashFile

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A checkpoint, plot file or corner plot file of FLASH or FLASH-IO, in HDF5."
    ),
    Takes(("hdf5",)),
]


def open_file(path: Path) -> AbstractContextManager[FlashFile]:
    """The file, open until the end of the block. Raises WeirError if it cannot be read."""
    for module, package in (("h5py", "h5py"), ("numpy", "NumPy")):
        if importlib.util.find_spec(module) is None:
            raise lacking(package, "flash", "cannot read files of FLASH")
    from weir.flash.file import open_flash

    return open_flash(path)

"""Which files an export to XDMF made itself: only those does it replace."""

import os
from contextlib import suppress
from pathlib import Path

from weir.aquifer.file import PFLOTRAN
from weir.aquifer.xdmf import HEAD, MARK
from weir.aquifer.xdmf_data import MADE_BY
from weir.errors import WeirError
from weir.files import walk, write
from weir.files.hdf5 import opened
from weir.files.named import open_named

_BEGINS = (HEAD + MARK).encode()


def check_replaceable(path: Path) -> None:
    """Raises WeirError unless the name is free or that of a file which an export made, and the caller's."""
    with suppress(OSError), walk.entry(path) as (folder, name):
        write.check_replaceable(folder, name, path)
    if os.path.lexists(path) and not (_is_own_document(path) or is_own_data(path)):
        raise WeirError(
            f"'{path}' is not known as Weir's own, and is left alone",
            "no export made it",
            "look at it, remove it by hand if it is not needed, or choose another --out",
        )


def is_own_data(path: Path) -> bool:
    """Is it the HDF5 file beside a document? False also where it cannot be read."""
    try:
        with opened(path, PFLOTRAN) as datasets:
            return MADE_BY in datasets.root.attrs
    except WeirError:
        return False


def _is_own_document(path: Path) -> bool:
    try:
        with open_named(path, "the file", "") as file:
            return file.read(len(_BEGINS)) == _BEGINS
    except (WeirError, OSError):
        return False

"""Draw files of PFLOTRAN and of the aquifer, and describe them for ParaView."""

from __future__ import annotations

import importlib.util
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from weir.extras import lacking

if TYPE_CHECKING:
    from weir.aquifer.file import AquiferFile

DRAWING = ("contourpy", "contourpy")
_READING = (("h5py", "h5py"), ("numpy", "NumPy"))


def check_packages(*more: tuple[str, str]) -> None:
    """Raises WeirError unless the packages are installed that read files, and these, each (module, name)."""
    for module, package in (*_READING, *more):
        if importlib.util.find_spec(module) is None:
            raise lacking(package, "aquifer", "cannot read files of PFLOTRAN")


def open_file(path: Path) -> AbstractContextManager[AquiferFile]:
    """The file, open until the end of the block. Raises WeirError if it cannot be read."""
    check_packages()
    from weir.aquifer.file import open_aquifer

    return open_aquifer(path)

"""What FLASH's files of HDF5 have in common: lists of names and values, padded text, words of messages."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from weir.errors import WeirError
from weir.files import hdf5
from weir.files.hdf5 import Datasets, Format

FLASH = Format("file of FLASH", "name a file that FLASH, FLASH-IO or `weir-core flash` wrote")


def opened(path: Path) -> AbstractContextManager[Datasets]:
    """The datasets of a file, until the end of the block. Raises WeirError where it is no file of HDF5, and
    where anything inside fails on what is in it."""
    return hdf5.opened(path, FLASH)


def damaged(path: Path, why: str) -> WeirError:
    """The error of a file that is HDF5, but not what it should be."""
    return hdf5.damaged(path, why, FLASH)


def records(dataset: h5py.Dataset, decode: Callable[[Any], Any]) -> dict[str, Any]:
    """A list of FLASH, of names and values, such as "real scalars"; names in lower case."""
    rows = dataset[()]
    return {text(row["name"]).lower(): decode(row["value"]) for row in np.atleast_1d(rows)}


def text(value: Any) -> str:
    """A string of fixed length, which is padded with blanks or zeros."""
    raw = value.encode() if isinstance(value, str) else bytes(value)
    return raw.split(b"\0")[0].decode("utf-8", "replace").strip()

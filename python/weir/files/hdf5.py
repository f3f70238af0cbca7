"""Datasets of an HDF5 file that others wrote: found and read in bounds, whatever the file says of itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.files.named import check_named
from weir.files.thing import FAULTS, HDF5

_MOST_EXPANDED = 1032
"""How much longer than its compressed form deflate can make data: zlib's technical details, "maximum
compression factor"."""
_LEAST_EXPANDED = 1 << 24
"""Bytes that a dataset may have in any file: of one that holds fill values only, nothing is stored."""


@dataclass(frozen=True)
class Format:
    """What the file should be, for messages. noun: "file of FLASH"; advice: which file to name."""

    noun: str
    advice: str


@dataclass(frozen=True)
class Datasets:
    """Those in one group of an open file, its root to begin with, by name."""

    path: Path
    size: int
    root: h5py.Group
    format: Format

    def names(self) -> list[str]:
        """Of all datasets that lie in this file; in the order of the alphabet."""
        return [name for name in self.root if self.has(name)]

    def has(self, name: str) -> bool:
        """Is there a dataset of that name? One that only points into another file is none."""
        return self._has(name, h5py.Dataset)

    def groups(self) -> list[str]:
        """The names of all groups in this one that lie in this file; in the order of the alphabet."""
        return [name for name in self.root if self._has(name, h5py.Group)]

    def _has(self, name: str, kind: type) -> bool:
        link = self.root.get(name, getlink=True)
        return isinstance(link, h5py.HardLink) and isinstance(self.root.get(name), kind)

    def group(self, name: str) -> "Datasets":
        """Those in the group of that name. Raises WeirError if there is none."""
        if not self._has(name, h5py.Group):
            raise self.damaged(f"it has no group '{name}'")
        return replace(self, root=self.root[name])

    def find(self, name: str) -> h5py.Dataset:
        """The dataset. Raises WeirError if there is none, or its data are elsewhere or more than there
        can be in a file of this size."""
        if not self.has(name):
            raise self.damaged(f"it has no dataset '{name}'")
        found = self.root[name]
        if found.is_virtual or found.external:
            raise self.damaged(f"the data of '{name}' lie in another file")
        if found.nbytes > max(_MOST_EXPANDED * self.size, _LEAST_EXPANDED):
            raise self.damaged(f"'{name}' is said to have {found.nbytes:,} bytes, the file {self.size:,}")
        return found

    def read(self, name: str, shape: tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
        """All of its numbers. Raises WeirError unless it has this shape."""
        found = self.find(name)
        if found.shape != shape or not np.issubdtype(found.dtype, np.number):
            raise self.damaged(f"'{name}' is {found.dtype} of shape {found.shape}, not of {shape}")
        return np.asarray(found[()], kind)

    def damaged(self, why: str) -> WeirError:
        """The error that this file is not what it should be."""
        return damaged(self.path, why, self.format)


@contextmanager
def opened(path: Path, form: Format) -> Iterator[Datasets]:
    """The datasets of a file, until the end of the block. Raises WeirError where it is no file of HDF5, and
    where anything inside fails on what is in it."""
    check_named(path, "the file", form.advice)
    with reading(path, form):
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(len(HDF5))
        if start != HDF5:
            raise _no_hdf5(path, start, size, form)
        with h5py.File(path, "r", locking="best-effort") as root:
            yield Datasets(path, size, root, form)


@contextmanager
def reading(path: Path, form: Format) -> Iterator[None]:
    """Makes an error of h5py, of which it has one kind for each kind of damage, one of Weir."""
    try:
        yield
    except FAULTS as error:
        words = " ".join(str(error).split())
        if "truncated file" in words:
            raise WeirError(f"'{path}' is truncated", words, "copy it again, or take another file") from error
        raise damaged(path, words or type(error).__name__, form) from error


def damaged(path: Path, why: str, form: Format) -> WeirError:
    """The error of a file that is HDF5, but not what it should be."""
    return WeirError(f"cannot read '{path}'", why, f"it is damaged, or no {form.noun}: take another")


def _no_hdf5(path: Path, start: bytes, size: int, form: Format) -> WeirError:
    if start.startswith(b"CDF"):
        return WeirError(
            f"'{path}' is a file of netCDF, not of HDF5",
            "only files of HDF5 are read",
            "look at it with ncmpidump, or write the file through HDF5",
        )
    why = f"it has {size:,} bytes, which do not begin with HDF5's signature" if size else "it is empty"
    return WeirError(f"'{path}' is no file of HDF5", why, form.advice)

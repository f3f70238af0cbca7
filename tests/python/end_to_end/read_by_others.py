"""What other programs, h5py and netCDF4, find in a file."""

from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray


def read_hdf5(path: Path) -> dict[str, NDArray[Any]]:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path) as file:
        return {name: file[name][...] for name in file}


def read_netcdf(path: Path) -> dict[str, NDArray[Any]]:
    netcdf = pytest.importorskip("netCDF4")
    with netcdf.Dataset(path) as file:
        file.set_auto_mask(False)
        found = {name: variable[...] for name, variable in file.variables.items()}
        for variable in file.variables.values():
            assert len(set(variable.dimensions)) == len(variable.dimensions)
        return found


READERS = {"hdf5": read_hdf5, "pnetcdf": read_netcdf}
"""By the back-end that wrote it."""

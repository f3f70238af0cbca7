"""What HDF5 and PnetCDF write collectively is in the pattern: the data's bytes, where they are."""

from pathlib import Path

import numpy as np
import pytest

from weir.trace.load import load_trace
from weir.trace.pattern.steps.step import One, Repeated, Step

from ..parallel_programs import OPEN_MPI, compiled, flags_of, record_ranks
from .view_programs import expanded

HDF5 = r"""
hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
hid_t made = H5Fcreate("data", H5F_ACC_TRUNC, H5P_DEFAULT, access);
hsize_t shape[3] = {4, 6, 5 * (hsize_t)ranks}, first[3] = {1, 0, 5 * (hsize_t)rank};
hsize_t count[3] = {2, 3, 5 - rank}, stride[3] = {1, 2, 1};
hid_t space = H5Screate_simple(3, shape, NULL), memory = H5Screate_simple(3, count, NULL);
hid_t set = H5Dcreate2(made, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
H5Sselect_hyperslab(space, H5S_SELECT_SET, first, stride, count, NULL);
memset(data, 1 + rank, sizeof data);
H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, data);
if (rank == 0) printf("begin %lld\n", (long long)H5Dget_offset(set));
H5Dclose(set); H5Sclose(space); H5Sclose(memory); H5Fclose(made); H5Pclose(access); H5Pclose(transfer);
"""
PNETCDF = r"""
int nc, dims[3], x;
ncmpi_create(MPI_COMM_WORLD, "data", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &nc);
ncmpi_def_dim(nc, "z", 4, &dims[0]);
ncmpi_def_dim(nc, "y", 6, &dims[1]);
ncmpi_def_dim(nc, "x", 5 * ranks, &dims[2]);
ncmpi_def_var(nc, "x", NC_INT, 3, dims, &x);
ncmpi_enddef(nc);
MPI_Offset first[3] = {1, 0, 5 * rank}, count[3] = {2, 3, 5 - rank}, stride[3] = {1, 2, 1}, begins;
memset(data, 1 + rank, sizeof data);
ncmpi_put_vars_int_all(nc, x, first, count, stride, (int *)data);
ncmpi_inq_varoffset(nc, x, &begins);
if (rank == 0) printf("begin %lld\n", (long long)begins);
ncmpi_close(nc);
"""


def transfers(steps: list[Step]) -> list[One]:
    """Reads and writes, with those in repetitions."""
    found: list[One] = []
    for step in steps:
        if isinstance(step, Repeated):
            found += transfers(step.body)
        elif isinstance(step, One) and step.what.moves:
            found.append(step)
    return found


@pytest.mark.parametrize(
    ("header", "source", "package"), [("hdf5.h", HDF5, "hdf5-openmpi"), ("pnetcdf.h", PNETCDF, "pnetcdf")]
)
def test_hyperslabs(tmp_path: Path, header: str, source: str, package: str) -> None:
    flags = ["-include", header, *flags_of(package)]
    ranks = 3
    program = compiled(tmp_path, source, OPEN_MPI, flags=flags)
    record_ranks(tmp_path, ["sh", "-c", f"{program} >> {tmp_path}/said"], ranks)
    begin = int((tmp_path / "said").read_text().split("begin ")[1].split()[0])
    found, of_ranks = expanded(tmp_path, load_trace(tmp_path / "trace"))
    assert found.exact
    array = np.arange(4 * 6 * 5 * ranks).reshape(4, 6, 5 * ranks)
    file = np.fromfile(tmp_path / "store" / "data", np.uint8)
    for rank, own in enumerate(of_ranks):
        slab = array[1:3, 0:6:2, 5 * rank : 5 * rank + 5 - rank].reshape(-1, 1) * 4 + np.arange(4) + begin
        pieces = [np.arange(offset, offset + length) for op, _, offset, length in own if op == "write"]
        written = np.concatenate(pieces)
        of_data = written[(written >= begin) & (written < begin + array.size * 4)]
        assert sorted(of_data.tolist()) == sorted(slab.reshape(-1).tolist())
        assert (file[of_data] == 1 + rank).all()
    together = [
        one
        for phase in found.phases
        for one in transfers(phase.steps)
        if one.what.list_io and len(one.ranks) == ranks
    ]
    assert len(together) == 1 and together[0].what.collective

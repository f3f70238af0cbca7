"""PnetCDF: variables by name, bytes by type, and MPI-IO and POSIX inside."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .parallel_programs import OPEN_MPI, compiled, inside, record_ranks, rows

COLLECTIVE, STARTED = 1, 4

PROGRAM = """
#include <pnetcdf.h>
#define CHECK(call) do { if (call) MPI_Abort(MPI_COMM_WORLD, 7); } while (0)
int main(int argc, char **argv) {
    begin(&argc, &argv);
    int nc, x, y, field, line, requests[3], done[3];
    MPI_Offset start[2] = {10 * rank, 0}, count[2] = {10, 20}, stride[2] = {1, 2}, one[2] = {10 * rank, 3};
    CHECK(ncmpi_create(MPI_COMM_WORLD, "climate.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &nc));
    ncmpi_def_dim(nc, "y", 10 * ranks, &y);
    ncmpi_def_dim(nc, "x", 20, &x);
    ncmpi_def_var(nc, "temperature", NC_FLOAT, 2, (int[2]){y, x}, &field);
    ncmpi_def_var(nc, "height", NC_DOUBLE, 1, &x, &line);
    CHECK(ncmpi_enddef(nc));
    CHECK(ncmpi_put_vara_double_all(nc, field, start, count, (double *)data));
    CHECK(ncmpi_get_vara_float_all(nc, field, start, count, (float *)data));
    CHECK(ncmpi_put_vara_all(nc, field, start, count, data, 200, MPI_FLOAT));
    CHECK(ncmpi_put_var_int_all(nc, line, (int *)data));
    count[1] = 10;
    CHECK(ncmpi_iput_vars_short(nc, field, start, count, stride, (short *)data, &requests[0]));
    CHECK(ncmpi_iput_var1_float(nc, field, one, (float *)data, &requests[1]));
    MPI_Offset *starts[2] = {one, start}, *counts[2] = {(MPI_Offset[2]){1, 1}, (MPI_Offset[2]){2, 5}};
    CHECK(ncmpi_iget_varn_float(nc, field, 2, starts, counts, (float *)data + 1000, &requests[2]));
    CHECK(ncmpi_wait_all(nc, 1, requests, done));
    CHECK(ncmpi_wait_all(nc, NC_REQ_ALL, NULL, NULL));
    CHECK(ncmpi_begin_indep_data(nc));
    CHECK(ncmpi_put_var1_float(nc, field, one, (float *)data));
    CHECK(ncmpi_end_indep_data(nc));
    if (ncmpi_get_var1_float(nc, 99, one, (float *)data) == NC_NOERR) MPI_Abort(MPI_COMM_WORLD, 8);
    CHECK(ncmpi_close(nc));
    MPI_Finalize();
    return 0;
}
"""


def pnetcdf_flags() -> list[str]:
    """What a C program needs; skips the test where PnetCDF for Open MPI is not installed."""
    if shutil.which("pkg-config") is None:
        pytest.skip("there is no pkg-config to ask for PnetCDF")
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "pnetcdf"], check=False, capture_output=True, text=True
    )
    if found.returncode != 0:
        pytest.skip("PnetCDF is not installed here: pkg-config does not know it")
    return found.stdout.split()


def test_variables_bytes_and_what_is_below(tmp_path: Path) -> None:
    program = compiled(tmp_path, PROGRAM, OPEN_MPI, flags=pnetcdf_flags())
    for process in record_ranks(tmp_path, [program], 2):
        calls = rows(process, "PnetCDF")
        assert [(row.call, row.name, row.result, row.flags) for row in calls if row.result >= 0] == [
            ("ncmpi_create", "climate.nc", 0, COLLECTIVE),
            ("ncmpi_enddef", "climate.nc", 0, COLLECTIVE),
            ("ncmpi_put_vara_double_all", "temperature", 1600, COLLECTIVE),
            ("ncmpi_get_vara_float_all", "temperature", 800, COLLECTIVE),
            ("ncmpi_put_vara_all", "temperature", 800, COLLECTIVE),
            ("ncmpi_put_var_int_all", "height", 80, COLLECTIVE),
            ("ncmpi_iput_vars_short", "temperature", 200, STARTED),
            ("ncmpi_iput_var1_float", "temperature", 4, STARTED),
            ("ncmpi_iget_varn_float", "temperature", 44, STARTED),
            ("ncmpi_wait_all", "climate.nc", 200, COLLECTIVE),
            ("ncmpi_wait_all", "climate.nc", 48, COLLECTIVE),
            ("ncmpi_begin_indep_data", "climate.nc", 0, COLLECTIVE),
            ("ncmpi_put_var1_float", "temperature", 4, 0),
            ("ncmpi_end_indep_data", "climate.nc", 0, COLLECTIVE),
            ("ncmpi_close", "climate.nc", 0, COLLECTIVE),
        ]
        (failed,) = (row for row in calls if row.result < 0)
        assert (failed.call, failed.name) == ("ncmpi_get_var1_float", "climate.nc")
        put = next(row for row in calls if row.call == "ncmpi_put_vara_all")
        below = [row for row in inside(process, put, "MPI-IO") if row.kind == "write"]
        assert [(row.name, row.result) for row in below] == [("climate.nc", 800)]
        files = process.names.files
        parents = {files[file.parent].name for file in files.values() if file.parent}
        assert {Path(name).name for name in parents} == {"climate.nc"}

"""PnetCDF: variables by name, bytes by type, and MPI-IO and POSIX inside."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ..parallel_programs import OPEN_MPI, compiled, flags_of, inside, record_ranks, rows
from ..programs import RECORDER, exported

COLLECTIVE, STARTED = 1, 4
CHECKED = ("-include", "pnetcdf.h", "-DCHECK(call)=do { if (call) MPI_Abort(MPI_COMM_WORLD, 7); } while (0)")

PROGRAM = """
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
"""


MANY = """
int nc, x, a, b;
CHECK(ncmpi_create(MPI_COMM_WORLD, "many.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &nc));
ncmpi_def_dim(nc, "x", 100, &x);
ncmpi_def_var(nc, "a", NC_FLOAT, 1, &x, &a);
ncmpi_def_var(nc, "b", NC_SHORT, 1, &x, &b);
CHECK(ncmpi_enddef(nc));
MPI_Offset start[2] = {10 * rank, 50}, count[2] = {10, 20}, step = 2, one = 1, elements[2] = {10, -1};
MPI_Offset *starts[2] = {start, start + 1}, *counts[2] = {count, count + 1};
MPI_Offset *steps[2] = {&step, &one}, *maps[2] = {&one, &one};
MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
int both[2] = {a, b}, twice[2] = {a, a};
double *doubles[2] = {(double *)data, (double *)data + 1000};
void *buffers[2] = {data, data + 8000};
CHECK(ncmpi_mput_var_double_all(nc, 2, both, doubles));
CHECK(ncmpi_mput_var1_double_all(nc, 2, twice, starts, doubles));
CHECK(ncmpi_mget_vara_double_all(nc, 2, twice, starts, counts, doubles));
CHECK(ncmpi_mput_vara_all(nc, 2, both, starts, counts, buffers, elements, types));
CHECK(ncmpi_begin_indep_data(nc));
CHECK(ncmpi_mput_vars_double(nc, 2, both, starts, counts, steps, doubles));
CHECK(ncmpi_mget_varm_double(nc, 2, both, starts, counts, steps, maps, doubles));
CHECK(ncmpi_put_vara(nc, b, start, count, data, 10, MPI_DATATYPE_NULL));
if (ncmpi_mput_vara_double(nc, 2, (int[2]){a, 99}, starts, counts, doubles) == NC_NOERR) return 8;
CHECK(ncmpi_end_indep_data(nc));
CHECK(ncmpi_close(nc));
"""


def test_many_pieces_in_one_call(tmp_path: Path) -> None:
    program = compiled(tmp_path, MANY, OPEN_MPI, flags=[*CHECKED, *flags_of("pnetcdf")])
    for process in record_ranks(tmp_path, [program], 2):
        moves = [row for row in rows(process, "PnetCDF") if row.kind in {"read", "write"}]
        assert [(row.call, row.name, row.result, row.flags) for row in moves if row.result >= 0] == [
            ("ncmpi_mput_var_double_all", "many.nc", 1600, COLLECTIVE),
            ("ncmpi_mput_var1_double_all", "a", 16, COLLECTIVE),
            ("ncmpi_mget_vara_double_all", "a", 240, COLLECTIVE),
            ("ncmpi_mput_vara_all", "many.nc", 160, COLLECTIVE),
            ("ncmpi_mput_vars_double", "many.nc", 240, 0),
            ("ncmpi_mget_varm_double", "many.nc", 240, 0),
            ("ncmpi_put_vara", "b", 20, 0),
        ]
        (failed,) = (row for row in moves if row.result < 0)
        assert (failed.call, failed.name) == ("ncmpi_mput_vara_double", "many.nc")


def test_all_transfers_of_pnetcdf_are_recorded() -> None:
    if shutil.which("nm") is None or not RECORDER.exists():
        pytest.skip("the recorder is not built, or there is no nm")
    folder = next((flag[2:] for flag in flags_of("pnetcdf") if flag.startswith("-L")), None)
    found = subprocess.run(
        ["pkg-config", "--variable=libdir", "pnetcdf"], check=True, capture_output=True, text=True
    ).stdout.strip()
    library = Path(folder or found) / "libpnetcdf.so"
    if not library.exists():
        pytest.skip(f"there is no {library}")
    offered = {name for name in exported(library) if re.match(r"ncmpi_[ibm]?(put|get)_var", name)}
    assert len(offered) > 700
    assert offered <= exported(RECORDER)


def test_variables_bytes_and_what_is_below(tmp_path: Path) -> None:
    program = compiled(tmp_path, PROGRAM, OPEN_MPI, flags=[*CHECKED, *flags_of("pnetcdf")])
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

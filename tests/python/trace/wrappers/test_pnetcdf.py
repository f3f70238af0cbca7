"""PnetCDF: variables by name, bytes by type, and MPI-IO and POSIX inside."""

import re
from pathlib import Path

import pytest

from ..parallel_programs import OPEN_MPI, columns, compiled, exported_to, flags_of, inside, record_ranks, rows
from ..programs import RECORDER, assert_told, exported

# Flags: 1 is collective, 4 started.
CHECKED = ("-include", "pnetcdf.h", "-DCHECK(call)=do { if (call) MPI_Abort(MPI_COMM_WORLD, 7); } while (0)")

PROGRAM = """
int nc, x, y, field, line, requests[3], done[3];
MPI_Offset start[2] = {10 * rank, 0}, count[2] = {10, 20}, stride[2] = {1, 2}, one[2] = {10 * rank, 3};
int const mode = NC_CLOBBER | NC_64BIT_DATA;
CHECK(ncmpi_create(MPI_COMM_WORLD, "climate.nc", mode, MPI_INFO_NULL, &nc));  //= @ climate.nc 0 1
ncmpi_def_dim(nc, "y", 10 * ranks, &y);
ncmpi_def_dim(nc, "x", 20, &x);
ncmpi_def_var(nc, "temperature", NC_FLOAT, 2, (int[2]){y, x}, &field);
ncmpi_def_var(nc, "height", NC_DOUBLE, 1, &x, &line);
CHECK(ncmpi_enddef(nc));  //= @ climate.nc 0 1
CHECK(ncmpi_put_vara_double_all(nc, field, start, count, (double *)data));  //= @ temperature 1600 1
CHECK(ncmpi_get_vara_float_all(nc, field, start, count, (float *)data));  //= @ temperature 800 1
CHECK(ncmpi_put_vara_all(nc, field, start, count, data, 200, MPI_FLOAT));  //= @ temperature 800 1
CHECK(ncmpi_put_var_int_all(nc, line, (int *)data));  //= @ height 80 1
short *few = (short *)data;
count[1] = 10;
CHECK(ncmpi_iput_vars_short(nc, field, start, count, stride, few, requests));  //= @ temperature 200 4
CHECK(ncmpi_iput_var1_float(nc, field, one, (float *)data, &requests[1]));  //= @ temperature 4 4
MPI_Offset *starts[2] = {one, start}, *counts[2] = {(MPI_Offset[2]){1, 1}, (MPI_Offset[2]){2, 5}};
float *values = (float *)data + 1000;
CHECK(ncmpi_iget_varn_float(nc, field, 2, starts, counts, values, requests + 2));  //= @ temperature 44 4
CHECK(ncmpi_wait_all(nc, 1, requests, done));  //= @ climate.nc 200 1
CHECK(ncmpi_wait_all(nc, NC_REQ_ALL, NULL, NULL));  //= @ climate.nc 48 1
CHECK(ncmpi_begin_indep_data(nc));  //= @ climate.nc 0 1
CHECK(ncmpi_put_var1_float(nc, field, one, (float *)data));  //= @ temperature 4 0
CHECK(ncmpi_end_indep_data(nc));  //= @ climate.nc 0 1
if (ncmpi_get_var1_float(nc, 99, one, (float *)data) == NC_NOERR) MPI_Abort(MPI_COMM_WORLD, 8);
CHECK(ncmpi_close(nc));  //= @ climate.nc 0 1
"""


MANY = """
int nc, x, a, b;
int const mode = NC_CLOBBER | NC_64BIT_DATA;
CHECK(ncmpi_create(MPI_COMM_WORLD, "many.nc", mode, MPI_INFO_NULL, &nc));  //= @ many.nc 0 1
ncmpi_def_dim(nc, "x", 100, &x);
ncmpi_def_var(nc, "a", NC_FLOAT, 1, &x, &a);
ncmpi_def_var(nc, "b", NC_SHORT, 1, &x, &b);
CHECK(ncmpi_enddef(nc));  //= @ many.nc 0 1
MPI_Offset start[2] = {10 * rank, 50}, count[2] = {10, 20}, step = 2, one = 1, elements[2] = {10, -1};
MPI_Offset *starts[2] = {start, start + 1}, *counts[2] = {count, count + 1};
MPI_Offset *steps[2] = {&step, &one}, *maps[2] = {&one, &one};
MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
int both[2] = {a, b}, twice[2] = {a, a};
double *doubles[2] = {(double *)data, (double *)data + 1000};
void *buffers[2] = {data, data + 8000};
CHECK(ncmpi_mput_var_double_all(nc, 2, both, doubles));  //= @ many.nc 1600 1
CHECK(ncmpi_mput_var1_double_all(nc, 2, twice, starts, doubles));  //= @ a 16 1
CHECK(ncmpi_mget_vara_double_all(nc, 2, twice, starts, counts, doubles));  //= @ a 240 1
CHECK(ncmpi_mput_vara_all(nc, 2, both, starts, counts, buffers, elements, types));  //= @ many.nc 160 1
CHECK(ncmpi_begin_indep_data(nc));  //= @ many.nc 0 1
CHECK(ncmpi_mput_vars_double(nc, 2, both, starts, counts, steps, doubles));  //= @ many.nc 240 0
CHECK(ncmpi_mget_varm_double(nc, 2, both, starts, counts, steps, maps, doubles));  //= @ many.nc 240 0
CHECK(ncmpi_put_vara(nc, b, start, count, data, 10, MPI_DATATYPE_NULL));  //= @ b 20 0
if (ncmpi_mput_vara_double(nc, 2, (int[2]){a, 99}, starts, counts, doubles) == NC_NOERR) return 8;
CHECK(ncmpi_end_indep_data(nc));  //= @ many.nc 0 1
CHECK(ncmpi_close(nc));  //= @ many.nc 0 1
"""


def test_all_transfers_of_pnetcdf_are_recorded(tmp_path: Path) -> None:
    program = compiled(tmp_path, PROGRAM, OPEN_MPI, flags=[*CHECKED, *flags_of("pnetcdf")])
    functions = exported_to(program, "libpnetcdf")
    offered = {name for name in functions if re.match(r"ncmpi_[ibm]?(put|get)_var", name)}
    assert len(offered) > 700
    assert offered <= exported(RECORDER)


@pytest.mark.parametrize(
    ("source", "failed"),
    [(PROGRAM, ("ncmpi_get_var1_float", "climate.nc")), (MANY, ("ncmpi_mput_vara_double", "many.nc"))],
    ids=["one variable in a call", "many pieces in one call"],
)
def test_variables_bytes_and_what_is_below(tmp_path: Path, source: str, failed: tuple[str, str]) -> None:
    program = compiled(tmp_path, source, OPEN_MPI, flags=[*CHECKED, *flags_of("pnetcdf")])
    for process in record_ranks(tmp_path, [program], 2):
        calls = rows(process, "PnetCDF")
        done = [row for row in calls if row.result >= 0]
        assert_told(source, columns(done, "call", "name", "result", "flags"))
        assert columns([row for row in calls if row.result < 0], "call", "name") == [failed]
        if source == MANY:
            continue
        put = next(row for row in calls if row.call == "ncmpi_put_vara_all")
        below = [row for row in inside(process, put, "MPI-IO") if row.kind == "write"]
        assert [(row.name, row.result) for row in below] == [("climate.nc", 800)]
        files = process.names.files
        parents = {files[file.parent].name for file in files.values() if file.parent}
        assert {Path(name).name for name in parents} == {"climate.nc"}

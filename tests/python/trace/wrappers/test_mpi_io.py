"""MPI-IO: every call, byte, offset and file."""

from pathlib import Path

import pytest

from weir.trace.process import Process

from ..parallel_programs import BOTH, Mpi, columns, inside, offered_by, rows, transfers
from ..programs import RECORDER, Record, assert_told, exported

COLLECTIVE, STARTED = 1, 4


def assert_transfers(process: Process, source: str, start: int = 0, **values: object) -> None:
    """Reads and writes are what comments tell, without `MPI_File_`; {at[N]}: N bytes after a rank's start."""
    made = [(call.removeprefix("MPI_File_"), *rest) for call, *rest in transfers(process)]
    assert_told(source, made, at=range(start, start + 500), **values)


THROUGH_VIEWS = """
open_file("out");
MPI_Datatype part, piece;
MPI_Type_contiguous(3, MPI_INT, &part);
MPI_Type_create_resized(part, 0, 2 * 12, &piece);
MPI_Type_commit(&piece);
MPI_File_set_view(file, 1000 + 12 * rank, MPI_INT, piece, "native", MPI_INFO_NULL);
MPI_File_write(file, data, 5, MPI_INT, MPI_STATUS_IGNORE);              //= write {at[0]} 20 20
// The 6th int is the last of the second piece.
MPI_File_write(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);              //= write {at[32]} 16 16
MPI_File_write_at(file, 7, data, 2, MPI_INT, MPI_STATUS_IGNORE);        //= write_at {at[52]} 8 8
MPI_File_write_at_all(file, 12, data, 6, MPI_INT, MPI_STATUS_IGNORE);   //= write_at_all {at[96]} 24 24
MPI_File_seek(file, 4, MPI_SEEK_SET);
MPI_File_read_all(file, data, 3, MPI_INT, MPI_STATUS_IGNORE);           //= read_all {at[28]} 12 12
MPI_File_close(&file);
"""


@BOTH
def test_offsets_are_bytes_of_the_file_through_views(run_c: Record, mpi: Mpi) -> None:
    """Every second piece of 3 ints is a rank's own, after a head of 1000 bytes."""
    for rank, process in enumerate(run_c(THROUGH_VIEWS)):
        start = 1000 + 12 * rank
        assert_transfers(process, THROUGH_VIEWS, start)
        (seek,) = (row for row in rows(process, "MPI-IO") if row.kind == "seek")
        assert seek.offset == seek.result == start + 24 + 4
        (view,) = (row for row in rows(process, "MPI-IO") if row.call == "MPI_File_set_view")
        assert view.offset == start


ALL_WAYS = """
open_file("out");
MPI_Request all[4];
MPI_Status status;
MPI_Offset own = 4096 * rank;
MPI_File_write_at(file, own, data, 100, MPI_BYTE, MPI_STATUS_IGNORE);   //= write_at {at[0]} 100 100
MPI_File_seek(file, own + 100, MPI_SEEK_SET);
MPI_File_iwrite(file, data, 50, MPI_SHORT, &all[0]);                    //= iwrite {at[100]} 100 100
MPI_File_iwrite_at(file, own + 200, data, 8, MPI_DOUBLE, &all[1]);      //= iwrite_at {at[200]} 64 64
MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
MPI_File_iwrite_all(file, data, 10, MPI_BYTE, &all[0]);                 //= iwrite_all {at[200]} 10 10
MPI_Wait(&all[0], &status);
MPI_File_iwrite_at_all(file, own + 300, data, 11, MPI_BYTE, &all[0]);   //= iwrite_at_all {at[300]} 11 11
MPI_Wait(&all[0], &status);
MPI_File_write_all_begin(file, data, 12, MPI_BYTE);                     //= write_all_begin {at[210]} 12 12
MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
MPI_File_write_at_all_begin(file, own + 400, data, 13, MPI_BYTE);       //= write_at_all_begin {at[400]} 13 13
MPI_File_write_at_all_end(file, data, &status);
MPI_File_read_at(file, own, data, 14, MPI_BYTE, &status);               //= read_at {at[0]} 14 14
MPI_File_iread_at(file, own, data, 15, MPI_BYTE, &all[0]);              //= iread_at {at[0]} 15 15
int done = 0;
while (!done) MPI_Test(&all[0], &done, &status);
MPI_File_sync(file);
MPI_File_set_size(file, 20000);
MPI_Offset size;
MPI_File_get_size(file, &size);
MPI_File_close(&file);
MPI_Barrier(MPI_COMM_WORLD);
if (rank == 0) MPI_File_delete("out", MPI_INFO_NULL);
"""


@BOTH
def test_every_way_to_read_and_write(run_c: Record, mpi: Mpi) -> None:
    for rank, process in enumerate(run_c(ALL_WAYS)):
        assert_transfers(process, ALL_WAYS, 4096 * rank)
        io = rows(process, "MPI-IO")
        assert all(row.name == "out" for row in io)
        started = {row.call for row in io if row.flags & STARTED}
        assert started == {row.call for row in io if "_i" in row.call or row.call.endswith("_begin")}
        together = {row.call for row in io if row.flags & COLLECTIVE}
        assert {"MPI_File_open", "MPI_File_close", "MPI_File_sync", "MPI_File_set_size"} <= together
        assert {row.call for row in io if "_all" in row.call} <= together
        assert not together & {f"MPI_File_{name}" for name in ("write_at", "iwrite", "read_at", "get_size")}
        waits = [row for row in rows(process) if row.kind == "wait" and row.level == 0]
        assert columns(waits, "call", "name", "length") == [
            ("MPI_Waitall", "out", 164),
            ("MPI_Wait", "out", 10),
            ("MPI_Wait", "out", 11),
            ("MPI_File_write_all_end", "out", 12),
            ("MPI_File_write_at_all_end", "out", 13),
            ("MPI_Test", "out", 15),
        ]
        told = {row.call: (row.kind, row.length, row.result) for row in io}
        assert told["MPI_File_open"] == ("open", 1 | 8, 0)  # MPI_MODE_CREATE and MPI_MODE_RDWR
        assert told["MPI_File_set_size"] == ("resize", 20000, 0)
        assert told["MPI_File_get_size"] == ("stat", 0, 20000)
        assert told["MPI_File_sync"][0] == "sync"
        assert ("MPI_File_delete" in told) is (rank == 0)


WITH_ONE_POINTER = """
open_file("out");
MPI_Request request;
MPI_File_write_ordered(file, data, 10 + rank, MPI_BYTE, MPI_STATUS_IGNORE);   //= write_ordered -1 {own} {own}
MPI_File_write_shared(file, data, 5, MPI_INT, MPI_STATUS_IGNORE);               //= write_shared -1 20 20
MPI_File_iwrite_shared(file, data, 6, MPI_INT, &request);                       //= iwrite_shared -1 24 24
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_File_write_ordered_begin(file, data, 7, MPI_BYTE);                          //= write_ordered_begin -1 7 7
MPI_File_write_ordered_end(file, data, MPI_STATUS_IGNORE);
MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
MPI_File_read_ordered(file, data, 3, MPI_BYTE, MPI_STATUS_IGNORE);              //= read_ordered -1 3 3
MPI_File_close(&file);
"""


@BOTH
def test_shared_and_ordered_have_no_offset_of_their_own(run_c: Record, mpi: Mpi) -> None:
    """The shared pointer is moved by others: only what is below tells where the bytes went."""
    for rank, process in enumerate(run_c(WITH_ONE_POINTER)):
        assert_transfers(process, WITH_ONE_POINTER, own=10 + rank)
        ordered = rows(process, "MPI-IO")[1]
        below = [
            one for one in inside(process, ordered, "POSIX") if one.name == "out" and one.kind == "write"
        ]
        assert [(row.offset, row.result) for row in below] == [(10 * rank, 10 + rank)]


@pytest.mark.parametrize("component", ["ompio", "romio321"])
def test_both_of_open_mpis_own(run_c: Record, component: str) -> None:
    """Open MPI 4.1's ROMIO has no nonblocking collectives: a program that calls them crashes."""
    without = "\n".join(line for line in ALL_WAYS.splitlines() if "iwrite_all" not in line)
    source = without.replace("MPI_File_iwrite_at_all", "MPI_File_iwrite_at")
    processes = run_c(source, arguments=("--mca", "io", component))
    for process in processes:
        written = [row for row in rows(process, "POSIX") if row.name == "out" and row.kind == "write"]
        assert written
        assert all(row.level > 0 for row in written)
        assert sum(row.result for row in rows(process, "MPI-IO") if row.kind == "write") == 300


WRITES_3_BYTES = """
open_file("NAME");
MPI_File_write_at(file, 0, data, 3, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
"""


def test_a_prefix_of_romio_is_no_part_of_the_name(run_c: Record) -> None:
    source = WRITES_3_BYTES.replace("NAME", "ufs:out")
    (process,) = run_c(source, 1, arguments=("--mca", "io", "romio321"))
    assert {row.name for row in rows(process, "MPI-IO")} == {"out"}


def test_errors_have_their_class(run_c: Record) -> None:
    program = """
        MPI_File_open(MPI_COMM_WORLD, "not-there", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        MPI_File_delete("nor-this", MPI_INFO_NULL);
        MPI_Finalize();
        return MPI_ERR_NO_SUCH_FILE;
        """
    (process,) = run_c(program, 1, fails=True)
    failed = [(row.call, row.name) for row in rows(process, "MPI-IO") if row.result < 0]
    assert failed == [("MPI_File_open", "not-there"), ("MPI_File_delete", "nor-this")]


def test_only_wanted_files_are_recorded(run_c: Record) -> None:
    (process,) = run_c(WRITES_3_BYTES.replace("NAME", "out"), 1, env={"WEIR_TRACE_ONLY": "/nowhere"})
    assert not rows(process, "MPI-IO")


def test_of_many_open_files_those_that_remain_keep_their_names(run_c: Record) -> None:
    program = """
        enum { count = 60 };
        MPI_File all[count];
        char name[20];
        for (int i = 0; i < count; ++i) {
            snprintf(name, sizeof name, "f%d", i);
            MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &all[i]);
        }
        for (int i = 0; i < count; i += 2) MPI_File_close(&all[i]);
        for (int i = 1; i < count; i += 2) {
            MPI_File_write_at(all[i], 0, data, i, MPI_BYTE, MPI_STATUS_IGNORE);
        }
        for (int i = 1; i < count; i += 2) MPI_File_close(&all[i]);
        """
    (process,) = run_c(program, 1)
    found = rows(process, "MPI-IO")
    written = [(row.name, row.length) for row in found if row.call == "MPI_File_write_at"]
    assert written == [(f"f{i}", i) for i in range(1, 60, 2)]
    assert sorted(row.name for row in found if row.call == "MPI_File_close") == sorted(
        f"f{i}" for i in range(60)
    )


@BOTH
def test_a_file_that_is_written_in_sequence_is_asked_for_no_position(run_c: Record, mpi: Mpi) -> None:
    """It has none, and its errors are fatal here."""
    program = """
        int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL;
        MPI_File_open(MPI_COMM_WORLD, "out", mode, MPI_INFO_NULL, &file);
        MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
        MPI_File_write_shared(file, data, 3, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
        """
    (process,) = run_c(program, 1)
    assert transfers(process) == [("MPI_File_write_shared", -1, 12, 12)]


LEFT_OUT = {
    "MPI_File_c2f": "it makes one handle of another",
    "MPI_File_f2c": "it makes one handle of another",
    "MPI_File_create_errhandler": "error handlers are no I/O",
    "MPI_File_set_errhandler": "error handlers are no I/O",
    "MPI_File_get_errhandler": "error handlers are no I/O",
    "MPI_File_call_errhandler": "error handlers are no I/O",
}


@BOTH
def test_all_of_mpi_io_is_recorded_but_what_is_named_here(tmp_path: Path, mpi: Mpi) -> None:
    offered = {name for name in offered_by(tmp_path, mpi) if name.startswith("MPI_File_")}
    assert offered
    ours = exported(RECORDER)
    wanted = offered - LEFT_OUT.keys()
    assert wanted <= ours, "MPI offers these, and they are neither recorded nor left out with a reason"
    assert {f"P{name}" for name in wanted} <= ours

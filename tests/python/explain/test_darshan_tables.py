"""Darshan's numbers as a trace and as tables, from logs made by hand."""

from weir.explain.log_tables.darshan import summary_of
from weir.trace.importers._darshan.dxt import trace_of
from weir.trace.importers._darshan.log import Stripes

from .made_log import DATASET, FILE, counted, joined, log, tables

POSIX = counted(
    "POSIX",
    {"OPENS": 4, "SEEKS": 2, "STATS": -1, "READS": 0, "WRITES": 8, "BYTES_READ": 0, "BYTES_WRITTEN": 800}
    | {"MAX_BYTE_READ": 0, "MAX_BYTE_WRITTEN": 799, "CONSEC_WRITES": 3}
    | {"SIZE_WRITE_0_100": 8, "SIZE_WRITE_100_1K": 0},
    {"READ_TIME": 0.0, "WRITE_TIME": 2.0, "META_TIME": 0.5, "MAX_WRITE_TIME": 0.75},
)


def test_counters_become_rows() -> None:
    source = log({"POSIX": POSIX})
    summary = summary_of(source, trace_of(source))
    (write,) = summary.transfers
    assert (write.requests, write.bytes, write.consecutive, write.backward) == (8, 800, 3, None)
    assert (write.total_s, write.per_rank_s, write.longest_s) == (2.0, 0.5, 0.75)
    assert [(one.bytes, one.requests) for one in write.histogram] == [(100, 8)]
    rows = {row.kind: row for row in summary.operations}
    assert rows["metadata"].count == 6 and rows["metadata"].total_s == 0.5
    (file,) = summary.files
    assert (file.file, file.ranks, file.opens, file.end_bytes) == ("/data/out.h5", 4, 4, 800)
    assert summary.head.how_many == "14 calls counted"
    assert summary.ranks == () and summary.course is None
    assert any("1 records of files that ranks share" in text for text in summary.head.cannot_tell)


def test_datasets_stand_under_their_files() -> None:
    h5d = {"OPENS": 1, "READS": 0, "WRITES": 2, "BYTES_READ": 0, "BYTES_WRITTEN": 64}
    times = {"READ_TIME": 0.0, "WRITE_TIME": 1.0, "META_TIME": 0.0, "MAX_WRITE_TIME": 0.5}
    for file in (FILE, 0):  # older logs do not tell the file
        source = log({"H5D": counted("H5D", h5d, times, id=DATASET, file=file, rank=2)})
        (row,) = summary_of(source, trace_of(source)).files
        assert (row.file, row.dataset, row.interface, row.ranks) == ("/data/out.h5", "/density", "HDF5", 1)


def test_what_is_missing_or_wrong_in_a_log_is_said() -> None:
    negative = counted("STDIO", {"WRITES": 3, "BYTES_WRITTEN": 9}, {"WRITE_TIME": -7.0})
    source = log({"STDIO": negative}, modules={"STDIO": True}, stripes=[Stripes(FILE, 2**20, 4)])
    summary = summary_of(source, trace_of(source))
    told = " ".join((*summary.head.notes, *summary.head.cannot_tell))
    assert "ran out of memory for STDIO" in told and "1 file over 4 stripes of 1 MiB" in told
    assert "times below zero, a defect of the log: 1 of STDIO" in told
    assert summary.transfers[0].bytes_per_s is None and summary.transfers[0].longest_s is None


def test_one_time_below_zero_hides_no_other() -> None:
    """The public log dxt has 11,217 s of metadata in 213 records, and -3 µs in one more."""
    parts = [
        counted("POSIX", {"OPENS": 1}, {"META_TIME": seconds}, id=number, rank=0)
        for number, seconds in enumerate((5.0, -3e-6, 2.0))
    ]
    summary = tables(log({"POSIX": joined(*parts)}, ranks=1, run_s=10.0))
    (row,) = summary.operations
    assert (row.count, row.total_s) == (3, 7.0)
    assert summary.io_s == 7.0 and summary.share_of_run == 0.7


def test_bandwidth_is_that_of_the_slowest_rank() -> None:
    """One rank of four takes 8 s, the others 1 s: the job got 4 KiB in 8 s."""
    write = {"WRITES": 1, "BYTES_WRITTEN": 1024}
    parts = [
        counted("POSIX", write, {"WRITE_TIME": 8.0 if rank == 2 else 1.0}, id=rank, rank=rank)
        for rank in range(4)
    ]
    (row,) = tables(log({"POSIX": joined(*parts)}, run_s=9.0)).transfers
    assert (row.bytes_per_s, row.slowest_exact) == (4096 / 8, True)
    assert row.mean_bytes_per_s == 4096 / (11 / 4)


def test_of_a_shared_file_the_slowest_rank_is_a_bound() -> None:
    """Its time is that in all of the rank's calls."""
    shared = counted(
        "MPIIO",
        {"INDEP_WRITES": 8, "BYTES_WRITTEN": 4096},
        {"WRITE_TIME": 6.0, "META_TIME": 1.0, "SLOWEST_RANK_TIME": 4.0},
    )
    (row,) = tables(log({"MPI-IO": shared}, run_s=9.0)).transfers
    assert (row.bytes_per_s, row.slowest_exact) == (1024, False)


POSIX_SEGMENT, MPI_IO_SEGMENT = 0, 1


def segment(module: int, rank: int, at: slice, when_s: slice, writes: int = 1) -> tuple[float, ...]:
    """Bytes from and to, and seconds from and to."""
    length = at.stop - at.start
    return (module, 0, rank, FILE, writes, 0, at.start, length, when_s.start, when_s.stop)


def test_segments_become_calls_with_posix_inside_mpi_io() -> None:
    segments = [
        segment(POSIX_SEGMENT, 0, slice(0, 10), slice(0.1, 0.2)),
        segment(POSIX_SEGMENT, 0, slice(10, 20), slice(0.5, 0.6)),
        segment(MPI_IO_SEGMENT, 0, slice(0, 10), slice(0.09, 0.21)),
        segment(POSIX_SEGMENT, 3, slice(0, 5), slice(0.1, 0.3), writes=0),
    ]
    trace = trace_of(log({"POSIX": POSIX}, segments, modules={"DXT_POSIX": False, "DXT_MPIIO": False}))
    assert [(lane.rank, lane.host) for lane in trace.lanes] == [(0, "node"), (3, "node")]
    (both,) = trace.batches()
    calls = [(trace.calls[at].interface, trace.calls[at].name) for at in both.call]
    assert calls == [("POSIX", "write"), ("MPI-IO", "write"), ("POSIX", "write"), ("POSIX", "read")]
    assert list(both.lane) == [0, 0, 0, 1] and list(both.level) == [1, 0, 0, 0]
    assert list(both.begin_ns) == [100_000_000, 90_000_000, 500_000_000, 100_000_000]
    assert {trace.files[at].name for at in both.file} == {"/data/out.h5"}
    assert trace.began_real_ns == 1000 * 10**9 + 5 and trace.run_ns == 2_500_000_000
    assert any("DXT_POSIX has 3 of 8 reads and writes" in note for note in trace.notes)

"""Every call, byte, offset and file of programs whose I/O is known."""

import errno
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from weir.explain.summarise import summarise
from weir.trace.load import load_trace
from weir.trace.process import read_trace

from ..programs import Record, calls


def test_reads_and_writes_with_their_offsets(record: Record) -> None:
    (process,) = record("""
        struct iovec two[2] = {{data, 10}, {data, 20}};
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        write(fd, data, 100);
        writev(fd, two, 2);
        pwrite(fd, data, 50, 1000);
        lseek(fd, 5, SEEK_SET);
        read(fd, data, 7);
        pread(fd, data, 3000, 900);
        ftruncate(fd, 10);
        fsync(fd);
        close(fd);
        """)
    opened, *rest, closed = calls(process)
    assert opened[:4] == ("open", "a", -1, os.O_RDWR | os.O_CREAT)
    assert rest == [
        ("write", "a", 0, 100, 100),
        ("writev", "a", 100, 30, 30),
        ("pwrite", "a", 1000, 50, 50),
        ("lseek", "a", 5, 0, 5),
        ("read", "a", 5, 7, 7),
        ("pread", "a", 900, 3000, 150),
        ("ftruncate", "a", -1, 10, 0),
        ("fsync", "a", -1, 0, 0),
    ]
    assert closed == ("close", "a", -1, 0, 0)
    assert process.ended


def test_duplicates_share_a_position_and_appends_go_to_the_end(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644), other = dup(fd);
        write(fd, data, 8);
        write(other, data, 8);
        int end = open("a", O_WRONLY | O_APPEND);
        write(end, data, 4);
        pwrite(fd, data, 1, 100);
        write(end, data, 4);
        """)
    writes = [row for row in calls(process) if row[0] == "write"]
    assert [row[2] for row in writes] == [0, 8, 16, 101]


@pytest.fixture
def copies(tmp_path: Path) -> None:
    """Skips the test where the system does not copy between files of its folder by itself."""
    (tmp_path / "one").write_bytes(b"1")
    with (tmp_path / "one").open("rb") as one, (tmp_path / "other").open("wb") as other:
        try:
            works = os.copy_file_range(one.fileno(), other.fileno(), 1) == 1
        except OSError:
            works = False
    if not works:
        pytest.skip("copy_file_range() does not work here")


@pytest.mark.usefixtures("copies")
def test_copies_inside_the_system_read_one_file_and_write_the_other(record: Record, tmp_path: Path) -> None:
    (process,) = record(
        """
        int from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
        write(from, data, 1000);
        off_t at = 100, there = 50;
        lseek(from, 0, SEEK_SET);
        if (copy_file_range(from, &at, to, &there, 200, 0) != 200) return 1;
        if (copy_file_range(from, NULL, to, NULL, ~0ul >> 1, 0) != 1000) return 2;
        if (sendfile(to, from, &at, 30) != 30) return 3;
        lseek(from, 7, SEEK_SET);
        if (sendfile(to, from, NULL, 40) != 40) return 4;
        write(to, data, 5);
        read(from, data, 6);
        if (sendfile(to, from, (off_t *)8, 40) != -1 || errno != EFAULT) return 5;
        """,
        env={"WEIR_TRACE_EXCLUDE": "/nowhere"},
    )
    moved = [row for row in calls(process) if row[0] in ("copy_file_range", "sendfile", "write", "read")]
    assert moved == [
        ("write", "from", 0, 1000, 1000),
        ("copy_file_range", "from", 100, 200, 200),
        ("copy_file_range", "to", 50, 200, 200),
        ("copy_file_range", "from", 0, 1000, 1000),
        ("copy_file_range", "to", 0, 1000, 1000),
        ("sendfile", "from", 300, 30, 30),
        ("sendfile", "to", 1000, 30, 30),
        ("sendfile", "from", 7, 40, 40),
        ("sendfile", "to", 1030, 40, 40),
        ("write", "to", 1070, 5, 5),
        ("read", "from", 47, 6, 6),
        ("sendfile", "from", -1, 40, -14),
        ("sendfile", "to", 1075, 40, -14),
    ]
    kinds = [process.names.calls[int(one["call"])] for one in process.streams[0].records]
    assert [kind.kind for kind in kinds if kind.name == "sendfile"] == ["read", "write"] * 3


COPIES = """
int from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
if (ftruncate(from, 1 << 20) != 0) return 1;
for (int i = 0; i < COUNT; ++i) {
    off_t at = 4096 * (i % 200), there = at;
    if (copy_file_range(from, &at, to, &there, 4096, 0) != 4096) return 2;
}
"""


@pytest.mark.usefixtures("copies")
def test_a_call_between_two_files_counts_once(record: Record, tmp_path: Path) -> None:
    excluded = {"WEIR_TRACE_EXCLUDE": "/nowhere"}
    record(COPIES.replace("COUNT", "16"), env=excluded)
    trace = load_trace(tmp_path / "trace")
    summary = summarise(trace)
    (row,) = [row for row in summary.operations if row.name == "copy_file_range"]
    assert (row.kind, row.count, row.bytes) == ("write", 16, 16 * 4096)
    transfers = {one.kind: one for one in summary.transfers}
    for kind in ("read", "write"):
        assert (transfers[kind].requests, transfers[kind].bytes) == (16, 16 * 4096)
        assert transfers[kind].total_s == pytest.approx(row.total_s, rel=0.01, abs=32e-9)
    (rank,) = summary.ranks
    assert rank.bytes_read == rank.bytes_written == 16 * 4096
    assert rank.read_s + rank.write_s == pytest.approx(row.total_s)
    assert summary.head.calls == trace.records - 16
    files = {Path(one.file).name: one for one in summary.files}
    assert (files["from"].reads, files["to"].writes) == (16, 16)


@pytest.mark.usefixtures("copies")
def test_a_call_between_two_files_is_lost_once(record: Record, tmp_path: Path) -> None:
    bounds = {"WEIR_TRACE_EXCLUDE": "/nowhere", "WEIR_TRACE_LIMIT": "64KiB"}
    (process,) = record(COPIES.replace("COUNT", "3000"), env=bounds)
    trace = load_trace(tmp_path / "trace")
    kept = sum(row[:2] == ("copy_file_range", "to") for row in calls(process))
    (lost,) = [one for one in trace.lost if one.call == "POSIX copy_file_range"]
    assert kept > 0 and kept + lost.calls == 3000
    assert lost.bytes == lost.calls * 4096


def test_of_a_copy_only_the_wanted_file_is_recorded(record: Record, tmp_path: Path) -> None:
    (process,) = record(
        """
        int from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
        write(from, data, 10);
        off_t at = 0;
        sendfile(to, from, &at, 10);
        write(to, data, 1);
        """,
        env={"WEIR_TRACE_ONLY": str(tmp_path / "store" / "to")},
    )
    assert calls(process)[1:] == [("sendfile", "to", 0, 10, 10), ("write", "to", 10, 1, 1)]


def test_failures_have_their_error_number(record: Record) -> None:
    (process,) = record("""
        int fd = open("not-there", O_RDONLY);
        fd = open("a", O_RDONLY | O_CREAT, 0644);
        write(fd, data, 5);
        struct stat facts;
        stat("nor-this", &facts);
        unlink("a");
        """)
    assert [(row[0], row[1], row[4]) for row in calls(process) if row[4] < 0] == [
        ("open", "not-there", -errno.ENOENT),
        ("write", "a", -errno.EBADF),
        ("stat", "nor-this", -errno.ENOENT),
    ]
    assert calls(process)[-1] == ("unlink", "a", -1, 0, 0)


def test_threads_have_streams_of_their_own(record: Record) -> None:
    (process,) = record("""
        static void *work(void *fd) {
            for (int i = 0; i < 1000; ++i) pwrite(*(int *)fd, data, 64, i * 64);
            return NULL;
        }
        int main(void) {
            int fd = open("a", O_RDWR | O_CREAT, 0644);
            in_threads(3, work, &fd);
            return 0;
        }
        """)
    assert sorted(len(stream.records) for stream in process.streams) == [1, 1000, 1000, 1000]


def test_a_child_records_for_itself_and_shares_positions(record: Record) -> None:
    processes = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        write(fd, data, 10);
        if (fork() == 0) { write(fd, data, 20); _exit(0); }
        wait(NULL);
        write(fd, data, 5);
        """)
    parent, child = sorted(processes, key=lambda p: p.facts["how"] != "start")
    assert (child.facts["how"], child.facts["parent"]) == ("fork", parent.facts["process"])
    assert [row[2] for row in calls(parent) if row[0] == "write"] == [0, 30]
    assert calls(child) == [("write", "a", 10, 20, 20)]


def test_what_a_killed_program_had_finished_is_there(record: Record) -> None:
    (process,) = record(
        """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 20000; ++i) pwrite(fd, data, 1, i);
        raise(SIGKILL);
        """,
        status=-signal.SIGKILL,
    )
    assert not process.ended
    records = process.streams[0].records
    assert len(records) == 20001
    assert np.array_equal(records["offset"][1:], np.arange(20000))


def test_only_wanted_files_are_recorded(record: Record) -> None:
    body = """
        struct stat facts;
        int fd = open("/etc/hostname", O_RDONLY);
        read(fd, data, 10);
        fd = open("a", O_RDWR | O_CREAT, 0644);
        write(fd, data, 10);
        write(1, "", 0);
        """
    (process,) = record(body)
    assert {row[1] for row in calls(process)} == {"a"}


def test_a_stream_that_is_cut_off_is_read_up_to_there(record: Record, tmp_path: Path) -> None:
    body = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 50; ++i) pwrite(fd, data, 1, i);
        """
    record(body)
    (path,) = (tmp_path / "trace").glob("*.records")
    whole = path.read_bytes()
    path.write_bytes(whole[: 4096 + 10 * 48 + 17])
    assert len(read_trace(tmp_path / "trace")[0].streams[0].records) == 10
    path.write_bytes(b"something else" + whole[14:])
    (process,) = read_trace(tmp_path / "trace")
    assert process.streams == [] and "is damaged, or no stream of records" in process.notes[0]

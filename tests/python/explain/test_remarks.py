"""What stands out, in traces made so that it does, and not in others."""

import dataclasses
import errno
from typing import Any

import numpy as np
import pytest

from made_trace import CallRow, lane, trace
from weir.explain.remark import nothing_stands_out, remarks_on
from weir.explain.summarise import summarise
from weir.trace.model import Layout, Lost, Trace
from weir.trace.names import File


def said(made: Trace) -> str:
    return "\n".join(f"{remark.text} {remark.advice}" for remark in remarks_on(summarise(made)))


def writes(size: int, count: int, start: int = 0, took: int = 10) -> list[CallRow]:
    return [
        ("pwrite", 1, start + took * i, start + took * (i + 1), size * i, size, size, 0) for i in range(count)
    ]


OPENED: list[CallRow] = [("open", 1, 0, 600, -1, 0, 3, 0), *writes(2**20, 10, start=700, took=40)]
SYNCED: list[CallRow] = [*writes(2**20, 10), ("fsync", 1, 100, 200, -1, 0, 0, 0)]
AGAIN: list[CallRow] = [("pread", 1, 10 * i, 10 * i + 10, 0, 2**20, 2**20, 0) for i in range(2)]
RANDOM: list[CallRow] = [
    ("pread", 1, 10 * i, 10 * i + 10, 4096 * (i * 7919 % 2000), 4096, 4096, 0) for i in range(2000)
]


def sieved(size: int) -> list[CallRow]:
    return [
        ("pread", 1, 10, 20, 0, 4 * size, 4 * size, 1),
        ("pwrite", 1, 20, 30, 0, 4 * size, 4 * size, 1),
        ("MPI_File_write_all", 1, 0, 40, 0, 2 * size, 2 * size, 0),
    ]


SENT: list[CallRow] = [
    ("MPI_Send", 0, 10, 80, 1, 8, 0, 1),
    ("pwrite", 1, 80, 100, 0, 8, 8, 1),
    ("MPI_File_write_all", 1, 0, 100, 0, 8, 8, 0),
]
ONE_SLOW = [writes(2**20, 10, took=100 if rank == 2 else 10) for rank in range(5)]


@pytest.mark.parametrize(
    ("ranks", "there", "absent"),
    [
        ([writes(2**20, 50), [("open", 1, 0, 1, -1, 0, 3, 0)]],
            ["Rank 0 moves all 50 MiB by itself, in 500 ns of reads and writes; "
            "the other moves nothing."],
            ["Rank 0 spends 500 ns in I/O calls"]),  # that is why
        (ONE_SLOW,
            ["Rank 2 spends 1.00 µs in I/O calls and moves 10 MiB; the mean of the other 4 ranks "
            "is 100 ns and 10 MiB, the fastest (rank 0) takes 100 ns.",
            "It moves no more than the others"], []),
        ([OPENED], ["60 % of the time in I/O calls: 600 ns over all ranks, 600 ns of it in 1 call of open"],
            ["Open fewer files"]),
        ([[*OPENED, ("open", 2, 1200, 1500, -1, 0, 3, 0)]], ["Open fewer files"], []),
        ([SYNCED], ["1 sync takes"], ["Sync once"]),
        ([[*SYNCED, ("fflush", 1, 200, 300, -1, 0, 0, 0)]], ["1 sync takes"], ["Sync once"]),
        ([[*SYNCED, ("fsync", 1, 200, 300, -1, 0, 0, 0)]],
            ["2 syncs take 67 %", "Sync once, after the last write"], []),
        ([SENT],
            ["MPI-IO takes 100 ns to read and write a, over all ranks; all POSIX calls on that file take "
            "20.0 ns: 80 % are spent in MPI-IO itself, 70.0 ns of it in MPI calls."], []),
        ([sieved(2**20)],
            ["asked to read 0 B; 4 MiB were moved for that in 10.0 ns over all ranks, reading before "
            "writing.",
            "romio_ds_read"], []),
        ([sieved(2**10)], [], ["moved for that"]),
        ([AGAIN, AGAIN], ["4 MiB are read by 2 ranks in a, which extends to 1 MiB only: 4 times over.",
            "Let one rank of a node read it and broadcast."], []),
        ([AGAIN], [], ["times over"]),
        ([RANDOM],
            ["96 % of 2,000 POSIX reads begin before the end of the previous one (4 KiB on average)"], []),
    ],
)  # fmt: skip
def test_what_stands_out(ranks: list[list[CallRow]], there: list[str], absent: list[str]) -> None:
    words = said(trace(*(lane(rank, rows) for rank, rows in enumerate(ranks))))
    assert all(one in words for one in there)
    assert not any(one in words for one in absent)


def test_a_program_of_large_even_writes_gets_no_remark() -> None:
    assert said(trace(lane(0, writes(2**20, 50)), lane(1, writes(2**20, 50)))) == ""


def test_small_requests_are_told_with_their_share() -> None:
    remark, *_ = remarks_on(summarise(trace(lane(0, writes(4096, 2000)))))
    assert "2,000 POSIX writes are of 32 KiB or less (most often 4 KiB, 2,000 times)" in remark.text
    assert remark.seconds == pytest.approx(20e-6), "all of the run"
    assert "32 KiB" not in said(trace(lane(0, writes(4096, 999))))


def test_an_error_that_no_system_has_is_told_by_its_number() -> None:
    made = dataclasses.replace(
        trace(lane(0, writes(8, 2))), lost=(Lost("", 3, 0, 0),), lost_why=(0x7F7F7F7F7F7F7F7F, errno.EIO)
    )
    words = said(made)
    assert "error 9187201950435737471" in words and "Input/output error" in words


def test_what_the_trace_lacks_is_told() -> None:
    made = dataclasses.replace(trace(lane(0, writes(2**20, 2))), unended=(0,))
    assert "1 of 1 rank did not end by itself (0)" in said(made)


def test_what_found_no_room_comes_first_and_is_told_by_call() -> None:
    lost = (Lost("POSIX pwrite", 70, 4096, 2000), Lost("POSIX close", 5, 0, 100), Lost("", 3, 0, 0))
    made = dataclasses.replace(trace(lane(0, writes(4096, 2000))), lost=lost)
    first = remarks_on(summarise(made))[0].text
    assert first.startswith(
        "78 calls found no room, since the trace had reached its bound or its disk was full"
    )
    full = dataclasses.replace(made, lost_why=(errno.ENOSPC,), lost_from_ns=2000)
    words = said(full)
    assert "78 calls from 2.00 µs of the run on found no room, since the trace could not grow (No" in words
    assert "Record where there is more room (-o)" in words
    bound = said(dataclasses.replace(made, lost_why=(errno.EFBIG,)))
    assert "since the trace had reached its bound; they" in bound and "with a greater --limit" in bound
    assert first.endswith("in all tables: 70 of pwrite, 4 KiB, in 2.00 µs; 5 of close in 100 ns.")


def test_what_explains_less_than_a_hundredth_of_the_run_is_left_out() -> None:
    small = lane(0, writes(4096, 2000))
    assert "4 KiB" in said(trace(small, run_ns=1_990_000))
    long = trace(small, run_ns=2_100_000)
    assert said(long) == ""
    assert nothing_stands_out(summarise(long)) == "Nothing: I/O calls take 0.95 % of the run."


def laid_out(made: Trace, **layout: Any) -> Trace:
    """The trace, with a layout for its first file."""
    return dataclasses.replace(made, layouts={1: Layout(**layout)})


def scattered(begin: int, count: int = 1200) -> list[CallRow]:
    """Writes of 64 KiB that jump to and fro, `begin` bytes behind a block."""
    size = 65536
    return [
        ("pwrite", 1, 10 * i, 10 * i + 10, size * (i * 7 % count) + begin, size, size, 0)
        for i in range(count)
    ]


def test_own_traces_tell_of_requests_that_do_not_begin_at_a_block() -> None:
    words = "100 % of 1,200 POSIX reads and writes in a do not begin at a multiple of 4 KiB"
    made = trace(lane(0, scattered(100)))
    assert words in said(laid_out(made, alignment_bytes=4096))
    assert "do not begin at" not in said(made), "the block is not known"
    assert "do not begin at" not in said(laid_out(trace(lane(0, scattered(0))), alignment_bytes=4096))


def test_requests_that_go_on_where_the_last_one_ended_are_aligned_enough() -> None:
    """The system puts them together in its cache."""
    going_on = trace(lane(0, writes(100, 3000)))
    assert "do not begin at" not in said(laid_out(going_on, alignment_bytes=4096))


def test_ranks_that_share_a_file_on_lustre_contend_for_its_stripes() -> None:
    made = laid_out(trace(*(lane(rank, scattered(100 + rank)) for rank in range(2))), alignment_bytes=2**20)
    words = said(made)
    assert (
        "of 2,400 POSIX reads and writes in a, which 2 ranks share, do not begin at a multiple of 1 MiB"
        in words
    )
    assert "Ranks that write parts of one stripe" in " ".join(one.why for one in remarks_on(summarise(made)))


def test_own_traces_tell_of_a_slow_target() -> None:
    """Five files on five targets; the one on target 14 takes 20 times as long."""
    names = [File("", 0), *(File(f"/lustre/f{number}", 0) for number in range(5))]
    lanes = []
    for rank in range(5):
        took = 2000 if rank == 3 else 100
        one = lane(
            rank, [("pwrite", 1, i * took, (i + 1) * took, i * 2**20, 2**20, 2**20, 0) for i in range(4)]
        )
        files = np.array([0, rank + 1, 0, 0, 0])
        lanes.append(dataclasses.replace(one, file_index=files))
    targets = {number: Layout(2**20, (10 + number,)) for number in range(1, 6)}
    made = dataclasses.replace(trace(*lanes), files=tuple(names), layouts=targets)
    assert "The files on 1 of 5 OSTs are slow: OST 14 (1 file, " in said(made)

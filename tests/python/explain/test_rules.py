"""What stands out, in traces made so that it does, and not in others."""

import dataclasses
import errno
import os
from typing import Any

import numpy as np
import pytest

from made_trace import CallRow, lane, trace
from weir.answers.answer import Answer, Cost, Count
from weir.explain.rule import answers_on, caveats_on, nothing_stands_out
from weir.explain.summarise import summarise
from weir.trace.model import Layout, Lost, Trace
from weir.trace.names import File

from .answers import by_question, evidence_of


def stands_out(made: Trace) -> dict[str, list[Answer]]:
    return by_question(summarise(made))


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


Expected = dict[str, tuple[tuple[str, ...], str, dict[str, float | str]]]


@pytest.mark.parametrize(
    ("ranks", "expected", "absent"),
    [
        # That one rank is the slowest is no news where it moves everything.
        ([writes(2**20, 50), [("open", 1, 0, 1, -1, 0, 3, 0)]],
            {"few_writers": (("rank 0",), "more-writers", {
                "its share of the data": 1, "data of all ranks": 50 * 2**20, "its reads and writes": 500e-9,
                "other ranks": 1})}, "slow_ranks"),
        (ONE_SLOW,
            {"slow_ranks": (("rank 2",), "find-slow-part", {
                "its I/O calls": 1e-6, "mean of the others": 100e-9, "its data": 10 * 2**20,
                "mean data of the others": 10 * 2**20, "the fastest, rank 0": 100e-9,
                "other ranks": 4})}, ""),
        ([OPENED],
            {"metadata": (("open",), "names-served", {
                "share of time in I/O calls": 0.6, "all of them over all ranks": 600e-9, "opens": 1,
                "calls of open": 1, "open over all ranks": 600e-9})}, ""),
        ([[*OPENED, ("open", 2, 1200, 1500, -1, 0, 3, 0)]],
            {"metadata": (("open",), "open-fewer", {"opens": 2, "calls of open": 2})}, ""),
        ([SYNCED], {"syncs": (("fsync",), "one-sync", {"syncs": 1, "writes": 10})}, ""),
        ([[*SYNCED, ("fflush", 1, 200, 300, -1, 0, 0, 0)]],
            {"syncs": (("fsync",), "one-sync", {"syncs": 1})}, ""),
        ([[*SYNCED, ("fsync", 1, 200, 300, -1, 0, 0, 0)]],
            {"syncs": (("fsync",), "sync-once", {"syncs": 2, "share of time in I/O calls": 2 / 3})}, ""),
        ([SENT],
            {"library_time": (("MPI-IO", "a"), "ask-for-more", {
                "its reads and writes over all ranks": 100e-9, "POSIX calls on that file": 20e-9,
                "in the library itself": 0.8, "in MPI calls inside it": 70e-9})}, ""),
        ([sieved(2**20)],
            {"read_modify_write": (("reads", "MPI-IO"), "no-sieving", {
                "asked to read": 0, "read by the system": 4 * 2**20,
                "that took over all ranks": 10e-9})}, ""),
        ([sieved(2**10)], {}, "read_modify_write"),
        ([AGAIN, AGAIN],
            {"repetition": (("read", "a"), "read-and-send", {
                "read": 4 * 2**20, "ranks": 2, "the file extends to": 2**20, "times over": 4})}, ""),
        ([AGAIN], {}, "repetition"),
        ([RANDOM],
            {"random_access": (("reads", "a"), "sort", {
                "reads": 2000, "before the end of the previous": 0.959, "mean read": 4096})}, ""),
    ],
)  # fmt: skip
def test_what_stands_out(ranks: list[list[CallRow]], expected: Expected, absent: str) -> None:
    found = stands_out(trace(*(lane(rank, rows) for rank, rows in enumerate(ranks))))
    for question, (subject, action, evidence) in expected.items():
        (one,) = (each for each in found[question] if each.subject == subject)
        assert one.action == action
        known = evidence_of(one)
        assert {label: known.get(label) for label in evidence} == pytest.approx(evidence, rel=1e-3)
    assert absent not in found


def test_a_program_of_large_even_writes_has_nothing_that_stands_out() -> None:
    assert not stands_out(trace(lane(0, writes(2**20, 50)), lane(1, writes(2**20, 50))))


def test_small_requests_are_found_with_their_share() -> None:
    (found,) = stands_out(trace(lane(0, writes(4096, 2000))))["small_requests"]
    assert evidence_of(found) == {
        "writes": 2000,
        "of 32 KiB or less": 1,
        "most often": 4096,
        "so often": 2000,
        "writes over all ranks": pytest.approx(20e-6),
        "writes of a": 2000,
        "mean write of a": 4096,
    }
    assert found.value == Cost(pytest.approx(20e-6), 1), "all of the run"
    assert found.words == {"requests": "2,000", "size": "4 KiB"}
    assert "small_requests" not in stands_out(trace(lane(0, writes(4096, 999))))


def test_the_count_of_small_requests_is_that_of_the_size_beside_it() -> None:
    (few_others,) = stands_out(trace(lane(0, [*writes(4096, 2000), *writes(8, 2, 30_000)])))["small_requests"]
    assert few_others.words == {"requests": "2,000", "size": "4 KiB"}
    of_all_sizes = [one for size in range(1, 2001) for one in writes(size, 1, 10 * size)]
    (mixed,) = stands_out(trace(lane(0, of_all_sizes)))["small_requests"]
    assert mixed.words == {"requests": "2,000", "size": "32 KiB or less"}


@pytest.mark.parametrize(("number", "last"), [(1000, "a and 1 more"), (100, "a and 1 more"), (99, "a")])
def test_small_requests_name_all_files_with_many_of_them(number: int, last: str) -> None:
    other = [(name, 2, *rest) for name, _, *rest in writes(4096, number, start=10_000)]
    (found,) = stands_out(trace(lane(0, [*writes(4096, 1000), *other])))["small_requests"]
    assert found.subject == ("writes", last)
    assert evidence_of(found)["writes of a"] == 1000


def test_failed_writes_stand_first_and_failed_reads_last() -> None:
    failed: list[CallRow] = [("pwrite", 1, 20_000 + i, 20_001 + i, 0, 8, -1, 0) for i in range(3)]
    reads: list[CallRow] = [("pread", 1, 21_000, 21_001, 0, 8, -1, 0)]
    found = answers_on(summarise(trace(lane(0, [*writes(4096, 2000), *failed, *reads]))))
    assert (found[0].subject, found[0].value) == (("pwrite",), Count(3, 2003))
    assert (found[-1].subject, found[-1].value) == (("pread",), Count(1, 1)) and len(found) > 2


def test_an_error_that_no_system_has_is_named_by_its_number() -> None:
    made = dataclasses.replace(
        trace(lane(0, writes(8, 2))), lost=(Lost("", 3, 0, 0),), lost_why=(0x7F7F7F7F7F7F7F7F, errno.EIO)
    )
    (lost,) = caveats_on(summarise(made))
    assert "error 9187201950435737471" in lost.words["why"] and os.strerror(errno.EIO) in lost.words["why"]


def test_what_the_trace_lacks_is_found() -> None:
    made = dataclasses.replace(trace(lane(0, writes(2**20, 2))), unended=(0,))
    (one,) = caveats_on(summarise(made))
    assert (one.code, one.count, one.of, one.words["which"]) == ("unended", 1, 1, "0")


def test_ranks_of_which_nothing_was_recorded_are_told() -> None:
    made = dataclasses.replace(trace(lane(0, writes(2**20, 2))), missing=(4, 5))
    (one,) = caveats_on(summarise(made))
    assert (one.code, one.count, one.of, one.action) == ("missing-ranks", 2, 3, "every-node")
    assert one.words == {"whole": "3 ranks", "which": "4, 5"}


def test_what_found_no_room_is_known_by_call() -> None:
    lost = (Lost("POSIX pwrite", 70, 4096, 2000), Lost("POSIX close", 5, 0, 100), Lost("", 3, 0, 0))
    made = dataclasses.replace(trace(lane(0, writes(4096, 2000))), lost=lost)
    (one,) = caveats_on(summarise(made))
    assert (one.code, one.count, one.action, one.words["since"]) == ("lost-calls", 78, "greater-limit", "")
    assert {each.label: each.value for each in one.evidence} == {
        "calls of pwrite": 70,
        "bytes of pwrite": 4096,
        "time in pwrite": pytest.approx(2e-6),
        "calls of close": 5,
        "time in close": pytest.approx(100e-9),
    }


@pytest.mark.parametrize(
    ("why", "action"),
    [
        ((errno.ENOSPC,), "more-room"),
        ((errno.EFBIG,), "greater-limit"),
        ((errno.EFBIG, errno.ENOSPC), "more-room"),
        ((errno.EINTR,), ""),
        ((errno.ENOLINK, errno.EFBIG), "more-room"),
    ],
)
def test_what_helps_against_lost_calls(why: tuple[int, ...], action: str) -> None:
    made = dataclasses.replace(trace(lane(0, writes(8, 2))), lost=(Lost("", 3, 0, 0),), lost_why=why)
    (one,) = caveats_on(summarise(dataclasses.replace(made, lost_from_ns=2000)))
    assert (one.action, one.words["since"]) == (action, " from 2.00 µs on")


def test_what_explains_less_than_a_hundredth_of_the_run_is_left_out() -> None:
    small = lane(0, writes(4096, 2000))
    assert "small_requests" in stands_out(trace(small, run_ns=1_990_000))
    long = trace(small, run_ns=2_100_000)
    assert not stands_out(long)
    assert nothing_stands_out(summarise(long)) == "nothing stands out; 0.95 % of the run in I/O"


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


def test_own_traces_know_requests_that_do_not_begin_at_a_block() -> None:
    made = trace(lane(0, scattered(100)))
    (one,) = stands_out(laid_out(made, alignment_bytes=4096))["misaligned"]
    assert (one.subject, one.action) == (("a",), "align-written")
    known = evidence_of(one)
    assert (known["reads and writes"], known["misaligned"], known["stripe or block"]) == (1200, 1, 4096)
    assert "misaligned" not in stands_out(made), "the block is not known"
    assert "misaligned" not in stands_out(laid_out(trace(lane(0, scattered(0))), alignment_bytes=4096))


def test_requests_that_go_on_where_the_last_one_ended_are_aligned_enough() -> None:
    """The system puts them together in its cache."""
    going_on = trace(lane(0, writes(100, 3000)))
    assert "misaligned" not in stands_out(laid_out(going_on, alignment_bytes=4096))


def test_ranks_that_share_a_file_on_lustre_contend_for_its_stripes() -> None:
    made = laid_out(trace(*(lane(rank, scattered(100 + rank)) for rank in range(2))), alignment_bytes=2**20)
    (one,) = stands_out(made)["misaligned"]
    known = evidence_of(one)
    assert (known["reads and writes"], known["ranks that use the file"]) == (2400, 2)
    assert (known["stripe or block"], one.action) == (2**20, "align-shared")


def test_own_traces_know_a_slow_target() -> None:
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
    (found,) = stands_out(made)["storage_targets"]
    known = evidence_of(found)
    assert found.subject == ("OST 14",)
    assert (known["slow targets"], known["of targets"], known["files on OST 14"]) == (1, 5, 1)

"""The tables of traces whose calls are known."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from functools import partialmethod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import made_trace
from made_trace import CallRow, lane, trace
from random_cases import random_cases
from weir.explain.first_screen import explained
from weir.explain.nesting import Nest, io_calls, setup_calls
from weir.explain.sections.requests import Sizes
from weir.explain.summarise import summarise
from weir.explain.summary import SizeCount
from weir.trace.batch import Batch
from weir.trace.model import Lost, Trace
from weir.trace.names import File

NESTED = lane(
    0,
    [
        ("open", 1, 0, 10, -1, 0, 3, 0),
        ("MPI_Send", 0, 20, 25, 1, 64, 0, 0),
        ("MPI_Send", 0, 32, 36, 1, 128, 0, 1),
        ("pwrite", 1, 40, 60, 0, 100, 100, 1),
        ("pwrite", 1, 60, 70, 100, 100, 50, 1),
        ("MPI_File_write_all", 1, 30, 80, 0, 150, 150, 0),
        ("pwrite", 2, 90, 95, 7, 10, -28, 0),
    ],
)


def test_calls_inside_io_calls_are_told_apart() -> None:
    rows = {(row.name, row.for_io): row for row in summarise(trace(NESTED)).operations}
    assert rows["MPI_Send", False].count == 1 and rows["MPI_Send", True].bytes == 128
    assert rows["pwrite", True].count == 2 and rows["pwrite", True].bytes == 150
    outer = rows["MPI_File_write_all", False]
    assert (outer.total_s, outer.own_s) == (50e-9, pytest.approx(16e-9))
    assert rows["pwrite", False].failed == 1 and rows["pwrite", False].bytes == 0


def test_calls_that_were_only_counted_are_told_beside_those_that_were_recorded() -> None:
    whole = trace(NESTED)
    assert summarise(whole).head.how_many == "7 calls recorded"
    lost = (Lost("POSIX pwrite", 2999, 0, 0), Lost("", 1, 0, 0))
    summary = summarise(replace(whole, lost=lost))
    assert summary.head.how_many == "7 calls recorded, 3,000 more only counted"
    facts = {fact.label: fact.value for fact in explained(summary).screen.machine}
    assert (facts["calls"], facts["written, as recorded"]) == (summary.head.how_many, "150 B")


def test_what_a_librarys_wait_does_is_for_io() -> None:
    inside: list[CallRow] = [
        ("MPI_Send", 0, 10, 20, 1, 64, 0, 1),
        ("MPI_File_write_all", 1, 20, 60, 0, 150, 150, 1),
        ("ncmpi_wait", 1, 0, 70, -1, 150, 150, 0),
        ("MPI_Send", 0, 70, 75, 1, 64, 0, 0),
    ]
    summary = summarise(trace(lane(0, inside)))
    assert {row.name for row in summary.operations if row.for_io} == {"MPI_Send", "MPI_File_write_all"}
    (rank,) = summary.ranks
    assert (rank.other_s, rank.communication_s) == (pytest.approx(70e-9), pytest.approx(5e-9))


def test_only_outermost_calls_are_the_ranks() -> None:
    (row,) = summarise(trace(NESTED)).ranks
    assert (row.bytes_written, row.system_bytes) == (150, 150)
    assert (row.write_s, row.other_s, row.communication_s) == pytest.approx((55e-9, 10e-9, 5e-9))


def test_transfers_have_sizes_order_and_bandwidth() -> None:
    calls = {
        0: [(1, 0, 10, 0, 8), (1, 10, 20, 8, 8), (1, 20, 40, 0, 24)],
        1: [(2, 0, 40, 100, 8), (1, 0, 10, 500, 8), (2, 0, 10, 108, 8)],
    }
    lanes = [lane(rank, [("pwrite", *call, call[-1], 0) for call in rows]) for rank, rows in calls.items()]
    summary = summarise(trace(*lanes))
    (row,) = summary.transfers
    assert (row.requests, row.bytes, row.smallest, row.largest, row.sizes) == (6, 64, 8, 24, 2)
    assert row.common == (SizeCount(8, 5), SizeCount(24, 1))
    assert row.histogram == (SizeCount(8, 5), SizeCount(16, 0), SizeCount(32, 1))
    assert (row.consecutive, row.backward) == (2, 1)
    assert row.bytes_per_s == pytest.approx(64 / 60e-9), "the second rank took 60 ns"
    assert row.mean_bytes_per_s == pytest.approx(64 / 50e-9), "Thakur et al. 1996"


def test_formatted_text_has_the_size_that_it_came_to() -> None:
    """The call asks for none: the length in its record is 0."""
    rows: list[CallRow] = [("fwrite", 1, 0, 10, 0, 0, 34, 0), ("fwrite", 1, 10, 20, 34, 0, 61, 0)]
    (row,) = summarise(trace(lane(0, rows))).transfers
    assert (row.bytes, row.smallest, row.largest) == (95, 34, 61)
    assert row.common == (SizeCount(34, 1), SizeCount(61, 1))


def test_files_and_datasets_with_the_ranks_that_used_them() -> None:
    summary = summarise(
        trace(
            lane(0, [("open", 1, 0, 5, -1, 0, 3, 0), ("pwrite", 1, 5, 10, 90, 10, 10, 0)]),
            lane(1, [("pread", 1, 0, 10, 0, 10, 4, 0), ("pwrite", 3, 5, 10, 0, 10, 10, 0)]),
            lane(1, [("pread", 1, 0, 10, 0, 10, 4, 0)], thread=2),
        )
    )
    rows = {(row.file, row.dataset): row for row in summary.files}
    whole = rows["/data/a", ""]
    assert (whole.ranks, whole.opens, whole.reads, whole.writes) == (2, 1, 2, 1)
    assert (whole.bytes_read, whole.bytes_written, whole.end_bytes) == (8, 10, 100)
    assert rows["/data/b", "density"].bytes_written == 10


def test_bytes_and_time_are_spread_over_the_run() -> None:
    rows = [("pwrite", 1, 0, 1200, 0, 600, 600, 0), ("pread", 1, 2395, 2400, 0, 5, 5, 0)]
    course = summarise(trace(lane(0, rows), lane(1, [("open", 1, 2300, 2400, -1, 0, 3, 0)]))).course
    assert course is not None and course.interval_s == pytest.approx(10e-9)
    assert course.written_bytes[:120] == pytest.approx([5] * 120)
    assert sum(course.written_bytes) == pytest.approx(600)
    assert course.read_bytes[-1] == 5
    assert course.heat[0][:120] == pytest.approx([1] * 120) and course.heat[0][-1] == pytest.approx(0.5)
    assert course.heat[1][229:231] == pytest.approx([0, 1])


def test_a_trace_without_calls_has_empty_tables() -> None:
    summary = summarise(trace(lane(0, [])))
    assert summary.operations == summary.transfers == summary.files == ()


@given(st.lists(st.integers(0, 3), max_size=40), st.integers(1, 7))
@random_cases(200)
def test_parents_are_those_of_a_walk_through_the_calls(levels: list[int], size: int) -> None:
    rows = [("pwrite", 1, i, i + 1, 0, 1, 1, level) for i, level in enumerate(levels)]
    made = trace(lane(0, rows))  # type: ignore[arg-type]
    is_io = io_calls(made)
    (batch,) = list(made.batches(1000)) or [None]
    expected = [
        next((j for j in range(i + 1, len(levels)) if levels[j] < level), -1) if level else -1
        for i, level in enumerate(levels)
    ]
    if batch is not None:
        assert list(Nest(batch, is_io[batch.call]).parent) == expected
    lengths = [len(part) for part in made.batches(size)]
    assert sum(lengths) == len(levels) and all(lengths)


NAMES = ["pwrite", "pread", "open", "MPI_File_write_all", "MPI_Barrier", "MPI_Init", "weir_mark_end"]
BOUNDS = [(0, 4), (0, 90), (90, 200), (-1, 3), (0, 3), (-1, 3), (0, 2)]
A_ROW = st.tuples(st.sampled_from(NAMES), *(st.integers(*bounds) for bounds in BOUNDS))
LANES = st.lists(st.tuples(st.integers(0, 2), st.lists(A_ROW, max_size=6)), min_size=1, max_size=6)


@given(LANES, st.integers(1, 20))
@example([(0, [("pwrite", file, 0, 90, 0, 0, 0, 0) for file in (2, 1)])], 1)
@random_cases(200)
def test_tables_are_the_same_however_calls_are_cut_into_batches(
    lanes: list[tuple[int, list[CallRow]]], size: int
) -> None:
    lanes.sort(key=lambda one: one[0])
    made = trace(*(lane(rank, rows, number) for number, (rank, rows) in enumerate(lanes)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weir.trace.model.Trace.batches", _one_by_one)
        expected = summarise(made)
        patch.undo()
        patch.setattr("weir.trace.model.Trace.batches", partialmethod(Trace.batches, size))
        found = summarise(made)
    assert replace(found, course=None) == replace(expected, course=None)
    assert found.course is not None and expected.course is not None
    assert np.allclose(found.course.heat, expected.course.heat)
    assert np.allclose(found.course.written_bytes, expected.course.written_bytes)


def test_calls_of_any_length_are_spread_evenly_over_their_time() -> None:
    random = np.random.default_rng(3)
    begin = np.sort(random.integers(0, 24_000, 50))
    end = np.minimum(begin + random.integers(1, 9_000, 50), 24_000)
    rows: list[CallRow] = [
        ("pwrite", 1, int(b), int(e), 0, 1000 * n, 1000 * n, 0)
        for n, (b, e) in enumerate(zip(begin, end, strict=True))
    ]
    course = summarise(trace(*(lane(n // 5, rows[n : n + 5]) for n in range(0, 50, 5)), run_ns=24_000)).course
    edges = np.arange(0, 24_001, 100)
    shares = np.diff(np.clip((edges - begin[:, None]) / (end - begin)[:, None], 0, 1), axis=1)
    assert course is not None
    assert np.allclose(course.written_bytes, 1000 * np.arange(50) @ shares)
    assert np.allclose(course.heat, (shares * (end - begin)[:, None]).reshape(10, 5, -1).sum(axis=1) / 100)
    assert all(written >= 0 for written in course.written_bytes)


def _one_by_one(of: Trace) -> Iterator[Batch]:
    for number, one in enumerate(of.lanes):
        if len(one.records):
            yield one.batch(number, 0, len(one.records))


def test_a_call_that_was_cut_off_is_in_no_call_of_the_next_lane() -> None:
    killed: list[CallRow] = [("pwrite", 1, 0, 5, 0, 8, 8, 1)]
    other: list[CallRow] = [("MPI_Init", 0, 0, 50, -1, 0, 0, 0)]
    made = trace(lane(0, killed), lane(1, other))
    (batch,) = made.batches()
    assert list(batch.lane) == [0, 1] and list(Nest(batch, io_calls(made)[batch.call]).parent) == [-1, -1]
    assert len(Nest(batch, io_calls(made)[batch.call]).without_inside(setup_calls(made)).batch) == 2


@given(st.lists(st.integers(0, 2**64 - 1), max_size=60))
def test_sizes_count_every_request_once(lengths: list[int]) -> None:
    sizes = Sizes()
    sizes.add(np.array(lengths[:20], np.uint64))
    sizes.add(np.array(lengths[20:], np.uint64))
    assert sum(count.requests for count in sizes.histogram()) == len(lengths)
    assert sizes.different == len(set(lengths))
    for common in sizes.common():
        assert lengths.count(common.bytes) == common.requests


def test_files_that_mpi_uses_for_itself_are_left_out() -> None:
    rows: list[CallRow] = [
        ("open", 1, 10, 20, -1, 0, 3, 1),
        ("pread", 1, 20, 30, 0, 10, 10, 2),
        ("MPI_Init", 0, 0, 50, -1, 0, 0, 0),
        ("pwrite", 2, 60, 70, 0, 5, 5, 0),
    ]
    summary = summarise(trace(lane(0, rows)))
    assert [row.name for row in summary.operations] == ["MPI_Init", "pwrite"]
    assert [row.file for row in summary.files] == ["/data/b"]


def test_a_file_of_its_own_for_each_of_many_lanes_takes_little_memory() -> None:
    names = (*made_trace.FILES, *(File(f"/own.{rank}", 0) for rank in range(200)))
    lanes = [
        replace(
            lane(rank, [("pwrite", 1, 0, 1, 0, 8, 8, 0)]),
            file_index=np.array([0, len(made_trace.FILES) + rank]),
        )
        for rank in range(200)
    ]
    made = replace(trace(*lanes), files=names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weir.trace.model.Trace.batches", _one_by_one)
        tracemalloc.start()
        found = summarise(made).files
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert {row.file for row in found} == {f"/own.{rank}" for rank in range(200)}
    assert all((row.ranks, row.bytes_written) == (1, 8) for row in found) and peak < 10**7


def test_phases_that_the_program_marked() -> None:
    rows: list[CallRow] = [
        ("weir_mark_begin", 4, 0, 0, -1, 0, 0, 0),
        ("pwrite", 1, 5, 10, 0, 8, 8, 0),
        ("weir_mark_end", 4, 0, 20, -1, 0, 0, 0),
        ("weir_mark_begin", 4, 30, 30, -1, 0, 0, 0),
    ]
    summary = summarise(trace(lane(0, rows), lane(1, rows)))
    (row,) = summary.marks
    assert (row.name, row.times, row.total_s, row.longest_s) == ("dump", 2, 40e-9, 20e-9)
    assert [file.file for file in summary.files] == ["/data/a"]


def test_a_rank_with_threads_is_busy_for_no_longer_than_it_runs() -> None:
    rows: list[CallRow] = [("pwrite", 1, 0, 100, 0, 50, 50, 0)]
    summary = summarise(trace(*(lane(0, rows, thread) for thread in range(4))))
    assert summary.head.actors == 4 and summary.course is not None
    assert max(summary.course.heat[0]) == pytest.approx(1)
    (row,) = summary.transfers
    for one in (row.bytes_per_s, row.mean_bytes_per_s):
        assert one == pytest.approx(200 / 100e-9), "four threads, side by side"


def test_what_stdio_moves_is_moved_by_its_rank() -> None:
    (row,) = summarise(trace(lane(0, [("fwrite", 1, 0, 5, 0, 9, 9, 0)]))).ranks
    assert row.system_bytes == 9


def test_processes_one_after_the_other_share_a_run_as_one_does() -> None:
    lanes = [lane(number, [("pwrite", 1, 0, 10, 0, 8, 8, 0)]) for number in range(4)]
    made = replace(trace(*lanes), ranks=4, processes=4, ranked=False, run_ns=400, alive_ns=400)
    summary = summarise(made)
    assert summary.head.whole_s == pytest.approx(400e-9)
    assert summary.transfers[0].bytes_per_s is None, "that of the longest process would say nothing"
    assert summary.transfers[0].mean_bytes_per_s == pytest.approx(4 * 8 / 40e-9)
    together = summarise(replace(made, run_ns=100))
    assert together.transfers[0].mean_bytes_per_s == pytest.approx(4 * 8 / 10e-9)
    assert together.head.whole_s == pytest.approx(400e-9)

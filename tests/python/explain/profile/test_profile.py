"""The profile by phase of traces whose exclusive times are known."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_trace import CALLS, FILES, CallRow, lane, trace
from random_cases import random_cases
from weir.explain.profile.parts import part_of
from weir.explain.profile.rows import PhaseRow, Profile
from weir.explain.profile.spans import MOST_PHASES, REST
from weir.explain.sections.profile import section
from weir.explain.summarise import summarise
from weir.trace.lane import Lane
from weir.trace.model import Life
from weir.trace.names import File

DUMP, SOLVE = 4, 5
"""Indexes of the names of phases in `FILES`."""


def call(name: str, begin: int, end: int, level: int = 0, file: int = 1) -> CallRow:
    return (name, file, begin, end, 0, 8, 8, level)


def begin(phase: int, at: int) -> CallRow:
    return call("weir_mark_begin", at, at, 0, phase)


def end(phase: int, began: int, at: int) -> CallRow:
    return call("weir_mark_end", began, at, 0, phase)


def profile(*lanes: Lane, **changes: object) -> Profile:
    return summarise(replace(trace(*lanes), **changes)).profile  # type: ignore[arg-type]


def seconds(phase: PhaseRow, ranks: int = 1) -> dict[str, int]:
    """The time of all ranks in each part, in ns."""
    return {part.name: round(part.mean_s * ranks * 1e9) for part in phase.parts}


NESTED = [
    call("MPI_Init", 0, 10),
    begin(SOLVE, 100),
    call("MPI_Allreduce", 120, 150),
    end(SOLVE, 100, 200),
    begin(DUMP, 200),
    call("open", 215, 230, 2),
    call("MPI_File_open", 210, 240, 1),
    call("H5Fopen", 205, 250),
    call("pwrite", 320, 350, 2),
    call("MPI_Allreduce", 355, 365, 2),
    call("MPI_File_write_all", 310, 380, 1),
    call("H5Dwrite", 300, 400),
    call("MPI_Barrier", 400, 440),
    end(DUMP, 200, 500),
]


def test_each_call_has_its_own_time_once() -> None:
    found = profile(lane(0, NESTED), run_ns=1000)
    assert [phase.name for phase in found.phases] == ["solve", "dump", ""]
    solve, dump, outside = found.phases
    assert seconds(solve) == {"computing": 70, "MPI_Allreduce": 30}
    assert seconds(dump) == {
        "computing": 300 - 45 - 100 - 40,
        "MPI_Barrier": 40,
        "MPI_Allreduce (for I/O)": 10,
        "HDF5": 100 - 70,
        "MPI-IO": 70 - 30 - 10,
        "POSIX I/O": 30,
        "opens": 45,
    }
    assert seconds(outside) == {"computing": 590, "MPI_Init": 10}
    assert found.title_of(outside) == "outside its phases"
    for phase in found.phases:
        assert sum(part.share or 0 for part in phase.parts) == pytest.approx(1)
        assert sum(part.mean_s for part in phase.parts) == pytest.approx(phase.mean_s)


def test_minimum_mean_and_maximum_are_those_of_all_ranks() -> None:
    (found,) = profile(
        lane(0, [call("pwrite", 0, 60)]), lane(1, [call("pwrite", 0, 30)]), lane(2, [call("open", 0, 90)])
    ).phases
    parts = {part.name: part for part in found.parts}
    write = parts["POSIX I/O"]
    assert (write.min_s, write.mean_s, write.max_s) == pytest.approx((0, 30e-9, 60e-9))
    assert write.share == pytest.approx(90 / 270)
    assert (found.ranks, found.min_s, found.max_s) == (3, 90e-9, 90e-9)


def test_without_marks_the_whole_program_is_one_phase() -> None:
    found = profile(lane(0, [call("pwrite", 10, 30)]), run_ns=100)
    (whole,) = found.phases
    assert found.title_of(whole) == "the whole program" and not found.marked
    assert seconds(whole) == {"computing": 80, "POSIX I/O": 20}


def test_a_phase_of_no_length_has_no_shares() -> None:
    dump, outside = profile(lane(0, [begin(DUMP, 50), end(DUMP, 50, 50)]), run_ns=100).phases
    assert (dump.name, dump.ranks, dump.max_s, dump.parts) == ("dump", 1, 0, ())
    assert seconds(outside) == {"computing": 100}


def test_a_call_of_no_length_in_a_phase_of_no_length() -> None:
    dump, _ = profile(
        lane(0, [begin(DUMP, 50), call("pwrite", 50, 50), end(DUMP, 50, 50)]), run_ns=100
    ).phases
    assert dump.parts == ()


def test_a_rank_without_calls_computes_for_as_long_as_it_lives() -> None:
    lives = (Life(0, 100, 0, 100), Life(1, 101, 20, 90))
    found = profile(lane(0, [call("pwrite", 0, 40)]), lives=lives, ranks=2, run_ns=100)
    (whole,) = found.phases
    parts = {part.name: part for part in whole.parts}
    assert (found.ranks, whole.ranks) == (2, 2)
    assert (parts["computing"].min_s, parts["computing"].max_s) == (60e-9, 70e-9)
    assert (parts["POSIX I/O"].min_s, parts["POSIX I/O"].max_s) == (0, 40e-9)


def test_a_rank_that_marked_nothing_took_no_time_in_the_phase() -> None:
    dump, outside = profile(
        lane(0, [begin(DUMP, 0), call("pwrite", 0, 40), end(DUMP, 0, 50)]),
        lane(1, [call("pwrite", 0, 10)]),
        run_ns=100,
    ).phases
    assert (dump.ranks, dump.min_s, dump.max_s) == (1, 0, 50e-9)
    assert (outside.ranks, outside.min_s, outside.max_s) == (2, 50e-9, 100e-9)


def test_threads_are_in_the_phases_of_the_one_that_marks_and_are_added_up() -> None:
    marking = [begin(DUMP, 100), call("pwrite", 110, 130), end(DUMP, 100, 200)]
    helping = [call("pread", 50, 80), call("pwrite", 90, 150)]
    found = profile(lane(0, marking, 1), lane(0, helping, 2), run_ns=300)
    dump, outside = found.phases
    assert found.threads
    assert seconds(dump) == {"computing": 100 + 50 - 20 - 50, "POSIX I/O": 20 + 50}
    # The second thread is known from its first call, at 50, to the end of its last one, at 150.
    assert seconds(outside) == {"computing": 200 + 50 - 30 - 10, "POSIX I/O": 30 + 10}


def test_threads_that_mark_have_phases_of_their_own() -> None:
    one = [begin(DUMP, 0), end(DUMP, 0, 100)]
    other = [begin(SOLVE, 0), call("pwrite", 0, 70), end(SOLVE, 0, 100)]
    dump, solve = profile(lane(0, one, 1), lane(0, other, 2), run_ns=100).phases
    assert seconds(dump) == {"computing": 100}
    assert seconds(solve) == {"computing": 30, "POSIX I/O": 70}


def test_a_phase_inside_another_is_not_part_of_it() -> None:
    rows = [
        begin(DUMP, 0),
        begin(SOLVE, 20),
        call("pwrite", 30, 40),
        end(SOLVE, 20, 60),
        call("pwrite", 60, 65),
        end(DUMP, 0, 100),
    ]
    dump, solve = profile(lane(0, rows), run_ns=100).phases
    assert seconds(dump) == {"computing": 55, "POSIX I/O": 5}
    assert seconds(solve) == {"computing": 30, "POSIX I/O": 10}


def test_a_phase_that_was_left_open_ends_with_the_one_around_it_or_with_its_program() -> None:
    rows = [begin(DUMP, 0), begin(SOLVE, 20), end(DUMP, 0, 50), begin(SOLVE, 70), call("pwrite", 80, 90)]
    dump, solve, outside = profile(lane(0, rows), run_ns=100).phases
    assert (seconds(dump), seconds(outside)) == ({"computing": 20}, {"computing": 20})
    assert seconds(solve) == {"computing": 30 + 20, "POSIX I/O": 10}


def test_calls_of_mpi_below_one_percent_are_told_together() -> None:
    rows = [call("MPI_Barrier", 0, 100), call("MPI_Send", 100, 103), call("MPI_Allreduce", 103, 109)]
    (whole,) = profile(lane(0, rows), run_ns=1000).phases
    assert seconds(whole) == {"computing": 891, "MPI_Barrier": 100, "other MPI calls": 9}


def test_a_rank_lasts_as_long_as_its_process_and_not_as_the_run() -> None:
    found = profile(lane(0, [call("pwrite", 20, 30)]), lives=(Life(0, 100, 10, 60),), run_ns=100)
    assert seconds(found.phases[0]) == {"computing": 40, "POSIX I/O": 10}


def test_of_very_many_phases_the_shortest_are_told_together() -> None:
    names = tuple(File(f"phase {number}", 0) for number in range(100))
    rows = [end(number, 1000 * number, 1000 * number + number) for number in range(1, 100)]
    made = trace(replace(lane(0, rows), file_index=np.arange(100)), run_ns=100_000)
    found = summarise(replace(made, files=names)).profile
    assert len(found.phases) == MOST_PHASES + 2
    rest = next(phase for phase in found.phases if phase.name == REST)
    assert round(rest.mean_s * 1e9) == sum(range(1, 100 - MOST_PHASES))


def test_a_trace_without_calls_has_none() -> None:
    assert profile().phases == ()
    assert section(summarise(trace())) is None


def test_the_page_has_a_bar_and_a_table() -> None:
    made = section(summarise(trace(lane(0, NESTED), run_ns=1000)))
    assert made is not None and made.table is not None
    assert list(made.table.rows[0]) == ["solve", "all of it", "100 %", "100 ns", "100 ns", "100 ns"]
    assert list(made.table.rows[2]) == ["", "MPI_Allreduce", "30 %", "30.0 ns", "30.0 ns", "30.0 ns"]
    assert "MPI_Allreduce (for I/O): 3.3 %" in str(made.picture)
    assert "without the phases inside it" in made.words


# -- Against a walk through every nanosecond ---------------------------------------------------------------

RUN = 60
INNER = ["H5Dwrite", "MPI_File_write_all", "pwrite", "MPI_Send"]


@st.composite
def rows_of_a_thread(draw: st.DrawFn) -> list[CallRow]:
    """Phases side by side or in each other, and calls in each other within one phase."""
    rows: list[CallRow] = []
    edges = sorted(draw(st.sets(st.integers(0, RUN), max_size=6)))
    for start, stop in zip(edges[::2], edges[1::2], strict=False):
        phase = draw(st.sampled_from([DUMP, SOLVE]))
        rows += [begin(phase, start), *_nest(draw, start, stop, 0), end(phase, start, stop)]
    return rows


def _nest(draw: st.DrawFn, start: int, stop: int, level: int) -> list[CallRow]:
    if level == len(INNER) or stop - start < 2:
        return []
    edges = sorted(draw(st.sets(st.integers(start, stop), max_size=4)))
    rows = []
    for first, last in zip(edges[::2], edges[1::2], strict=False):
        rows += [*_nest(draw, first, last, level + 1), call(INNER[level], first, last, level)]
    return rows


@given(st.lists(rows_of_a_thread(), min_size=1, max_size=3))
@random_cases(150)
def test_it_is_what_a_walk_through_every_nanosecond_finds(threads: Sequence[list[CallRow]]) -> None:
    lanes = [lane(rank, rows) for rank, rows in enumerate(threads) if rows]
    made = trace(*lanes, run_ns=RUN)
    found = summarise(made).profile
    expected: Counter[tuple[str, str]] = Counter()
    for rows in threads:
        for ns in range(RUN) if rows else ():
            expected[_at(rows, ns)] += 1
    counted = {
        (phase.name, part.kind): part.mean_s * len(lanes) * 1e9
        for phase in found.phases
        for part in phase.parts
    }
    summed: Counter[tuple[str, str]] = Counter()
    for key, value in counted.items():
        summed[key] += round(value)
    assert summed == expected


def _at(rows: Sequence[CallRow], ns: int) -> tuple[str, str]:
    """The innermost phase, and what is called there."""
    over = [row for row in rows if row[2] <= ns < row[3]]
    phases = [row for row in over if row[0] == "weir_mark_end"]
    calls = sorted((row for row in over if row[0] != "weir_mark_end"), key=lambda row: row[-1])
    phase = FILES[min(phases, key=lambda row: row[3] - row[2])[1]].name if phases else ""
    if not calls:
        return phase, "computing"
    (known,) = [one for one in CALLS if one.name == calls[-1][0]]
    outer = any(one[0] != "MPI_Send" for one in calls[:-1])
    part = part_of(known, inside_io=outer)
    assert part is not None
    return phase, part.kind

"""The critical path of traces that tell whom ranks waited for, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_trace import CallRow
from random_cases import random_cases
from weir.explain.remark import nothing_stands_out, remarks_on
from weir.explain.sections.critical_path import section
from weir.explain.summarise import summarise
from weir.trace.model import Trace

from .made import GATHERED, call, meets, of_ranks


def flushing(count: int = 2000) -> list[CallRow]:
    """Short lines, each flushed: 100 ns of which 90 are flushes."""
    rows: list[CallRow] = []
    for begin in range(0, 100 * count, 100):
        rows += [call("fwrite", begin, begin + 10), call("fflush", begin + 10, begin + 100)]
    return rows


END = 200_000
ONE_FLUSHES = [
    [*flushing(), meets("MPI_Barrier", END, END + 10)],
    [meets("MPI_Barrier", 5, END + 10)],
]
IN_TURN = [
    [call("pwrite", 0, 100), meets("MPI_Barrier", 100, 101), meets("MPI_Barrier", 102, 201)],
    [meets("MPI_Barrier", 0, 101), call("pwrite", 101, 200), meets("MPI_Barrier", 200, 201)],
]
TOGETHER = [
    [call("pwrite", 0, 100), meets("MPI_Barrier", 100, 101)],
    [call("pwrite", 0, 99), meets("MPI_Barrier", 99, 101)],
]


def said(made: Trace) -> str:
    return "\n".join(f"{one.text} {one.advice}" for one in remarks_on(summarise(made)))


def test_what_one_rank_does_while_others_wait_counts_fully_and_is_named() -> None:
    summary = summarise(of_ranks(*ONE_FLUSHES))
    words = said(of_ranks(*ONE_FLUSHES))
    assert (
        "Rank 0 is in I/O calls for 200 µs while the other rank waits: 2,000 fflush (180 µs) and "
        "2,000 fwrite (20.0 µs), all in a." in words
    )
    assert "2,000 flushes of streams follow 2,000 writes of 8 B on average, in 180 µs over all ranks" in words
    assert summary.share_of_path == pytest.approx(1, rel=1e-3)
    assert max(one.seconds or 0 for one in remarks_on(summary)) == pytest.approx(200e-6)


def test_ranks_that_write_in_turn_are_told_together() -> None:
    made = of_ranks(*IN_TURN)
    path = summarise(made).path
    assert path is not None
    assert [(row.rank, row.seconds) for row in path.calls] == [(0, 100e-9), (1, 99e-9)]
    assert path.turns == 1
    assert "2 ranks are in I/O calls one after another, 199 ns in all, while the others wait" in said(made)


def test_ranks_that_write_at_the_same_time_are_no_serial_work() -> None:
    summary = summarise(of_ranks(*TOGETHER))
    assert summary.path is not None and summary.path.io_s == pytest.approx(100e-9)
    assert "waits" not in said(of_ranks(*TOGETHER))


def test_what_is_not_on_the_path_costs_no_time() -> None:
    """Rank 1 writes while all wait for rank 0, which computes."""
    rows = [
        [meets("MPI_Barrier", 1000, 1010)],
        [call("pwrite", 0, 500), meets("MPI_Barrier", 500, 1010)],
    ]
    summary = summarise(of_ranks(*rows))
    assert summary.path is not None and summary.path.io_s == 0
    assert nothing_stands_out(summary) == "Nothing: I/O calls take 0 % of the critical path."


def test_waits_inside_a_library_are_no_time_of_its_calls() -> None:
    """Rank 0 is in MPI_File_open all the time, and waits there for rank 1."""
    rows = [
        [meets("MPI_Barrier", 10, 100, level=1), call("MPI_File_open", 0, 110)],
        [call("pread", 0, 90, file=GATHERED), meets("MPI_Barrier", 90, 100)],
    ]
    path = summarise(of_ranks(*rows)).path
    assert path is not None
    found = {row.name: row.seconds for row in path.calls}
    assert found == {"pread": 90e-9, "MPI_File_open": 20e-9}


def test_there_is_no_path_where_nobody_knows_who_waited() -> None:
    made = of_ranks(*ONE_FLUSHES)
    assert summarise(replace(made, communicators=("", ""))).path is None
    assert summarise(replace(made, ranked=False)).path is None
    assert summarise(of_ranks(ONE_FLUSHES[0])).path is None


def test_syncs_of_one_rank_count_by_their_share_of_the_path() -> None:
    """A tenth of the time in I/O calls over all ranks, but half of the path."""
    busy = [call("pwrite", 0, 3000), meets("MPI_Barrier", 3000, 3001)]
    rows = [
        [call("fsync", 0, 3100), meets("MPI_Barrier", 3100, 3101)],
        *([[*busy[:1], meets("MPI_Barrier", 3000, 3101)]] * 9),
    ]
    assert "1 sync takes 100 % of the time in I/O calls on the critical path" in said(of_ranks(*rows))


def test_a_slow_rank_is_told_with_what_it_did_more_of() -> None:
    def ranks(*extra: CallRow) -> list[CallRow]:
        return [*(call("pwrite", 10 * i, 10 * i + 10) for i in range(10)), *extra]

    made = of_ranks(ranks(*(call("pread", 100 + 50 * i, 150 + 50 * i) for i in range(20))), ranks(), ranks())
    assert "The difference is largest in pread: 20 calls in 1.00 µs, against 0 in 0 ns." in said(made)


def test_a_section_of_the_page_lists_its_longest_calls() -> None:
    part = section(summarise(of_ranks(*ONE_FLUSHES)))
    assert part is not None and part.table is not None
    assert part.table.rows[0] == ["0", "fflush", "/data/a", "2,000", "180 µs", "90 %", "180 µs"]
    assert section(summarise(of_ranks(ONE_FLUSHES[0]))) is None


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[list[CallRow]], int, int]:
    """Ranks that write and meet in turn; the time of the critical path, and of its I/O."""
    ranks, rounds = draw(st.integers(2, 4)), draw(st.integers(1, 5))
    rows: list[list[CallRow]] = [[] for _ in range(ranks)]
    now = io = 0
    for _ in range(rounds):
        took = draw(st.lists(st.integers(1, 50), min_size=ranks, max_size=ranks, unique=True))
        works = [draw(st.integers(1, one)) for one in took]
        came = [now + one for one in took]
        last = int(np.argmax(came))
        io += works[last]
        for rank in range(ranks):
            rows[rank].append(call("pwrite", now, now + works[rank]))
            rows[rank].append(meets("MPI_Barrier", came[rank], came[last]))
        now = came[last]
    return rows, now, io


@random_cases(200)
@given(programs())
def test_the_path_adds_up(made: tuple[list[list[CallRow]], int, int]) -> None:
    rows, length, io = made
    path = summarise(of_ranks(*rows)).path
    assert path is not None
    assert path.length_s == pytest.approx(length / 1e9)
    assert sum(rank.seconds for rank in path.ranks) == pytest.approx(path.length_s)
    assert path.io_s == pytest.approx(io / 1e9)

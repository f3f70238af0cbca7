"""The critical path of traces that tell whom ranks waited for, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_trace import CallRow
from random_cases import random_cases
from weir.explain.rule import answers_on, nothing_stands_out
from weir.explain.sections.critical_path import section
from weir.explain.summarise import summarise

from ..answers import by_question, evidence_of, seconds_of
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


def test_what_one_rank_does_while_others_wait_counts_fully_and_is_named() -> None:
    summary = summarise(of_ranks(*ONE_FLUSHES))
    found = by_question(summary)
    (serial,), (flushes,) = found["serial"], found["flushes"]
    assert (serial.subject, serial.action) == (("rank 0", "a"), "share-out")
    assert serial.words == {"calls": "2,000 fflush"}
    assert evidence_of(serial) == {
        "in I/O calls while others wait": pytest.approx(200e-6),
        "ranks that wait": 1,
        "2,000 fflush": pytest.approx(180e-6),
        "2,000 fwrite": pytest.approx(20e-6),
    }
    assert evidence_of(flushes) == {
        "flushes": 2000,
        "writes to streams": 2000,
        "mean write": 8,
        "flushes over all ranks": pytest.approx(180e-6),
    }
    assert summary.share_of_path == pytest.approx(1, rel=1e-3)
    assert seconds_of(answers_on(summary)[0]) == pytest.approx(200e-6)


def test_ranks_that_write_in_turn_are_told_together() -> None:
    made = of_ranks(*IN_TURN)
    path = summarise(made).path
    assert path is not None
    assert [(row.rank, row.seconds) for row in path.calls] == [(0, 100e-9), (1, 99e-9)]
    assert path.turns == 1
    (serial,) = by_question(summarise(made))["serial"]
    assert (serial.subject[0], serial.action) == ("2 ranks in turn", "at-once")
    assert seconds_of(serial) == pytest.approx(199e-9)


def test_ranks_that_write_at_the_same_time_are_no_serial_work() -> None:
    summary = summarise(of_ranks(*TOGETHER))
    assert summary.path is not None and summary.path.io_s == pytest.approx(100e-9)
    assert "serial" not in by_question(summary)


def test_what_is_not_on_the_path_costs_no_time() -> None:
    """Rank 1 writes while all wait for rank 0, which computes."""
    rows = [
        [meets("MPI_Barrier", 1000, 1010)],
        [call("pwrite", 0, 500), meets("MPI_Barrier", 500, 1010)],
    ]
    summary = summarise(of_ranks(*rows))
    assert summary.path is not None and summary.path.io_s == 0
    assert nothing_stands_out(summary) == "nothing stands out; 0 % of the critical path in I/O"


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
    (found,) = by_question(summarise(of_ranks(*rows)))["syncs"]
    known = evidence_of(found)
    assert (known["syncs"], known["share of I/O on the critical path"]) == (1, 1)


def test_a_slow_rank_is_told_with_what_it_did_more_of() -> None:
    def ranks(*extra: CallRow) -> list[CallRow]:
        return [*(call("pwrite", 10 * i, 10 * i + 10) for i in range(10)), *extra]

    made = of_ranks(ranks(*(call("pread", 100 + 50 * i, 150 + 50 * i) for i in range(20))), ranks(), ranks())
    (found,) = by_question(summarise(made))["slow_ranks"]
    known = evidence_of(found)
    assert (known["its calls of pread"], known["mean calls of pread of the others"]) == (20, 0)
    assert known["its time in pread"] == pytest.approx(1e-6)
    assert known["mean time in pread of the others"] == 0


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

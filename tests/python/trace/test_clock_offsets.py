"""Traces of several hosts whose clocks differ."""

from pathlib import Path

import numpy as np
import pytest

from weir.trace.load import load_trace
from weir.trace.model import Trace
from weir.trace.stream import RECORD

from .synthetic import names_table, stream_head, write_facts

BARRIER, SEND, WRITE, ALLREDUCE = 1, 2, 3, 4
NAMES = ["MPI MPI_Barrier communicate", "MPI MPI_Send communicate", "POSIX pwrite write"]
NAMES += ["MPI MPI_Allreduce communicate"]
BEGAN = 10**18
S, MS, US = 10**9, 10**6, 10**3

Call = tuple[int, int, int, int]
"""Its number, begin and end since the run began by the true time, in ns, and its length."""


def write_rank(  # noqa: PLR0913 (what is known of a rank)
    folder: Path, rank: int, host: str, wrong_ns: int, calls: list[Call], *, of: str = "0-3", thread: int = 1
) -> None:
    """What a rank would have recorded on a host whose clock is ahead by so much."""
    prefix = f"{folder}/{host}-{rank}-0"
    facts = {"weir_trace": 1, "process": rank, "host": host, "rank": rank, "command": "app"}
    times = {"real_ns": BEGAN + wrong_ns, "monotonic_ns": 7 * rank}
    ends = {"end_real_ns": BEGAN + wrong_ns + 20 * S, "end_monotonic_ns": 7 * rank + 20 * S}
    write_facts(prefix, facts | times, ends)
    texts = [(1, number + 1, 0, text) for number, text in enumerate(NAMES)] + [(2, 1, 0, "/data/a")]
    Path(f"{prefix}.names").write_bytes(names_table([*texts, (3, 2, 0, of)]))
    head = stream_head(rank, 0, 7 * rank, thread=thread)
    rows = [(b, e, -1, n, n, 1 if call == WRITE else 2, call, 0, 1) for call, b, e, n in calls]
    Path(f"{prefix}.{thread}.records").write_bytes(head + np.array(rows, RECORD).tobytes())


def barrier(entered: list[int], took: int = 10 * US, number: int = BARRIER, length: int = 0) -> list[Call]:
    """Of each rank: all leave when the last has entered, and so much later."""
    return [(number, begin, max(entered) + took, length) for begin in entered]


def two_hosts(folder: Path, wrong_ns: int, collectives: list[list[Call]], of: str = "0-3") -> Trace:
    """Ranks 0 and 1 on `a`, 2 and 3 on `b`, whose clock is ahead; each writes 1 ms after the run began."""
    for rank in range(4):
        wrote = [(WRITE, MS, 2 * MS, 100)]
        calls = wrote + [collective[rank] for collective in collectives]
        write_rank(folder, rank, "ab"[rank // 2], wrong_ns * (rank // 2), calls, of=of)
    return load_trace(folder)


COLLECTIVES = [
    barrier([3 * S, 3 * S, 3 * S + MS, 3 * S]),
    barrier([5 * S, 5 * S + 2 * MS, 5 * S, 5 * S]),
    barrier([9 * S] * 4, 15 * US, ALLREDUCE, 8),
]


@pytest.mark.parametrize("wrong_ns", [2 * S, -3 * S, 500 * MS])
def test_clocks_that_were_wrong_are_put_right_by_what_all_waited_for(tmp_path: Path, wrong_ns: int) -> None:
    trace = two_hosts(tmp_path, wrong_ns, COLLECTIVES)
    for lane in trace.lanes:
        times = lane.clock.ns_at(lane.records["begin_ticks"])
        assert times[0] == pytest.approx(MS, abs=20 * US), "within the bound that is told"
    assert trace.run_ns == pytest.approx(20 * S, abs=20 * US)
    assert trace.began_real_ns == pytest.approx(BEGAN, abs=20 * US)
    (note,) = trace.notes
    way = "back" if wrong_ns > 0 else "forward"
    assert "Clocks of 2 hosts were compared by 3 collectives" in note and f"b's set {way} by" in note
    assert note.endswith("times of different hosts agree to within 10.0 µs.")


def first_begins(trace: Trace) -> list[int]:
    return [int(lane.clock.ns_at(lane.records["begin_ticks"][:1])[0]) for lane in trace.lanes]


def test_clocks_that_agree_are_left_alone(tmp_path: Path) -> None:
    trace = two_hosts(tmp_path, 3 * US, COLLECTIVES)
    assert first_begins(trace) == [MS, MS, MS + 3 * US, MS + 3 * US]
    assert "and needed no correction" in trace.notes[0]


@pytest.mark.parametrize(
    "collectives",
    [[], [barrier([3 * S] * 4, number=SEND, length=8)], [barrier([3 * S] * 4, number=ALLREDUCE)]],
    ids=["none", "not of all", "of nothing"],
)
def test_clocks_that_nothing_compares_are_said_to_be_so(
    tmp_path: Path, collectives: list[list[Call]]
) -> None:
    trace = two_hosts(tmp_path, 2 * S, collectives)
    assert first_begins(trace) == [MS, MS, MS + 2 * S, MS + 2 * S]
    assert trace.notes[0].startswith("Times of 2 hosts are those of their own clocks")


LATE = [(number, b + 5 * S, e + 5 * S, n) for number, b, e, n in COLLECTIVES[2][2:]]


@pytest.mark.parametrize(
    ("wrong_ns", "collectives", "of", "told"),
    [
        pytest.param(2 * S, COLLECTIVES, "0-2", "could not be compared", id="calls of some ranks"),
        pytest.param(
            *(2 * S, [COLLECTIVES[0], [*COLLECTIVES[1][:3], COLLECTIVES[2][3]], COLLECTIVES[2]]),
            *("0-3", "compared by 1 collective of"),
            id="only what all ranks did alike",
        ),
        pytest.param(
            *(0, [*COLLECTIVES[:2], [*COLLECTIVES[2][:2], *LATE]], "0-3", "clocks drifted"), id="run apart"
        ),
    ],
)
def test_what_compares_and_what_does_not(
    tmp_path: Path, wrong_ns: int, collectives: list[list[Call]], of: str, told: str
) -> None:
    assert told in two_hosts(tmp_path, wrong_ns, collectives, of).notes[0]


def test_calls_of_several_threads_of_a_rank_compare_nothing(tmp_path: Path) -> None:
    two_hosts(tmp_path, 2 * S, COLLECTIVES)
    write_rank(tmp_path, 3, "b", 2 * S, [barrier([4 * S] * 4)[3]], thread=2)
    assert "could not be compared" in load_trace(tmp_path).notes[0]


def test_a_trace_of_one_host_has_no_word_on_clocks(tmp_path: Path) -> None:
    for rank in range(2):
        write_rank(tmp_path, rank, "a", 0, [(WRITE, MS, 2 * MS, 100)])
    assert load_trace(tmp_path).notes == ()

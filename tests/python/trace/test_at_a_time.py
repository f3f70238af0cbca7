"""How many threads of a rank ran at a time, and what shares of the run are shares of."""

from pathlib import Path

import pytest

from weir.explain.summarise import summarise
from weir.trace.load import load_trace

from .test_load import write_process


def shells(folder: Path, *, second_us: int) -> Path:
    """Each of two ranks is a shell of 100 us that starts a program of 30 us after 10 us, and another one.
    Each program writes for 20 us. A process's number is when it began."""
    for rank in (0, 1):
        shell = 1 + rank
        write_process(folder, shell, rank, [(0, 2, 0, 1, 1)], parent=1000, **ended(shell + 100))
        for program in (shell + 10, shell + second_us):
            write = (0, 40_000, 0, 8, 1)
            write_process(folder, program, rank, [write], parent=shell, **ended(program + 30))
    return folder


def ended(at_us: int) -> dict[str, int]:
    return {"end_real_ns": 10**18 + 1000 * at_us}


def test_programs_of_a_rank_that_follow_each_other_are_no_threads(tmp_path: Path) -> None:
    trace = load_trace(shells(tmp_path, second_us=50))
    assert len(trace.lanes) == 6 and trace.at_a_time == pytest.approx(2)
    summary = summarise(trace)
    (transfer,) = summary.transfers
    assert summary.share_of_run == pytest.approx(transfer.per_rank_s / summary.head.run_s, rel=0.01)
    assert transfer.mean_bytes_per_s == pytest.approx(transfer.bytes / transfer.per_rank_s)
    assert transfer.slowest_s == pytest.approx(40e-6, rel=0.01), "a rank's, which both of its programs took"
    assert "slowest rank" in summary.bandwidth


def test_no_rank_is_there_longer_than_the_run(tmp_path: Path) -> None:
    summary = summarise(load_trace(shells(tmp_path, second_us=50)))
    (whole,) = summary.profile.phases
    assert whole.max_s <= summary.head.run_s


def test_programs_beside_each_other_count_by_their_number_at_a_time(tmp_path: Path) -> None:
    trace = load_trace(shells(tmp_path, second_us=20))
    # The shell waits from 10 to 50 us, in which its programs are there for 30 us each.
    assert trace.threads_at_a_time == pytest.approx({0: 1.2, 1: 1.2})
    assert trace.at_a_time == pytest.approx(2.4)

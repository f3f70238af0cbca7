"""Very many ranks: what they do alike is said once, and each one's own stays exactly what it was."""

from pathlib import Path

import numpy as np
import pytest

from weir.trace.model import Trace
from weir.trace.pattern.describe import steps_of
from weir.trace.pattern.operations.operation import RankTimes, running_max
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.steps.step import One, Step
from weir.trace.pattern.write import write_pattern

from .expansion import expand, original_names
from .test_exact import check
from .traces import CREATE, READ_ONLY, Recording

PIECE = 65_536


def trace(ranks: int, turns: int) -> Trace:
    """All ranks at a time write 24 bytes each and then, turn by turn, pieces into a shared file; then each
    writes pieces into a file of its own, one after the other, and reads them back."""
    recording = Recording(ranks)
    for part, (kind, flags) in enumerate((("write", CREATE), ("write", CREATE), ("read", READ_ONLY))):
        begin = recording.now
        for rank in range(ranks):
            pieces = [(kind, PIECE * turn, PIECE) for turn in range(turns)]
            if part == 0:
                pieces = [(kind, (24 + at) * ranks + PIECE * rank, PIECE) for _, at, _ in pieces]
                pieces.insert(0, (kind, 24 * rank, 24))
            recording.now = begin + rank % 100  # each a little late
            recording.session(rank, f"/d/own.{rank}" if part else "/d/shared", *pieces, flags=flags)
        recording.barrier()
    return recording.trace()


def test_a_thousand_ranks_are_as_many_steps_as_one() -> None:
    one, many = (recognise(trace(ranks, 5)) for ranks in (4, 1000))
    assert [phase.name for phase in many.phases] == ["write 1", "write 2", "read 1"]
    assert [steps_of(phase.steps) for phase in many.phases] == [steps_of(p.steps) for p in one.phases]
    assert all(len(step.ranks) == 1000 for phase in many.phases for step in ones(phase.steps))
    assert many.operations == 1000 * (3 * 2 + 1 + 3 * 5)


def ones(steps: list[Step]) -> list[One]:
    assert all(isinstance(step, One) for step in steps)
    return [step for step in steps if isinstance(step, One)]


def test_what_many_ranks_did_is_what_the_pattern_says(tmp_path: Path) -> None:
    ranks, turns = 150, 3
    found = recognise(trace(ranks, turns))
    write_pattern(found, tmp_path / "P.json")
    for rank, own in enumerate(expand(tmp_path / "P.json", ranks)):
        names = original_names(found, rank)
        moved = [(verb, names[file], at, n) for verb, file, at, n in own if verb in ("write", "read")]
        pieces = [(24 + PIECE * turn) * ranks + PIECE * rank for turn in range(turns)]
        places = [PIECE * turn for turn in range(turns)]
        assert moved == [
            ("write", "/d/shared", 24 * rank, 24),
            *(("write", "/d/shared", at, PIECE) for at in pieces),
            *(("write", f"/d/own.{rank}", at, PIECE) for at in places),
            *(("read", f"/d/own.{rank}", at, PIECE) for at in places),
        ]


@pytest.mark.parametrize("seed", range(8))
def test_ranks_that_differ_in_some_places_keep_their_own(seed: int) -> None:
    """Neighbouring transfers as near or as far as it comes, for few kinds of ranks and for each rank."""
    random = np.random.default_rng(seed)
    recording = Recording(40)
    calls = [random.integers(0, 4, 4).tolist() for _ in range(random.integers(2, 8))]
    for rank in range(recording.ranks):
        for file in ("/d/a", f"/d/own.{rank:03}"):
            recording.open(rank, file)
            kind = int(random.integers(0, 3)) if seed % 2 else 0
            for where, apart, times, kinds in calls:
                for turn in range(times):
                    at = 1000 * where + 8 * turn * apart + rank * [0, 8, 8 * apart][kinds % 3]
                    recording.write(rank, file, at + (kind if kinds == 3 else 0) * 64, 8)
            if rank % 7 == seed:
                recording.call(rank, "sync", file)
            recording.close(rank, file)
    check(recording)


def test_the_greatest_so_far_of_each_group() -> None:
    values, group = np.array([3, 1, 4, -5, -9, 2, 6, 0]), np.array([7, 7, 7, 2, 2, 2, 9, 9])
    assert running_max(values, group).tolist() == [3, 3, 4, -5, -5, 2, 6, 6]
    assert running_max(values[:0], group[:0]).tolist() == []


def test_moments_are_in_the_order_of_ranks_and_then_of_times() -> None:
    random = np.random.default_rng(2)
    rank, time = random.choice([-1, 4, 2**40], 50), random.choice([-(2**62), 0, 5, 2**62], 50)
    number = RankTimes([-1, 4, 7, 2**40], time).of(rank, time)
    order = np.lexsort((time, rank))
    rows = np.column_stack([rank, time])[order]
    assert np.array_equal(np.diff(number[order]) > 0, (np.diff(rows, axis=0) != 0).any(axis=1))
    assert (np.diff(number[order]) >= 0).all()

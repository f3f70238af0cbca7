"""Regular programs become few steps."""

from typing import Any

import numpy as np
import pytest

from weir.trace.names import Call
from weir.trace.pattern.describe import describe, steps_of
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.steps.step import One, Repeated

from .test_exact import check
from .traces import READ_ONLY, UPDATE, Recording

RANKS = 8


def recognised(recording: Recording, steps: list[int], **options: Any) -> Recognised:
    """Its pattern, which is exact and has so many steps in its phases."""
    check(recording)
    found = recognise(recording.trace(), **options)
    assert [steps_of(phase.steps) for phase in found.phases] == steps
    return found


def segments(*, shared: bool) -> Recording:
    """4 segments of 16 requests of 4 KiB, written and, after a barrier, read by the next rank."""
    recording = Recording(RANKS)
    for verb, flags, shift in (("write", UPDATE, 0), ("read", READ_ONLY, 1)):
        for rank in range(RANKS):
            part = (rank + shift) % RANKS if shared else rank
            name = "/s/data" if shared else f"/s/d{rank}/out.{rank:08}"
            places = [segment * RANKS + part if shared else segment for segment in range(4)]
            pieces = [(verb, (16 * place + turn) * 4096, 4096) for place in places for turn in range(16)]
            recording.session(rank, name, *pieces, flags=flags)
        recording.barrier()
    return recording


def test_segments_in_a_shared_file() -> None:
    found = recognised(segments(shared=True), [3, 4])
    assert [phase.name for phase in found.phases] == ["write 1", "read 1"]
    access = found.phases[0].steps[1]
    assert isinstance(access, One)
    assert access.what.levels == ((4, RANKS * 65536), (16, 4096))
    assert list(access.starts) == [65536 * rank for rank in range(RANKS)]
    last = found.phases[1].steps[2]  # the last rank reads the first part
    assert isinstance(last, One) and list(last.ranks) == [RANKS - 1]
    assert "each rank writes 64 requests of 4 KiB" in "\n".join(describe(found))


def test_a_file_of_each_process() -> None:
    found = recognised(segments(shared=False), [3, 3])
    (file,) = found.files
    assert (file.name, file.per_rank) == ("out", True)
    assert file.originals[3] == (3, "/s/d3/out.00000003")


def test_blocks_of_three_dimensional_arrays_are_one_step() -> None:
    recording, side, variables = Recording(RANKS), 8, 5
    block = side // 2
    for rank in range(RANKS):
        z, y, x = rank // 4 * block, rank // 2 % 2 * block, rank % 2 * block
        planes = [variable * side + z + a for variable in range(variables) for a in range(block)]
        rows = [plane * side + y + b for plane in planes for b in range(block)]
        pieces = [("write", 8 * (row * side + x), 8 * block) for row in rows]
        recording.session(rank, "/s/cloud", *pieces)
    found = recognised(recording, [3])
    assert "5 times that 4 KiB apart" in "\n".join(describe(found))


def test_dumps_with_a_header_are_one_loop() -> None:
    recording = Recording(RANKS)
    for dump in range(10):
        name = f"/s/dump{dump}"
        recording.open(range(RANKS), name)
        recording.write(0, name, 0, 100)
        for rank in range(RANKS):
            for variable in range(3):
                recording.write(rank, name, 4096 + variable * 80000 + rank * 1000, 1000)
            recording.close(rank, name)
    found = recognised(recording, [5])
    (loop,) = found.phases[0].steps
    assert isinstance(loop, Repeated) and loop.count == 10
    header = loop.body[1]
    assert isinstance(header, One) and list(header.ranks) == [0]
    assert header.what.advances == ((0, 1),)


def test_two_files_in_turn_are_a_loop() -> None:
    recording = Recording(2)
    for rank in range(2):
        for name in "ab":
            recording.open(rank, f"/s/{name}{rank}")
        for turn in range(100):
            recording.read(rank, f"/s/a{rank}", turn * 64, 64)
            recording.write(rank, f"/s/b{rank}", turn * 32, 32)
        for name in "ab":
            recording.close(rank, f"/s/{name}{rank}")
    found = recognised(recording, [7])
    assert len(found.files) == 2


def test_barriers_while_a_file_is_open_stay_in_the_loop() -> None:
    recording = Recording(4)
    recording.open(range(4), "/s/log")
    for turn in range(20):
        for rank in range(4):
            recording.write(rank, "/s/log", (turn * 4 + rank) * 10, 10)
        recording.barrier()
    recording.close(range(4), "/s/log")
    found = recognised(recording, [5])
    text = "\n".join(describe(found))
    assert "20 times:" in text and "barrier of all ranks" in text


def test_aggregators_are_a_set_of_ranks() -> None:
    recording = Recording(16)
    for rank in range(0, 16, 4):
        recording.session(rank, "/s/data", ("write", rank * 1000, 4000))
    found = recognised(recording, [3])
    step = found.phases[0].steps[1]
    assert isinstance(step, One) and list(step.ranks) == [0, 4, 8, 12]


def test_parts_of_unequal_size_are_one_list() -> None:
    recording = Recording(32)
    sizes = np.random.default_rng(3).integers(100, 1000, 32)
    for rank, (size, end) in enumerate(zip(sizes.tolist(), np.cumsum(sizes).tolist(), strict=True)):
        recording.session(rank, "/s/mesh", ("write", end - size, size))
    recognised(recording, [3])


def test_a_shuffled_order_is_a_list() -> None:
    recording = Recording(1)
    places = np.random.default_rng(1).permutation(500).tolist()
    recording.session(0, "/s/a", *(("read", place * 512, 512) for place in places))
    found = recognised(recording, [3])
    assert "in no regular order" in "\n".join(describe(found))


def test_a_long_period_of_random_places_is_found() -> None:
    recording = Recording(1)
    places = np.random.default_rng(2).permutation(300).tolist()
    pieces = [("write", (turn * 300 + place) * 64, 64) for turn in range(5) for place in places]
    recording.session(0, "/s/a", *pieces)
    recognised(recording, [4])


@pytest.mark.parametrize(("gaps", "steps"), [(1_000_000, 6), (None, 5), (100_000_000, 5)])
def test_computing_between_calls(gaps: int | None, steps: int) -> None:
    recording = Recording(1)
    recording.open(0, "/s/a")
    for turn in range(10):
        recording.write(0, "/s/a", turn * 100, 50)
        recording.write(0, "/s/a", turn * 100 + 50, 20)
        recording.pause(20_000_000 + turn * 100_000)
    recording.close(0, "/s/a")
    found = recognise(recording.trace(), None, gaps)
    assert sum(steps_of(phase.steps) for phase in found.phases) == steps
    assert len(found.computing) == (gaps == 1_000_000)


@pytest.mark.parametrize("gaps", [1_000_000, None])
def test_pauses_that_are_no_computing_are_told(gaps: int | None) -> None:
    """They would vanish in silence, and the program takes longer than its pattern."""
    recording = Recording(2)
    for rank in range(2):
        recording.open(rank, "/s/a")
        for turn in range(10):
            recording.pause(20_000_000 if turn == 5 else 300_000 * (1 + rank))
            recording.write(rank, "/s/a", (rank * 10 + turn) * 50, 50)
        recording.close(rank, "/s/a")
    found = recognise(recording.trace(), None, gaps)
    assert found.pauses_left_out_s == pytest.approx(9 * 600e-6 + (0 if gaps else 0.02), rel=1e-3)
    told = "5.40 ms of other pauses" if gaps else "25.4 ms of other pauses"
    assert any(told in line for line in describe(found))


def test_uneven_pauses_do_not_break_a_loop() -> None:
    recording = Recording(4)
    random = np.random.default_rng(7)
    for rank in range(4):
        recording.open(rank, "/s/a")
        for turn in range(200):
            recording.write(rank, "/s/a", (turn * 4 + rank) * 100, 100)
            pauses = [900_000, 1_500_000, 1_700_000, 40_000_000]
            recording.pause(int(random.choice(pauses, p=[0.1, 0.4, 0.4, 0.1])))
        recording.close(rank, "/s/a")
    found = recognised(recording, [6])
    assert [one.median_s for one in found.computing] == pytest.approx([1.6e-3], abs=2e-4)


def test_loops_deeper_than_a_pattern_may_have_them_are_exact() -> None:
    recording = Recording(1)

    def loop(depth: int, offset: int) -> None:
        for turn in range(3):
            place = offset + turn * 10 * 4**depth
            if depth:
                loop(depth - 1, place)
            recording.write(0, "/s/a", place, 1 + depth)

    recording.open(0, "/s/a")
    loop(8, 0)
    recording.close(0, "/s/a")
    check(recording)
    assert sum(steps_of(phase.steps) for phase in recognise(recording.trace()).phases) < 100


def test_files_that_were_open_before_are_no_reason_to_tell_ranks_apart() -> None:
    recording = Recording(4)
    for rank in range(4):
        for turn in range(50):
            recording.read(rank, "/s/all", (turn * 4 + rank) * 10, 10)
            recording.write(rank, f"/s/own.{rank}", turn * 10, 10)
    found = recognise(recording.trace())
    assert sum(steps_of(phase.steps) for phase in found.phases) <= 12


def test_waiting_for_others_is_no_computing() -> None:
    recording = Recording(2)
    for rank in range(2):
        recording.open(rank, "/s/a")
        recording.write(rank, "/s/a", rank * 10, 10)
    recording.barrier()
    recording.now += 10
    recording.close(range(2), "/s/a")
    assert recognise(recording.trace(), None, 500).computing == []


def test_calls_of_other_kinds_between_two_are_no_computing() -> None:
    recording = Recording(1)
    recording.open(0, "/s/a")
    recording.write(0, "/s/a", 0, 10)
    recording.pause(2_000_000)
    for _ in range(2):
        recording.call(0, "communicate", "", took=5_000_000, call=Call("MPI", "MPI_Sendrecv", "communicate"))
    recording.pause(1_000_000)
    recording.write(0, "/s/a", 10, 10)
    recording.close(0, "/s/a")
    (computing,) = recognise(recording.trace(), None, 1_000_000).computing
    assert computing.median_s == pytest.approx(3e-3, rel=1e-3)

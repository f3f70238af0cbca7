"""What becomes of calls that are not plain: nested, failed, short, without an open, and of names."""

import numpy as np
import pytest

from weir.trace.names import Call, File
from weir.trace.pattern.describe import describe
from weir.trace.pattern.nests import displacements, has_nest, nest_of
from weir.trace.pattern.operations.files import PlainNames
from weir.trace.pattern.operations.operation import Kind, Mode
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.steps.find_loops import fold
from weir.trace.pattern.steps.step import One

from .traces import O_DIRECTORY, O_PATH, READ_ONLY, UPDATE, Recording

POSIX_WRITE = Call("POSIX", "pwrite", "write")
POSIX_OPEN = Call("POSIX", "open", "open")


def ones(found: Recognised) -> list[One]:
    return [step for phase in found.phases for step in phase.steps if isinstance(step, One)]


def kinds(found: Recognised) -> list[tuple[str, int]]:
    names = ["read", "write", "close", "open", "sync", "preallocate", "compute", "barrier"]
    return [(names[one.what.kind], one.what.length) for one in ones(found)]


def test_calls_inside_others_are_left_to_them() -> None:
    recording = Recording(1, interface="MPI-IO")
    recording.now = 5
    recording.call(0, "open", "/s/a", level=1, call=POSIX_OPEN, took=1)
    recording.now = 0
    recording.call(0, "open", "/s/a", length=9, took=10)
    begin = recording.now
    for half in range(2):
        recording.now = begin + 10 + half
        recording.call(0, "write", "/s/a", half * 50, 50, level=1, call=POSIX_WRITE, took=1)
    recording.now = begin
    recording.write(0, "/s/a", 0, 100, took=100)
    recording.now = begin + 200
    recording.call(0, "write", "/s/a", 500, 9, call=POSIX_WRITE)  # later, by a thread of the library
    recording.close(0, "/s/a")
    trace = recording.trace()
    assert kinds(recognise(trace)) == [("open", 0), ("write", 100), ("close", 0)]
    assert recognise(trace).reasons == [
        "9 B that the program moved are not in the pattern: calls that MPI-IO made later, on its own account"
    ]
    written = [one for one in kinds(recognise(trace, "posix")) if one[0] == "write"]
    assert written == [("write", 50), ("write", 9)]


def test_what_failed_or_moved_nothing_is_left_out_and_counted() -> None:
    recording = Recording(1)
    recording.open(0, "/s/no", READ_ONLY)
    recording.rows[0][0] = (*recording.rows[0][0][:4], -2, *recording.rows[0][0][5:])
    recording.open(0, "/s/a", READ_ONLY)
    recording.read(0, "/s/a", 0, 100, result=60)
    recording.read(0, "/s/a", 60, 100, result=0)
    recording.close(0, "/s/a")
    recording.call(0, "stat", "/s/a")
    found = recognise(recording.trace())
    assert kinds(found) == [("open", 0), ("read", 60), ("close", 0)]
    assert found.left_out.counts == {
        "calls that failed": 1,
        "reads and writes that moved nothing": 1,
        "calls of stat": 1,
    }
    assert [found.files[number].name for number in found.needed] == ["a"]


def test_a_place_that_was_opened_and_not_the_file_is_no_file_of_the_pattern() -> None:
    recording = Recording(1)
    for name, flags in (("/s", READ_ONLY | O_PATH), ("/s/a", READ_ONLY | O_PATH), ("/s/a", READ_ONLY)):
        recording.open(0, name, flags)
        if flags == READ_ONLY:
            recording.read(0, name, 0, 8)
        recording.close(0, name)
    found = recognise(recording.trace())
    assert [one.name for one in found.files] == ["a"]
    assert found.left_out.counts["calls on directories, on places alone and on shared memory"] == 2
    assert ("read", 8) in kinds(found)


def test_a_file_that_was_no_directory_is_a_file_of_the_pattern() -> None:
    recording = Recording(1)
    for flags in (O_PATH | O_DIRECTORY, O_DIRECTORY, O_PATH):
        recording.call(0, "open", "/s/a", length=flags, result=-20)
    recording.session(0, "/s/a", ("write", 0, 8))
    found = recognise(recording.trace())
    assert kinds(found) == [("open", 0), ("write", 8), ("close", 0)]
    assert found.left_out.counts == {"calls that failed": 3} and found.exact


def test_calls_on_a_descriptor_that_another_interface_opened_are_the_program_s() -> None:
    recording = Recording(2)
    recording.open(0, "/s/out")
    recording.call(1, "write", "/s/out", 0, 8, call=Call("STDIO", "fwrite", "write"))
    recording.close(0, "/s/out")
    found = recognise(recording.trace())
    assert ("write", 8) in kinds(found) and found.needed == [] and found.exact


@pytest.mark.parametrize(("name", "offset"), [("/s/a", -1), ("", 0)])
def test_a_pattern_without_bytes_that_were_moved_is_not_exact(name: str, offset: int) -> None:
    recording = Recording(1)
    recording.session(0, "/s/b", ("write", 0, 8))
    recording.write(0, name, offset, 2048)
    found = recognise(recording.trace())
    assert not found.exact and "2 KiB that the program moved are not in the pattern" in found.reasons[0]
    assert f"Not exact: {found.reasons[0]}." in list(describe(found))


def test_a_file_is_open_once_and_closed_in_the_end() -> None:
    recording = Recording(1)
    recording.write(0, "/s/inherited", 0, 8)
    recording.open(0, "/s/a")
    recording.open(0, "/s/a", UPDATE)
    recording.close(0, "/s/a")
    recording.write(0, "/s/a", 0, 8)
    found = recognise(recording.trace())
    kinds_and_files = [(kind, file) for file in (0, 1) for kind in (3, 1, 2)]
    assert [(one.what.kind, one.what.file) for one in ones(found)] == kinds_and_files


def test_modes_by_flags_and_by_what_was_there_before() -> None:
    recording = Recording(2)
    for turn, flags in enumerate((0o102, 0o102, READ_ONLY, 0o1102)):
        for rank in range(2):
            recording.open(rank, "/s/a", flags)
            recording.call(rank, "read" if turn == 2 else "write", "/s/a", rank * 8, 8)
            recording.close(rank, "/s/a")
        recording.barrier()
    found = recognise(recording.trace())
    assert modes(found) == [Mode.CREATE, Mode.UPDATE, Mode.READ, Mode.CREATE]
    assert found.needed == []


def test_resizes_that_make_a_file_longer_reserve_it() -> None:
    recording = Recording(1)
    recording.open(0, "/s/a")
    recording.call(0, "resize", "/s/a", length=1000, result=0)
    recording.write(0, "/s/a", 0, 2000)
    recording.call(0, "resize", "/s/a", length=1500, result=0)
    recording.close(0, "/s/a")
    found = recognise(recording.trace())
    assert ("preallocate", 1000) in kinds(found) and ("preallocate", 1500) not in kinds(found)


def test_resizes_that_cut_a_file_reserve_nothing_but_those_of_all_ranks_stay() -> None:
    recording = Recording(2)
    recording.open(range(2), "/s/a", UPDATE)
    for length in (1500, 200, 1000):
        recording.call(range(2), "resize", "/s/a", length=length, result=0)
    steps = [one for one in ones(recognise(recording.trace())) if one.what.kind == Kind.PREALLOCATE]
    assert [(one.what.length, one.ranks.tolist()) for one in steps] == [(1500, [0, 1])]


def test_collective_calls_are_phases_apart() -> None:
    recording = Recording(2, interface="MPI-IO")
    recording.call(0, "open", "/s/head", length=0o102, result=3, call=POSIX_OPEN)
    recording.call(0, "write", "/s/head", 0, 10, call=POSIX_WRITE)
    recording.call(0, "close", "/s/head", call=Call("POSIX", "close", "close"))
    begin = recording.now
    for kind, offset, length in (("open", -1, 9), ("write", 0, 100), ("close", -1, 0)):
        for rank in range(2):
            recording.now = begin + rank
            at = offset + (kind == "write") * rank * 100
            recording.call(rank, kind, "/s/a", at, length, flags=1, took=50)
        begin += 100
    found = recognise(recording.trace())
    phases = [(phase.name, phase.collective) for phase in found.phases]
    assert phases == [("write 1", False), ("write 2", True)]


def test_collective_and_independent_requests_of_one_open_stay_what_they_are() -> None:
    recording = Recording(2, interface="MPI-IO")
    for kind, flags in (("open", 1), ("write", 1), ("write", 0), ("close", 1)):
        begin = recording.now
        for rank in range(2):
            recording.now = begin + rank
            recording.call(rank, kind, "/s/a", 100 * rank, 9, flags=flags, took=50)
    found = recognise(recording.trace())
    assert [phase.collective for phase in found.phases] == [False]
    assert [one.what.collective for one in ones(found) if one.what.moves] == [True, False]
    assert found.made_independent == 0
    assert "  each rank writes 1 collective request of 9 B in a" in list(describe(found))


def test_collective_requests_on_files_of_one_rank_become_independent_and_that_is_said() -> None:
    recording = Recording(2, interface="MPI-IO")
    for kind in ("open", "write", "close"):
        for rank in range(2):
            recording.call(rank, kind, f"/s/a.{rank}", 0, 9, flags=1)
    found = recognise(recording.trace())
    assert [phase.collective for phase in found.phases] == [False]
    assert not any(one.what.collective for one in ones(found))
    assert any(line.startswith("2 collective requests became independent") for line in describe(found))


def test_waiting_of_some_ranks_begins_no_phase() -> None:
    recording = Recording(4)
    for turn in range(2):
        for rank in range(4):
            recording.open(rank, f"/s/{turn}")
            recording.close(rank, f"/s/{turn}")
        if turn == 0:
            recording.barrier(range(2))
            recording.barrier(range(2, 4))
    assert len(recognise(recording.trace()).phases) == 1


def test_phases_are_called_what_the_program_calls_them() -> None:
    recording = Recording(2)
    for _ in range(2):
        began = recording.now
        recording.pause(5_000_000)
        for rank in range(2):
            recording.session(rank, "/s/a", ("write", rank * 8, 8))
        recording.barrier()
        recording.mark(0, "dump", began)
    found = recognise(recording.trace())
    assert [phase.name for phase in found.phases] == ["dump 1", "dump 2"]
    assert [one.count for one in found.computing] == [2]  # inside a mark there may be computing


def test_files_of_ranks_are_told_by_numbers_that_go_with_the_rank() -> None:
    recording = Recording(3)
    for dump in range(2):
        for rank in range(3):
            name = f"/s/p{rank + 1}/dump{dump}_pid{4000 + 7 * rank}.dat"
            recording.session(rank, name, ("write", 0, 8))
    found = recognise(recording.trace())
    files = [(file.name, file.per_rank) for file in found.files]
    assert files == [("dump0_pid.dat", True), ("dump1_pid.dat", True)]


def test_a_hundred_thousand_files_are_one_loop() -> None:
    count = 100_000
    recording = Recording(1)
    recording.session(0, "/s/f0", ("write", 0, 8))
    rows = recording.rows[0]
    recording.files += [File(f"/s/f{i}", 0) for i in range(1, count)]
    for i in range(1, count):
        for row in rows[:3]:
            rows.append((row[0] + 100 * i, row[1] + 100 * i, *row[2:5], 1 + i, *row[6:]))
    found = recognise(recording.trace())
    assert len(found.files) == count and len(found.phases[0].steps) == 1


def test_names_are_plain_and_each_there_once() -> None:
    plain = PlainNames()
    given = [plain.of(name) for name in ("a", "a", "a~2", "a.3", "Übung 1", "..", "x" * 400)]
    assert len(set(given)) == len(given)
    assert given[:2] == ["a", "a~2"] and given[3] == "a-3" and len(given[-1]) < 200
    assert all(name.isascii() and "/" not in name for name in given)


def test_nests_of_strides() -> None:
    assert nest_of(np.array([5])) == []
    assert nest_of(np.array([0, 10, 20, 100, 110, 120])) == [(2, 100), (3, 10)]
    assert nest_of(np.array([7, 7, 7])) == [(3, 0)]
    assert nest_of(np.array([0, 1, 5])) is None


@pytest.mark.parametrize("places", [1, 2, 3, 4, 7, 8, 12, 24, 36])
def test_whether_any_of_many_rows_is_a_nest(places: int) -> None:
    """All at once as one by one, of rows that are nests, nearly so, or nothing of the kind."""
    random = np.random.default_rng(places)
    counts = [[a, b, places // a // b] for a in range(1, places + 1) for b in range(1, places + 1)]
    counts = [some for some in counts if np.prod(some) == places]
    answers = set()
    for _ in range(300):
        rows = []
        for _ in range(int(random.integers(0, 4))):
            strides = random.choice([-8, 0, 1, 8, 2**40], 3).tolist()
            row = displacements(list(zip(counts[random.integers(len(counts))], strides, strict=True)))
            row[random.integers(places)] += random.choice([0, 1, 8])
            row[random.integers(places)] += random.choice([0, 1, 8])
            rows.append(row)
        found = has_nest(np.array(rows, np.int64).reshape(-1, places))
        assert found == any(nest_of(row) is not None for row in rows)
        answers.add(found)
    assert answers == {True, False}


def test_folding_ends_soon_where_nothing_repeats() -> None:
    random = np.random.default_rng(5)
    count = 50_000
    zeros = np.zeros(count, np.int64)
    sequence, _ = fold(zeros, random.integers(0, 3, count), random.permutation(count), zeros, 3)
    assert len(sequence) > count // 2


APPEND = 0o102
"""O_CREAT and no O_TRUNC."""


def modes(found: Recognised) -> list[Mode]:
    return [Mode(one.what.mode) for one in ones(found) if one.what.kind == Kind.OPEN]


def test_a_file_that_is_there_by_then_is_not_created_again() -> None:
    recording = Recording(1)
    for offset in (0, 8):
        recording.session(0, "/s/log", ("write", offset, 8), flags=APPEND)
    assert modes(recognise(recording.trace())) == [Mode.CREATE, Mode.UPDATE]


def test_a_file_that_is_read_before_it_is_written_was_there() -> None:
    recording = Recording(1)
    recording.session(0, "/s/state", ("write", 0, 8), ("read", 0, 100), flags=APPEND)
    found = recognise(recording.trace())
    assert modes(found) == [Mode.UPDATE]
    assert [found.files[number].name for number in found.needed] == ["state"]


def test_a_file_of_which_only_what_was_written_is_read_was_made() -> None:
    recording = Recording(2)
    recording.open(range(2), "/s/a", APPEND)
    recording.write(0, "/s/a", 0, 100)
    recording.read(1, "/s/a", 50, 50)
    recording.close(range(2), "/s/a")
    found = recognise(recording.trace())
    assert set(modes(found)) == {Mode.CREATE} and found.needed == []


def test_ranks_that_may_be_the_first_create_and_those_beyond_a_barrier_do_not() -> None:
    recording = Recording(3)
    for rank in (0, 1):
        recording.open(rank, "/s/a", APPEND)
        recording.write(rank, "/s/a", 8 * rank, 8)
    recording.barrier()
    recording.open(2, "/s/a", APPEND)
    recording.write(2, "/s/a", 16, 8)
    recording.close(range(3), "/s/a")
    found = recognise(recording.trace())
    opens = [one for one in ones(found) if one.what.kind == Kind.OPEN]
    by_rank = {rank: Mode(one.what.mode) for one in opens for rank in one.ranks.tolist()}
    assert by_rank == {0: Mode.CREATE, 1: Mode.CREATE, 2: Mode.UPDATE}


def test_a_file_that_a_phase_reads_and_then_makes_anew_is_not_taken_away_before() -> None:
    recording = Recording(2)
    recording.session(0, "/s/state", ("write", 0, 8))
    recording.barrier()
    recording.session(0, "/s/state", ("read", 0, 8), flags=READ_ONLY)
    recording.session(0, "/s/state", ("write", 0, 8))
    recording.barrier()
    recording.open(0, "/s/state")
    recording.close(0, "/s/state")
    found = recognise(recording.trace())
    assert len(found.phases) == 3 and found.needed == []
    assert modes(found) == [Mode.CREATE, Mode.READ, Mode.UPDATE, Mode.CREATE]


def test_a_pattern_of_files_that_were_mapped_is_not_exact() -> None:
    recording, mmap = Recording(1), Call("POSIX", "mmap", "map")
    recording.open(0, "/s/a")
    recording.call(0, "map", "/s/a", 0, 4096, result=0, call=mmap)
    recording.call(0, "map", "/s/a", 0, 4096, result=-22, call=mmap)
    recording.close(0, "/s/a")
    recording.call(0, "open", "/dev/shm/b", length=2, result=3, call=Call("POSIX", "shm_open", "open"))
    recording.call(0, "map", "/dev/shm/b", 0, 4096, result=0, call=mmap)
    found = recognise(recording.trace())
    assert found.reasons == [
        "1 time a file was mapped into memory: what the program moves through a mapping is no request, and "
        "not in the pattern"
    ]
    others = np.array([file.name != "/s/a" for file in recording.trace().files])
    assert recognise(recording.trace(), chosen=others).exact


def test_a_file_that_is_resized_by_its_name_after_it_was_closed_is_opened_for_that() -> None:
    recording = Recording(1)
    recording.session(0, "/s/a", ("write", 0, 100))
    for size in (5000, 6000):
        recording.call(0, "resize", "/s/a", length=size, result=0, call=Call("POSIX", "truncate", "resize"))
    recording.session(0, "/s/a", ("write", 0, 8), flags=UPDATE)
    found = recognise(recording.trace())
    session = [("open", 0), ("write", 100), ("close", 0)]
    resized = [("open", 0), ("preallocate", 5000), ("preallocate", 6000), ("close", 0)]
    assert kinds(found) == [*session, *resized, ("open", 0), ("write", 8), ("close", 0)]
    assert found.needed == [] and found.exact

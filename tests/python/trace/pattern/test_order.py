"""What a rank reads, others had written before; what it opens, others had created. So in the pattern."""

import csv
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from running import ended
from weir.pattern import Pattern, Step, numbers
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern

from .expansion import core_or_skip
from .traces import CREATE, READ_ONLY, UPDATE, Recording

KIB = 1024


def written(recording: Recording, folder: Path) -> Pattern:
    write_pattern(recognise(recording.trace()), folder / "P.json")
    return msgspec.json.decode((folder / "P.json").read_bytes(), type=Pattern)


def kinds(pattern: Pattern) -> list[str]:
    (phase,) = pattern.phases
    return [next(name for name, what in msgspec.structs.asdict(one).items() if what) for one in phase.steps]


def waiting(steps: list[Step], ranks: int) -> Iterator[set[int]]:
    """The ranks of each barrier, in the order in which they are made."""
    for step in steps:
        if step.repeat:
            for _ in range(step.repeat.count):
                yield from waiting(step.repeat.steps, ranks)
        elif step.barrier is not msgspec.UNSET:
            sets = step.barrier.ranks or []
            sets = sets if isinstance(sets, list) else [sets]
            yield {rank for one in sets for rank in numbers(one)} or set(range(ranks))


Known = dict[int, int]
"""Of each rank, how many of its operations are sure to have been made."""


def what_is_known(pattern: Pattern, path: Path) -> list[list[Known]]:
    """Of each rank's opens, reads and the like, what is sure to have been made before, in any run."""
    done = ended(core_or_skip(), "expand", path)
    assert done.returncode == 0, done.stderr
    rows: dict[str, list[list[str]]] = defaultdict(lambda: [[] for _ in range(pattern.ranks)])
    for row in csv.DictReader(done.stdout.splitlines()):
        rows[row["phase"]][int(row["rank"])].append(row["op"])
    found: list[list[Known]] = [[] for _ in range(pattern.ranks)]
    known: list[Known] = [dict.fromkeys(range(pattern.ranks), 0) for _ in range(pattern.ranks)]

    def together(ranks: set[int]) -> None:
        for rank in ranks:
            known[rank][rank] = len(found[rank])
        greatest = {one: max(known[rank][one] for rank in ranks) for one in range(pattern.ranks)}
        for rank in ranks:
            known[rank] = dict(greatest)

    for number, phase in enumerate(pattern.phases):
        of_ranks = rows.get(phase.name) or rows[str(number)]
        at = [0] * pattern.ranks

        def until_barrier(rank: int, of_ranks: list[list[str]] = of_ranks, at: list[int] = at) -> None:
            while at[rank] < len(of_ranks[rank]) and of_ranks[rank][at[rank]] != "barrier":
                if of_ranks[rank][at[rank]] != "compute":
                    found[rank].append(known[rank])
                at[rank] += 1

        for ranks in waiting(phase.steps, pattern.ranks):
            for rank in ranks:
                until_barrier(rank)
                at[rank] += 1
            together(ranks)
        for rank in range(pattern.ranks):
            until_barrier(rank)
        together(set(range(pattern.ranks)))
    return found


def needs(recording: Recording) -> Iterator[tuple[int, int, int, int]]:
    """A rank, the number of its read, and whose operation of which number must have been made before."""
    wrote: dict[tuple[int, int], tuple[int, int]] = {}
    rows = []
    for rank, own in enumerate(recording.rows):
        counted = 0
        for begin, _, offset, length, _, file, call, *_ in own:
            kind = recording.calls[call].kind
            if file and kind != "communicate":
                rows.append((begin, rank, counted, kind, file, offset, length))
                counted += 1
    for _, rank, number, kind, file, offset, length in sorted(rows):
        for byte in range(offset, offset + length, 8):
            if kind == "write":
                wrote[file, byte] = rank, number
            elif kind == "read" and wrote.get((file, byte), (rank, 0))[0] != rank:
                yield (rank, number, *wrote[file, byte])


def test_a_message_is_a_wait(tmp_path: Path) -> None:
    recording = Recording(3)
    recording.open(range(3), "f")
    for turn in range(8):
        recording.write(0, "f", turn * KIB, KIB)
    for turn in range(8):
        recording.read(2, "f", turn * KIB, KIB)
    recording.close(range(3), "f")
    pattern = written(recording, tmp_path)
    assert kinds(pattern) == ["open", "access", "barrier", "access", "close"]
    assert list(waiting(pattern.phases[0].steps, 3)) == [{0, 2}]


@pytest.mark.parametrize(("kind", "offset", "length"), [("resize", -1, 5000), ("write", 5000, 1)])
@pytest.mark.parametrize("between", [False, True])
def test_a_hole_is_read_after_the_file_reaches_beyond_it(
    kind: str, offset: int, length: int, between: bool, tmp_path: Path
) -> None:
    recording = Recording(2)
    recording.open(range(2), "f")
    if between:
        recording.barrier()
    recording.call(0, kind, "f", offset, length)
    recording.read(1, "f", 0, 100)
    recording.close(range(2), "f")
    barriers = list(waiting(written(recording, tmp_path).phases[0].steps, 2))
    assert barriers == [{0, 1}] * (1 + between)


def test_what_was_long_enough_needs_no_wait(tmp_path: Path) -> None:
    recording = Recording(2)
    recording.open(range(2), "f")
    recording.write(0, "f", 900, 100)
    recording.barrier()
    recording.write(0, "f", 5000, 100)
    recording.read(1, "f", 0, 1000)
    recording.write(1, "f", 6000, 100)
    recording.read(1, "f", 0, 3000)
    recording.close(range(2), "f")
    assert list(waiting(written(recording, tmp_path).phases[0].steps, 2)) == [{0, 1}]


def test_what_was_there_before_is_of_any_length(tmp_path: Path) -> None:
    recording = Recording(2)
    recording.open(range(2), "f", UPDATE)
    recording.write(0, "f", 5000, 1)
    recording.read(1, "f", 0, 100)
    recording.close(range(2), "f")
    assert "barrier" not in kinds(written(recording, tmp_path))


def test_an_inherited_file_is_opened_after_the_wait_for_its_creation(tmp_path: Path) -> None:
    """Rank 1 inherits b and a, writes b, and closes a at last, when rank 2 has written b too: the end of b on
    rank 1 is the moment before the open of a that the trace does not have."""
    recording = Recording(3)
    for name in "ab":
        recording.open(0, name)
    recording.write(1, "b", 0, 1)
    recording.write(2, "b", 1, 2)
    recording.close(1, "a")
    recording.read(0, "b", 0, 1)
    pattern = written(recording, tmp_path)
    known: Any = what_is_known(pattern, tmp_path / "P.json")
    done = ended(core_or_skip(), "expand", tmp_path / "P.json")
    own = [row for row in csv.DictReader(done.stdout.splitlines()) if row["op"] not in ("barrier", "compute")]
    ops = [[(row["op"], row["file"]) for row in own if row["rank"] == str(rank)] for rank in range(3)]
    opened = next(i for i, (op, file) in enumerate(ops[1]) if op.startswith("open") and file == "a")
    created = next(i for i, (op, file) in enumerate(ops[0]) if op.startswith("open") and file == "a")
    assert known[1][opened][0] > created


def test_ranks_that_read_their_own_do_not_wait(tmp_path: Path) -> None:
    recording = Recording(2)
    recording.open(range(2), "f")
    for kind in ("write", "read"):
        for turn in range(4):
            for rank in range(2):
                recording.call(rank, kind, "f", (2 * turn + rank) * KIB, KIB)
    recording.close(range(2), "f")
    assert kinds(written(recording, tmp_path)) == ["open", "access", "access", "close"]


@pytest.mark.parametrize(("place", "writer"), [(0, 0), (2, 1), (5, 0)])
def test_of_what_is_written_over_in_part_the_rest_has_its_first_writer(
    place: int, writer: int, tmp_path: Path
) -> None:
    recording = Recording(3)
    recording.open(range(3), "f")
    recording.write(0, "f", 0, 8 * KIB)
    recording.write(1, "f", 2 * KIB, KIB)
    recording.read(2, "f", place * KIB, KIB)
    recording.close(range(3), "f")
    pattern = written(recording, tmp_path)
    assert list(waiting(pattern.phases[0].steps, 3)) == [{writer, 2}]


def test_a_file_is_created_before_another_rank_opens_it(tmp_path: Path) -> None:
    recording = Recording(2)
    recording.open(0, "f", CREATE)
    recording.write(0, "f", 0, KIB)
    recording.open(1, "f", READ_ONLY)
    recording.close(0, "f")
    recording.close(1, "f")
    assert kinds(written(recording, tmp_path)) == ["open", "access", "close", "barrier", "open", "close"]


def test_what_was_there_before_needs_no_wait(tmp_path: Path) -> None:
    recording = Recording(2)
    for rank in range(2):
        recording.open(rank, "f", READ_ONLY)
        recording.read(rank, "f", rank * KIB, KIB)
        recording.close(rank, "f")
    assert "barrier" not in kinds(written(recording, tmp_path))


@pytest.mark.parametrize("seed", range(25))
def test_every_read_comes_after_its_write(seed: int, tmp_path: Path) -> None:
    drawn = random.Random(seed)
    ranks = drawn.randint(2, 4)
    recording = Recording(ranks)
    names = ["a", "b"][: drawn.randint(1, 2)]
    for name in names:
        recording.open(range(ranks), name)
    for _ in range(drawn.randint(1, 12)):
        if drawn.random() < 0.15:
            recording.barrier()
            continue
        rank, kind, name = drawn.randrange(ranks), drawn.choice(["read", "write"]), drawn.choice(names)
        place, stride = 8 * drawn.randrange(16), 8 * drawn.randrange(1, 5)
        for turn in range(drawn.randint(1, 5)):
            recording.call(rank, kind, name, place + turn * stride, drawn.choice([8, 8, 24]))
    for name in names:
        recording.close(range(ranks), name)
    known: Any = what_is_known(written(recording, tmp_path), tmp_path / "P.json")
    for rank, number, other, before in needs(recording):
        assert known[rank][number][other] > before

"""`random_plans.py FIRST LAST`, on ranks: the random cases of these seeds. Each writes arrays into a file by
one plan, and reads them by another, whose ranks are in another order; NumPy says what the file, and then each
buffer, must hold."""

import math
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from mpi4py import MPI

import weir_array as wa

WORLD = MPI.COMM_WORLD
COMM = WORLD
"""The same ranks, as the plan in hand has them."""
RANKS = range(COMM.size)
EXTENTS = [1, 1, 2, 3, 5, 7, 8, 11, 13, 17]
TYPES = ["u1", "i2", "f4", "f8", "c16", "S1", "S3", "S13"]
OPTIONS: dict[str, list[object]] = {
    "method": ["independent", "gather", "two_phase", "grouped"],
    "exchange": ["shared_memory", "messages"],
    "group": [1, 2, 3],
    "target": ["1B", "64B"],
    "writers": [1, 2, 3, 9],
    "readers": [1, 2, 7],
    "memory": ["512KiB", "1MiB"],
    "window": ["1B", "7B", "64B", "4096B"],
    "align": ["1B", "13B", "512B"],
    "node_size": [1, 2, 3],
    "thread": ["yes"],
    "safe": ["yes"],
    "async": ["yes"],
    "sync": ["no"],
}


@dataclass
class Whole:
    """An array in the file."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    order: wa.array.Order

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def places(self) -> np.ndarray:
        """Of its elements, in the file."""
        return np.arange(self.elements).reshape(self.shape, order=self.order)


@dataclass
class Held:
    """What this rank has of an array: its elements' places in the file, as they lie in the buffer, and the
    ghosts around them."""

    array: wa.Array
    places: np.ndarray
    memory_order: wa.array.Order = "C"
    ghosts: tuple[list[int], list[int]] | None = None

    def buffer(self, fill: np.generic, values: np.ndarray | None) -> np.ndarray:
        """With the array's values at the places, if there are some, and `fill` anywhere else."""
        made = self.array.empty(COMM)
        made[...] = fill
        own = made
        if self.ghosts:
            around = zip(*self.ghosts, made.shape, strict=True)
            own = made[tuple(slice(before, end - after) for before, after, end in around)]
        flat = own.ndim != self.places.ndim
        places = self.places.ravel(order=self.memory_order) if flat else self.places
        assert own.shape == places.shape, (own.shape, places.shape)
        if values is not None:
            own[...] = values[places]
        return made


def reorder(draw: Random) -> None:
    """The ranks of plans from now on: in an order of their own, so that neighbours lie on other nodes."""
    global COMM  # noqa: PLW0603 - each case has its own, and each function its rank in it
    order = draw.sample(RANKS, len(RANKS))
    if COMM != WORLD:
        COMM.Free()
    COMM = WORLD.Split(0, order[WORLD.rank])


def grid_of(draw: Random, dims: int) -> list[int]:
    grid = [1] * dims
    left = COMM.size
    *others, last = draw.sample(range(dims), dims)
    for along in others:
        grid[along] = draw.choice([n for n in range(1, left + 1) if left % n == 0])
        left //= grid[along]
    grid[last] = left
    return grid


def part_of(extent: int, ranks: int, rank: int) -> slice:
    each, more = divmod(extent, ranks)
    start = rank * each + min(rank, more)
    return slice(start, start + each + (rank < more))


def in_blocks(draw: Random, whole: Whole, holes: bool) -> Held:
    grid = grid_of(draw, len(whole.shape))
    array = wa.block(whole.shape, whole.dtype, grid, order=whole.order)
    at = np.unravel_index(COMM.rank, grid)
    own = tuple(part_of(*one) for one in zip(whole.shape, grid, map(int, at), strict=True))
    held = Held(array, whole.places[own], whole.order)
    if draw.random() < 0.4:
        held.ghosts = tuple([draw.randint(0, 2) for _ in grid] for _ in range(2))  # type: ignore[assignment]
        array.ghosts(*held.ghosts)
    if draw.random() < 0.3:
        held.memory_order = "F" if whole.order == "C" else "C"
        array.memory_order(held.memory_order)
    return held


def in_cycles(draw: Random, whole: Whole, holes: bool) -> Held:
    grid = grid_of(draw, len(whole.shape))
    blocks = [draw.choice([1, 2, 3, 7]) for _ in grid]
    array = wa.block_cyclic(whole.shape, blocks, whole.dtype, grid, order=whole.order)
    at = np.unravel_index(COMM.rank, grid)
    along = zip(whole.shape, blocks, grid, at, strict=True)
    own = [np.flatnonzero(np.arange(n) // block % ranks == rank) for n, block, ranks, rank in along]
    return Held(array, whole.places[np.ix_(*own)], whole.order)


def in_boxes(draw: Random, whole: Whole, holes: bool) -> Held:
    boxes = [tuple(slice(0, n) for n in whole.shape)]
    for _ in range(draw.randint(0, 8)):
        box = boxes.pop(draw.randrange(len(boxes)))
        along = draw.randrange(len(box))
        cut = draw.randint(box[along].start, box[along].stop)
        for part in (slice(box[along].start, cut), slice(cut, box[along].stop)):
            boxes.append((*box[:along], part, *box[along + 1 :]))
    owners = [draw.choice([*RANKS, None] if holes else RANKS) for _ in boxes]
    mine = [box for box, owner in zip(boxes, owners, strict=True) if owner == COMM.rank]
    starts = [[one.start for one in box] for box in mine]
    counts = [[one.stop - one.start for one in box] for box in mine]
    places = [whole.places[box].ravel(order=whole.order) for box in mine]
    array = wa.boxes(whole.shape, starts, counts, whole.dtype, order=whole.order)
    return Held(array, np.concatenate([np.zeros(0, int), *places]))


def in_pieces(draw: Random, whole: Whole, holes: bool) -> Held:
    ends = sorted(draw.randint(0, whole.elements) for _ in range(draw.randint(0, 12)))
    pieces = list(zip([0, *ends], [*ends, whole.elements], strict=True))
    draw.shuffle(pieces)
    owners = [draw.choice([*RANKS, None] if holes else RANKS) for _ in pieces]
    mine = [piece for piece, owner in zip(pieces, owners, strict=True) if owner == COMM.rank]
    starts, lengths = [start for start, _ in mine], [end - start for start, end in mine]
    array = wa.pieces(whole.elements, starts, whole.dtype, lengths)
    return Held(array, np.concatenate([np.zeros(0, int), *(np.arange(*piece) for piece in mine)]))


def replicated(draw: Random, whole: Whole, holes: bool) -> Held:
    return Held(wa.replicated(whole.elements, whole.dtype), np.arange(whole.elements))


Way = Callable[[Random, Whole, bool], Held]
COVERING: list[Way] = [in_blocks, in_blocks, in_cycles, in_boxes, in_pieces, replicated]
WITH_HOLES: list[Way] = [in_boxes, in_pieces]


def options_of(draw: Random) -> list[str]:
    return [f"{name}={draw.choice(values)}" for name, values in OPTIONS.items() if draw.random() < 0.25]


def elements_of(bytes_: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    return np.frombuffer(bytes_.tobytes(), dtype)


@dataclass
class Case:
    """What is written, and where, and what the file must hold then."""

    draw: Random
    numbers: np.random.Generator
    path: Path
    told: list[str]
    """What was drawn, for whoever looks for the fault."""

    def bytes_(self, count: int) -> np.ndarray:
        return self.numbers.integers(1, 255, count, dtype=np.uint8)

    def run(self) -> list[str]:
        draw = self.draw
        offset, old = draw.choice([0, 0, 1, 7, 512, 1000]), self.bytes_(draw.choice([0, 0, 1, 50, 5000]))
        if WORLD.rank == 0 and old.size:
            self.path.write_bytes(old.tobytes())
        WORLD.barrier()
        wholes = []
        for _ in range(draw.randint(1, 3)):
            extents = EXTENTS if draw.random() < 0.8 else [0, *EXTENTS]
            shape = tuple(draw.choice(extents) for _ in range(draw.randint(1, 4)))
            wholes.append(Whole(shape, np.dtype(draw.choice(TYPES)), draw.choice(["C", "F"])))
        size = sum(whole.elements * whole.dtype.itemsize for whole in wholes)
        end = offset + size if size else 0
        expected = np.zeros(max(end, old.size), np.uint8)
        expected[: old.size] = old
        reorder(draw)
        checks = self.write(wholes, offset, expected)
        wrong = self.differences(expected)
        reorder(draw)
        wrong += self.read(wholes, offset, expected, checks)
        return wrong

    def write(self, wholes: list[Whole], offset: int, expected: np.ndarray) -> bool:
        """Puts what the plan writes into `expected` too. Has the file checksums?"""
        draw = self.draw
        holes = draw.choice(["", "", "holes=keep", "holes=fill"])
        helds, buffers = [], []
        at = offset
        for whole in wholes:
            held = draw.choice(WITH_HOLES if holes else COVERING)(draw, whole, bool(holes))
            values, fill = (
                self.bytes_(whole.elements * whole.dtype.itemsize),
                self.bytes_(whole.dtype.itemsize),
            )
            held.array.fill_value(elements_of(fill, whole.dtype)[0])
            covered = np.zeros(whole.elements, np.int32)
            covered[held.places.ravel()] = 1
            COMM.Allreduce(MPI.IN_PLACE, covered, MPI.MAX)
            there = expected[at : at + values.size].reshape(-1, whole.dtype.itemsize)
            there[covered == 1] = values.reshape(there.shape)[covered == 1]
            if holes == "holes=fill":
                there[covered == 0] = fill
            at += values.size
            helds.append(held)
            buffers.append(held.buffer(np.zeros(1, whole.dtype)[0], elements_of(values, whole.dtype)))
        checks = holes != "holes=keep" and draw.random() < 0.25  # of what was there before, none is known
        options = " ".join([*options_of(draw), holes, "checksum=yes" if checks else ""])
        self.told += [f"write {whole} {options}" for whole in wholes]
        with wa.Plan(COMM, *(held.array for held in helds), options=options) as plan:
            if draw.random() < 0.2:
                plan.write_start(self.path, *buffers, offset=offset).wait()
            for _ in range(draw.randint(1, 2)):
                plan.write(self.path, *buffers, offset=offset)
        return checks

    def differences(self, expected: np.ndarray) -> list[str]:
        WORLD.barrier()
        if WORLD.rank > 0:
            return []
        got = np.fromfile(self.path, np.uint8)
        if got.size != expected.size:
            return [f"the file has {got.size} bytes, not {expected.size}"]
        places = np.flatnonzero(got != expected)
        return [f"{places.size} bytes of the file are wrong, the first at {places[0]}"] if places.size else []

    def read(self, wholes: list[Whole], offset: int, expected: np.ndarray, checks: bool) -> list[str]:
        draw = self.draw
        helds, buffers, wanted = [], [], []
        at = offset
        for whole in wholes:
            bytes_ = whole.elements * whole.dtype.itemsize
            values = elements_of(expected[at : at + bytes_], whole.dtype)
            # Checksums are compared only where all is read.
            held = draw.choice(COVERING)(draw, whole, not checks and draw.random() < 0.3)
            ghost = elements_of(self.bytes_(whole.dtype.itemsize), whole.dtype)[0]
            helds.append(held)
            buffers.append(held.buffer(ghost, None))
            wanted.append(held.buffer(ghost, values))
            at += bytes_
        options = " ".join([*options_of(draw), "checksum=yes" if checks else ""])
        self.told.append(f"read {options}")
        with wa.Plan(COMM, *(held.array for held in helds), options=options) as plan:
            plan.read(self.path, *buffers, offset=offset)
        return [
            f"rank {COMM.rank} read array {i} wrongly"
            for i, (buffer, right) in enumerate(zip(buffers, wanted, strict=True))
            if buffer.tobytes("A") != right.tobytes("A")
        ]


def main() -> None:
    wrong = 0
    seeds = range(int(sys.argv[1]), int(sys.argv[2]))
    for seed in seeds:
        case = Case(Random(seed), np.random.default_rng(seed), Path(f"{seed}.raw"), [])
        try:
            found = case.run()
        except Exception:
            # Others may wait for this rank.
            sys.stderr.write(f"case {seed}, rank {WORLD.rank}: {traceback.format_exc()}{case.told}\n")
            sys.stderr.flush()
            WORLD.Abort(1)
        all_found = [one for each in WORLD.allgather(found) for one in each]
        if WORLD.rank == 0:
            for file in (case.path, Path(f"{case.path}.weirsum")):
                file.unlink(missing_ok=True)
            if all_found:
                print(f"case {seed}: {all_found}; {case.told}")
        wrong += bool(all_found)
    if WORLD.rank == 0:
        print(f"{len(seeds)} cases agree" if wrong == 0 else f"{wrong} of {len(seeds)} cases differ")


if __name__ == "__main__":
    main()

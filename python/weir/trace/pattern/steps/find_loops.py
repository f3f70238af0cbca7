"""Folds sequences into loops: what repeats with constant advances in offset and file becomes one element.

Each operation is a shape (what it does, with how many bytes) at a place (offset and file). Where the shapes
of `period` elements repeat and their places advance by constant differences, these elements become a
repetition: one element whose shape holds count, body and differences, and whose place is that of its first
iteration. Folding continues with those elements, so nests of any depth are found from the inside out.

Places are compared by a number that is linear in them (a random vector times the place, modulo 2^64), so
that equal differences of it mean equal differences of places, of whole bodies too. Trying a period takes
linear time, and the number of periods tried is bounded. Unlike grammar inference, folding never backtracks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.operation import Kind, Operations, starts_of_groups
from weir.trace.pattern.operations.views import ONE_PIECE

SHORT_PERIODS = 16
"""Periods up to this are always tried."""
ROUNDS = 40
"""All periods are tried at most this often."""

Find = Callable[["Sequence", "Shapes", int], "Found"]
Found = tuple[Integers, Integers]

_random = np.random.default_rng(20260811)
_TO_OFFSET, _TO_FILE, _TO_SHAPE, _TO_COUNT = (
    np.uint64(n) | np.uint64(1) for n in _random.integers(0, 2**63, 4)
)


@dataclass(frozen=True)
class Repetition:
    """A shape: a loop of `count` iterations of `body`."""

    count: int
    body: tuple[int, ...]
    """Shapes."""


@dataclass
class Shapes:
    """All shapes, by number. Those below `leaves` are single operations."""

    leaves: int
    transfers: int
    """Single operations below this are reads and writes of one piece."""
    repetitions: list[Repetition] = field(default_factory=list)
    operations: list[int] = field(default_factory=list)
    """How many operations each consists of."""
    known: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass
class Sequence:
    """Elements in order, as columns."""

    segment: Integers
    """Nothing is folded across segments."""
    shape: Integers
    place: NDArray[np.uint64]
    first: Integers
    """Index of its first operation."""

    def __len__(self) -> int:
        return len(self.shape)

    def kept(self, which: Flags) -> "Sequence":
        """Some of the elements."""
        return Sequence(self.segment[which], self.shape[which], self.place[which], self.first[which])


def fold(
    segment: Integers, leaf: Integers, offset: Integers, file: Integers, transfers: int
) -> tuple[Sequence, Shapes]:
    """Fold operations until nothing changes. All arrays have one length; `leaf` numbers the operations'
    shapes, those below `transfers` are reads and writes of one piece."""
    leaves = int(leaf.max(initial=-1)) + 1
    shapes = Shapes(leaves, transfers, operations=[1] * leaves)
    place = offset.view(np.uint64) * _TO_OFFSET + file.view(np.uint64) * _TO_FILE
    sequence = Sequence(segment, leaf, place, np.arange(len(leaf)))
    for _ in range(ROUNDS):
        before = len(sequence)
        for find in (_runs, _pairs):
            sequence = _fold_short(sequence, shapes, find)
            for period in long_periods(sequence.segment, sequence.shape, sequence.place, SHORT_PERIODS):
                sequence = _fold_period(sequence, shapes, period, find)
        if len(sequence) == before:
            break
    return sequence, shapes


def _fold_short(sequence: Sequence, shapes: Shapes, find: Find) -> Sequence:
    """Fold with short periods, the shortest first, until nothing changes."""
    period = 1
    for _ in range(ROUNDS * SHORT_PERIODS):
        before = len(sequence)
        sequence = _fold_period(sequence, shapes, period, find)
        if len(sequence) == before:
            period += 1
        elif period > 1:
            period = 1
        if period > SHORT_PERIODS:
            break
    return sequence


def _fold_period(sequence: Sequence, shapes: Shapes, period: int, find: Find) -> Sequence:
    """Fold what repeats after `period` elements."""
    if len(sequence) < 2 * period:
        return sequence
    starts, counts = find(sequence, shapes, period)
    if not len(starts):
        return sequence
    covered = np.zeros(len(sequence) + 1, np.int64)
    covered[starts + 1] += 1
    covered[starts + counts * period] -= 1
    keep = np.cumsum(covered[:-1]) == 0
    here = starts[:, None] + np.arange(period)
    weights = _weights(period)
    key = sequence.shape[here].astype(np.uint64) * _TO_SHAPE
    key += (sequence.place[here + period] - sequence.place[here]) * _TO_FILE
    key = ((key ^ (key >> np.uint64(29))) * weights).sum(axis=1) + counts.astype(np.uint64) * _TO_COUNT
    shape, place = sequence.shape.copy(), sequence.place.copy()
    place[starts] = (sequence.place[here] * weights).sum(axis=1)
    shape[starts] = _numbers(key, counts, sequence.shape[here], shapes)
    return Sequence(sequence.segment, shape, place, sequence.first).kept(keep)


def _weights(period: int) -> NDArray[np.uint64]:
    """Odd random numbers, always the same; the first is 1."""
    weights = np.random.default_rng(period).integers(0, 2**64, period, np.uint64, endpoint=False)
    weights |= np.uint64(1)
    weights[0] = 1
    return weights


def _numbers(key: NDArray[np.uint64], counts: Integers, bodies: Integers, shapes: Shapes) -> Integers:
    """Numbers of the shapes of these runs: equal keys are one shape."""
    _, example, inverse = np.unique(key, return_index=True, return_inverse=True)
    numbers = np.zeros(len(example), np.int64)
    for i, one in enumerate(example):
        known = (int(key[one]), bodies.shape[1])
        number = shapes.known.get(known)
        if number is None:
            number = shapes.known[known] = shapes.leaves + len(shapes.repetitions)
            body = tuple(bodies[one].tolist())
            shapes.repetitions.append(Repetition(int(counts[one]), body))
            shapes.operations.append(int(counts[one]) * sum(shapes.operations[s] for s in body))
        numbers[i] = number
    return numbers[inverse.reshape(-1)]


def _runs(sequence: Sequence, shapes: Shapes, period: int) -> Found:
    """Where something repeats three times or more with constant differences, and how often: from left to
    right, without overlap."""
    shape, segment, place = sequence.shape, sequence.segment, sequence.place
    difference = place[period:] - place[:-period]
    steady = difference[period:] == difference[:-period]
    if not steady.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    again = (shape[period:] == shape[:-period]) & (segment[period:] == segment[:-period])
    steady &= again[period:] & again[:-period]
    begin, length = _stretches(steady)
    long = length >= period
    starts, counts, free = [], [], 0
    for b, e in zip(begin[long].tolist(), (begin + length)[long].tolist(), strict=True):
        at = max(b, free)
        count = (e + 2 * period - at) // period
        if count >= 3:
            starts.append(at)
            counts.append(count)
            free = at + count * period
    return np.array(starts, np.int64), np.array(counts, np.int64)


def _pairs(sequence: Sequence, shapes: Shapes, period: int) -> Found:
    """What repeats once: only where most of it is more than transfers, which are better listed."""
    shape, segment = sequence.shape, sequence.segment
    tells = shape >= shapes.transfers
    if not tells.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    again = (shape[period:] == shape[:-period]) & (segment[period:] == segment[:-period])
    begin, length = _stretches(again)
    telling = np.concatenate([[0], np.cumsum(tells)])
    starts, free = [], 0
    for b in begin[length >= period].tolist():
        if (
            b >= free
            and (period > 1 or shape[b] >= shapes.leaves)
            and 2 * (telling[b + period] - telling[b]) > period
        ):
            starts.append(b)
            free = b + 2 * period
    return np.array(starts, np.int64), np.full(len(starts), 2, np.int64)


def _stretches(which: Flags) -> tuple[Integers, Integers]:
    """Where stretches of True begin, and how long they are."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], which, [False]])))
    return edges[::2], edges[1::2] - edges[::2]


MOST = 8
"""Periods of each kind that are tried at a time."""


def long_periods(segment: Integers, shape: Integers, place: NDArray[np.uint64], above: int) -> list[int]:
    """Distances greater than `above` after which something repeats, shortest first: a shape, or a shape with
    the same stride to the next place."""
    if len(shape) <= 2 * above:
        return []
    with_stride = shape.astype(np.uint64)
    with_stride[:-1] += np.diff(place) * np.uint64(0x9E3779B97F4A7C15)
    found: set[int] = set()
    for symbol in (shape, with_stride):
        found.update(_distances(segment, symbol, above))
    return sorted(found)


def _distances(segment: Integers, symbol: NDArray[np.generic], above: int) -> list[int]:
    """The most frequent ones, and those of the rarest symbols: frequent ones repeat within a period."""
    order = _by_symbol(segment, symbol)
    ordered = symbol[order]
    same = ordered[1:] == ordered[:-1]
    distance = np.diff(order)
    if not (same & (distance > above)).any():
        return []
    ordered = segment[order]
    same &= ordered[1:] == ordered[:-1]
    begins = np.flatnonzero(np.concatenate([[True], ~same]))
    counts = np.diff(np.append(begins, len(order)))
    occurrences = np.repeat(counts, counts)[1:]
    far = same & (distance > above)
    seldom = far & (occurrences <= (occurrences[far].min() if far.any() else 0) + 1)
    return [*_most_frequent(distance[far]), *_most_frequent(distance[seldom])]


MANY = 2**16
"""So many symbols are sorted by hashes."""


def _by_symbol(segment: Integers, symbol: NDArray[np.generic]) -> Integers:
    """The order in which equal symbols of a segment are together, in their own order. Of many, hashes are
    sorted with the places in their low bits, which takes a fraction of the time; hashes of different symbols
    may be equal, so a few are then not found to be together."""
    if len(symbol) < MANY:
        return np.lexsort((symbol, segment))  # stable
    bits = np.uint64(len(symbol).bit_length())
    key = symbol.astype(np.uint64) * _TO_OFFSET
    key += segment.view(np.uint64) * _TO_SHAPE
    key ^= key >> np.uint64(29)
    key *= _TO_COUNT
    key = (key >> bits << bits) | np.arange(len(symbol), dtype=np.uint64)
    key.sort()
    key &= (np.uint64(1) << bits) - np.uint64(1)
    return key.view(np.int64)


def _most_frequent(distances: Integers) -> list[int]:
    values, counts = np.unique(distances, return_counts=True)
    found: list[int] = values[np.argsort(counts, kind="stable")[::-1][:MOST]].tolist()
    return found


def folded(operations: Operations, *, cut_at_barriers: bool = False) -> tuple[Sequence, Shapes]:
    """Operations folded, each rank's in each phase a segment; if cut, no loop crosses a barrier."""
    segment = np.zeros(len(operations), np.int64)
    segment[starts_of_groups(operations["phase"], operations["rank"])] = 1
    barriers = operations["kind"] == Kind.BARRIER
    if cut_at_barriers:
        segment |= barriers
        segment[1:] |= barriers[:-1]
    leaves, transfers = _leaf_numbers(operations)
    return fold(
        np.cumsum(segment),
        leaves,
        np.ascontiguousarray(operations["offset"]),
        operations["file"].astype(np.int64),
        transfers,
    )


def _leaf_numbers(operations: Operations) -> tuple[Integers, int]:
    """A number for each operation: operations with equal numbers differ in offset and file only. And how
    many of these numbers are reads and writes of one piece; they come first."""
    modes, kinds = 4, max(Kind) + 1
    moves = operations["kind"] <= Kind.WRITE
    lengths, length = np.unique(operations["length"], return_inverse=True)
    shapes, shape = np.unique(np.where(moves, operations["shape"], 0), return_inverse=True)
    one_piece = ~moves | (operations["shape"] == ONE_PIECE)
    code = operations["kind"] + np.where(one_piece, 0, kinds).astype(np.int64)
    code = (code * modes + operations["mode"]) * 2 + (moves & operations["collective"])
    code = (code * max(1, len(lengths)) + length.reshape(-1)) * max(1, len(shapes)) + shape.reshape(-1)
    _, first, leaf = np.unique(code, return_index=True, return_inverse=True)
    return leaf.reshape(-1), int(np.count_nonzero((moves & one_piece)[first]))

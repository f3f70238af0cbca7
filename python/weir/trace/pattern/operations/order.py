"""The order between ranks that no collective made: what a rank reads, another one had written before, or had
made the file reach beyond it; and what it opens, another one had created. However the program told them, by
messages or by time, it is kept."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from weir.distinct import distinct
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.operation import (
    Kind,
    Mode,
    Operations,
    barriers_before,
    group_numbers,
    running_max,
    starts_of_groups,
)
from weir.trace.pattern.operations.truncations import ends_of, last_creation
from weir.trace.pattern.operations.views import ONE_PIECE, PieceShapes

Boundary = tuple[int, int, int]
"""Before which stage ranks wait: phase, barriers before it in the phase, stage."""
MOST_EXACT = 10_000
"""Requests of more pieces count from their first byte to their last one."""
MOST_APART = 8
"""So many groups of ranks wait at a boundary each for itself; of more, all wait together."""
MOST_ROUNDS = 20


@dataclass
class Order:
    """Ranks that wait for each other."""

    waits: dict[Boundary, list[list[int]]] = field(default_factory=dict)
    """At each boundary, groups of ranks."""

    def at(self, boundary: Boundary) -> list[list[int]]:
        """The groups that wait there."""
        return self.waits.get(boundary, [])


def with_order(operations: Operations, shapes: PieceShapes) -> Order:
    """Sets `stage` of operations: between two barriers, ranks do what is of a stage after what they and those
    they wait for do in the ones before. Modes are settled, and files are the trace's."""
    order = Order()
    interval = barriers_before(operations, starts_of_groups(operations["rank"], operations["phase"]))
    # Of each operation, the one of all stretches between two barriers that it is in.
    width = int(interval.max(initial=0)) + 1
    stretch = operations["phase"].astype(np.int64) * width + interval
    rows = np.flatnonzero(_concerned(operations, stretch))
    if not len(rows):
        return order
    lengths = _lengths(operations, stretch, rows)
    rows = rows[np.argsort(stretch[rows], kind="stable")]
    in_turn = np.argsort(stretch, kind="stable")
    for some in np.split(rows, starts_of_groups(stretch[rows])[1:]):
        this = int(stretch[some[0]])
        raised, pairs = _staged(operations, some, shapes, lengths.get(this, {}))
        if not pairs:
            continue
        first, last = (np.searchsorted(stretch, this, side, in_turn) for side in ("left", "right"))
        _set_stages(operations, in_turn[first:last], raised)
        for stage, ranks in pairs.items():
            order.waits[*divmod(this, width), stage] = _groups(ranks)
    return order


def _concerned(operations: Operations, stretch: Integers) -> Flags:
    """Operations on files that one rank makes or writes and another one opens or reads, between the same two
    barriers, and those on all files there that ranks make together."""
    kind, mode = operations["kind"], operations["mode"]
    some = np.isin(kind, (Kind.READ, Kind.WRITE, Kind.OPEN, Kind.PREALLOCATE))
    gives = some & (kind != Kind.READ) & ((kind != Kind.OPEN) | (mode == Mode.CREATE))
    takes = some & ~gives
    if not gives.any() or not takes.any():
        return np.zeros(len(operations), bool)
    places = stretch * (int(operations["file"].max()) + 1) + operations["file"]
    _, number = np.unique(places, return_inverse=True)
    number = number.reshape(-1)
    rank, count = operations["rank"], int(number.max()) + 1
    ends = []
    for which in (gives, takes):
        least, most = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
        np.minimum.at(least, number[which], rank[which])
        np.maximum.at(most, number[which], rank[which])
        ends.append((least, most))
    (giving, most_giving), (taking, most_taking) = ends
    met = (most_giving >= 0) & (most_taking >= 0)
    met &= (giving != most_taking) | (most_giving != taking)
    # What ranks do together on other files between those barriers they still do together.
    here = np.isin(stretch, distinct(stretch[met[number]]))
    some &= met[number] | (kind == Kind.OPEN)
    concerned: Flags = here & (some | (kind == Kind.CLOSE) | operations["collective"]) & (kind < Kind.BARRIER)
    return concerned


Lengths = dict[int, int]
"""Of files, how long they are; those are absent of which it is not known, since they were there before."""


def _lengths(operations: Operations, stretch: Integers, rows: Integers) -> dict[int, Lengths]:
    """When each stretch begins, those of the files that these rows read in it. A phase begins without the
    files that it creates."""
    kind, file = operations["kind"], operations["file"]
    read = distinct(file[rows[kind[rows] == Kind.READ]])
    creates = (kind == Kind.OPEN) & (operations["mode"] == Mode.CREATE)
    relevant = creates | np.isin(kind, (Kind.READ, Kind.WRITE, Kind.PREALLOCATE))
    chosen = np.flatnonzero(relevant & np.isin(file, read))
    chosen = chosen[np.lexsort((stretch[chosen], file[chosen]))]
    if not len(chosen):
        return {}
    some = operations[chosen]
    created = last_creation(some, creates[chosen])
    since = np.cumsum(np.append(True, (np.diff(some["file"]) != 0) | (np.diff(created) != 0)))
    longest = running_max(ends_of(some), since)
    first = starts_of_groups(some["file"], stretch[chosen])
    before = np.maximum(first - 1, 0)
    length = np.where((first > 0) & (since[before] == since[first]), longest[before], 0)
    found: dict[int, Lengths] = defaultdict(dict)
    for at, one in zip(first[created[first] > 0].tolist(), length[created[first] > 0].tolist(), strict=True):
        found[int(stretch[chosen[at]])][int(some["file"][at])] = one
    return found


def _set_stages(operations: Operations, rows: Integers, raised: dict[int, int]) -> None:
    """Of these rows, in order, each rank's from the raised ones on are of these stages."""
    stage = np.zeros(len(rows), np.int64)
    at = np.searchsorted(rows, list(raised))
    stage[at] = list(raised.values())
    first = starts_of_groups(operations["rank"][rows])
    group = group_numbers(first, len(rows))
    width = int(stage.max()) + 1
    greatest = np.maximum.accumulate(stage + group * width) - group * width
    operations["stage"][rows] = np.where(operations["kind"][rows] == Kind.BARRIER, 0, greatest)


Pairs = dict[int, set[tuple[int, int]]]
"""By stage, ranks that wait for each other before it."""


def _staged(
    operations: Operations, rows: Integers, shapes: PieceShapes, lengths: Lengths
) -> tuple[dict[int, int], Pairs]:
    """The rows at which a rank's next stage begins, and who waits for whom. What ranks do together is of one
    stage: the latest of theirs, which may move what follows; so it is repeated until nothing moves.
    `lengths`: of the files, before these rows."""
    events = _events(operations[rows], rows, shapes)
    floors: dict[int, int] = {}
    staging = _Staging(floors, lengths)
    for _ in range(MOST_ROUNDS):
        staging = _Staging(floors, lengths)
        for event in events:
            staging.see(event)
        higher = staging.higher()
        if not higher:
            break
        floors |= higher
    return staging.raised, staging.pairs


@dataclass(frozen=True)
class _Event:
    """Of an operation: that it began, or that what it gives is there."""

    row: int
    rank: int
    kind: Kind
    file: int
    creates: bool
    collective: bool
    gives: bool
    pieces: Sequence[tuple[int, int]]
    """Begins and ends."""
    reach: int
    """Up to where it makes its file reach."""


def _events(some: Operations, rows: Integers, shapes: PieceShapes) -> list[_Event]:
    """In order of time, and of each rank in that of its operations; what is given at a moment is there for
    what begins then."""
    found: list[tuple[int, int, int, _Event]] = []
    # Threads overlap, and what was added stands where it is needed: a rank's stages follow its operations.
    begins = running_max(some["begin_ns"], some["rank"]).tolist()
    reaches = ends_of(some).tolist()
    for number, (row, one) in enumerate(zip(rows.tolist(), some, strict=True)):
        kind = Kind(int(one["kind"]))
        creates = kind is Kind.OPEN and int(one["mode"]) == Mode.CREATE
        pieces = list(_pieces(one, kind, shapes))
        plain = (row, int(one["rank"]), kind, int(one["file"]), creates, bool(one["collective"]))
        begin, end = begins[number], int(one["end_ns"])
        found.append((begin, 1, number, _Event(*plain, False, pieces, reaches[number])))
        if creates or kind in (Kind.WRITE, Kind.PREALLOCATE):
            ended = (end, 0) if end > begin else (begin, 1)  # not before it has begun
            found.append((*ended, number, _Event(*plain, True, pieces, reaches[number])))
    found.sort(key=lambda event: event[:3])
    return [event for _, _, _, event in found]


def _pieces(one: np.void, kind: Kind, shapes: PieceShapes) -> Iterator[tuple[int, int]]:
    if kind > Kind.WRITE:
        return
    start, shape = int(one["offset"]), int(one["shape"])
    if shape == ONE_PIECE or int(one["span"]) == 0 or shapes.pieces(shape) > MOST_EXACT:
        yield start, start + int(one["span"])
        return
    for offset, length in shapes.table(shape, start).tolist():
        yield offset, offset + length


class _Written:
    """Who wrote a file's bytes last: stretches in order, each with its writer and the stage."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._stretches: list[tuple[int, int, tuple[int, int]]] = []

    def add(self, begin: int, end: int, by: tuple[int, int]) -> None:
        """In place of what was there."""
        if begin >= end:
            return
        first, last = self._range(begin, end)
        new = [(begin, end, by)]
        if first < last:
            low, high = self._stretches[first], self._stretches[last - 1]
            if low[0] < begin:
                new.insert(0, (low[0], begin, low[2]))
            if high[1] > end:
                new.append((end, high[1], high[2]))
        elif first and self._stretches[first - 1][1:] == (begin, by):
            first -= 1
            new = [(self._stretches[first][0], end, by)]
        self._stretches[first:last] = new
        self._begins[first:last] = [one[0] for one in new]

    def over(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Who wrote bytes between these, and in which stage."""
        first, last = self._range(begin, end)
        for at in range(first, last):
            yield self._stretches[at][2]

    def _range(self, begin: int, end: int) -> tuple[int, int]:
        """The stretches that have bytes between these."""
        first = bisect_right(self._begins, begin)
        if first and self._stretches[first - 1][1] > begin:
            first -= 1
        last = first
        while last < len(self._begins) and self._begins[last] < end:
            last += 1
        return first, last


class _Reached:
    """Who made a file reach each place: the first that wrote or reserved up to there."""

    def __init__(self, length: int) -> None:
        """It is so long already."""
        self._length = length
        self._ends: list[int] = []
        self._by: list[tuple[int, int]] = []
        self._own: dict[int, int] = defaultdict(int)

    def add(self, end: int, by: tuple[int, int]) -> None:
        """By this rank, in this stage."""
        self._own[by[0]] = max(end, self._own[by[0]])
        if end > (self._ends[-1] if self._ends else self._length):
            self._ends.append(end)
            self._by.append(by)

    def to(self, end: int, rank: int) -> tuple[int, int] | None:
        """Whom this rank must wait for, so that the file reaches this end."""
        at = bisect_left(self._ends, end)
        needed = end > max(self._length, self._own[rank]) and at < len(self._by)
        return self._by[at] if needed else None


@dataclass
class _Staging:
    """Goes through events in order of time."""

    floors: dict[int, int]
    """Stages that operations have at least."""
    lengths: Lengths
    """Of files, before."""
    raised: dict[int, int] = field(default_factory=dict)
    pairs: Pairs = field(default_factory=lambda: defaultdict(set))
    _stage: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Of each rank, now."""
    _written: dict[int, _Written] = field(default_factory=lambda: defaultdict(_Written))
    _reached: dict[int, _Reached] = field(default_factory=dict)
    """Of files whose lengths are known."""
    _made: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of files that were created: by which rank, in which stage."""
    _opened: dict[tuple[int, int], int] = field(default_factory=dict)
    _turn: dict[tuple[int, int, Kind], int] = field(default_factory=lambda: defaultdict(int))
    _together: dict[tuple[int, int, Kind, int], list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Rows and stages of what ranks do together."""

    def see(self, event: _Event) -> None:
        """The next one."""
        if event.gives:
            self._give(event)
            return
        self._raise(event, self.floors.get(event.row, 0))
        if event.kind is Kind.READ:
            self._read(event)
        elif event.kind is Kind.OPEN:
            made = self._made.get(event.file)
            if made and not event.creates:
                self._after(event, *made)
            self._opened[event.rank, event.file] = self._stage[event.rank]
        if event.kind is Kind.CLOSE or (event.collective and event.kind is not Kind.OPEN):
            where = (event.rank, event.file, event.kind)
            group = (event.file, self._opened.get(where[:2], 0), event.kind, self._turn[where])
            self._turn[where] += 1
            self._together[group].append((event.row, self._stage[event.rank]))

    def _give(self, event: _Event) -> None:
        by = (event.rank, self._stage[event.rank])
        if event.creates:
            self._made.setdefault(event.file, by)
        for begin, end in event.pieces:
            self._written[event.file].add(begin, end, by)
        if event.file in self.lengths:
            length = self.lengths[event.file]
            self._reached.setdefault(event.file, _Reached(length)).add(event.reach, by)

    def _read(self, event: _Event) -> None:
        """After those who wrote these bytes; where nobody wrote the last one, after who wrote beyond it."""
        written, last = self._written[event.file], max((end for _, end in event.pieces), default=0)
        for begin, end in event.pieces:
            for by in set(written.over(begin, end)):
                self._after(event, *by)
        reached = self._reached.get(event.file)
        if reached and last and not any(written.over(last - 1, last)):
            beyond = reached.to(last, event.rank)
            if beyond:
                self._after(event, *beyond)

    def _after(self, event: _Event, rank: int, stage: int) -> None:
        if rank == event.rank:
            return
        pair = (rank, event.rank)
        now = self._stage[event.rank]
        if any(pair in self.pairs[one] or pair[::-1] in self.pairs[one] for one in range(stage + 1, now + 1)):
            return
        self._raise(event, stage + 1)
        self.pairs[self._stage[event.rank]].add(pair)

    def _raise(self, event: _Event, stage: int) -> None:
        if stage > self._stage[event.rank]:
            self._stage[event.rank] = self.raised[event.row] = stage

    def higher(self) -> dict[int, int]:
        """Rows that are of too low a stage, since others do the same together with them in a later one."""
        return {
            row: max(stages)
            for some in self._together.values()
            if len(stages := {stage for _, stage in some}) > 1
            for row, stage in some
            if stage < max(stages)
        }


def _groups(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Ranks that wait for each other, also by way of others; all together where they are many groups."""
    of: dict[int, set[int]] = {}
    for one, other in pairs:
        joined = of.get(one, {one}) | of.get(other, {other})
        of |= dict.fromkeys(joined, joined)
    groups = sorted({min(group): sorted(group) for group in of.values()}.values())
    return groups if len(groups) <= MOST_APART else [sorted(rank for group in groups for rank in group)]

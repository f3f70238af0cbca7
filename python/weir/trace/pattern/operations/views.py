"""File views: from the first byte of a request and its length to the pieces that it consists of."""

import numpy as np

from weir.distinct import distinct
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.calls import MPI_IO, SelectedCalls
from weir.trace.pattern.operations.layouts import NOTHING, Blocks, Layout, Nest, Places, Unknown, blocks_of
from weir.trace.pattern.operations.operation import (
    Kind,
    LeftOut,
    Operations,
    group_numbers,
    open_change,
    starts_of_groups,
)
from weir.trace.pattern.operations.tiles import NOT_KNOWN, Tiles, relative

Known = Layout | Unknown


def with_pieces(selected: SelectedCalls) -> "tuple[Operations, PieceShapes, LeftOut]":
    """The operations without views; each read and write gets its `shape` through the view of its file. A VIEW
    has its displacement as `offset`, and its layout's number as `length`. Requests whose pieces are not known
    are counted by the reason, and stay one piece from their first byte on."""
    operations, shapes, inexact = selected.operations, PieceShapes(), LeftOut()
    if (operations["kind"] == Kind.VIEW).any():
        _ViewedRequests(operations, selected.layouts, inexact, shapes).set_pieces()
    moves = operations["kind"] <= Kind.WRITE
    empty = moves & (operations["length"] == 0)
    shaped = moves & operations["collective"] & (operations["shape"] != ONE_PIECE)
    gathered = np.zeros(len(operations), bool)
    if shaped.any():
        gathered = moves & operations["collective"]
        gathered &= np.isin(operations["file"], distinct(operations["file"][shaped]))
        _as_shapes(operations, gathered & (operations["shape"] == ONE_PIECE), shapes)
    gone = (empty & ~gathered) | (operations["kind"] == Kind.VIEW)
    selected.left_out.add("reads and writes that moved nothing", np.count_nonzero(empty & ~gathered))
    return operations[~gone] if gone.any() else operations, shapes, inexact


def _as_shapes(operations: Operations, which: Flags, shapes: "PieceShapes") -> None:
    """Collective requests of one piece as shapes too, where others have several, so that one collective call
    can be one step; and empty ones, so that no rank is missing."""
    for length in distinct(operations["length"][which]).tolist():
        number = shapes.number(Nest(0, (), length)) if length else EMPTY
        operations["shape"][which & (operations["length"] == length)] = number
    operations["offset"][which & (operations["length"] == 0)] = 0


class _ViewedRequests:
    """The requests through views, and their pieces."""

    def __init__(
        self, operations: Operations, layouts: list[Known], inexact: LeftOut, shapes: "PieceShapes"
    ) -> None:
        self._ops, self._layouts, self._inexact, self._shapes = operations, layouts, inexact, shapes
        order = np.lexsort((operations["file"], operations["rank"]))  # stable
        kind = operations["kind"][order]
        first = starts_of_groups(operations["rank"][order], operations["file"][order])
        group = group_numbers(first, len(order))
        through = operations["mode"][order] == MPI_IO
        sets = (kind == Kind.VIEW) | (through & (kind == Kind.OPEN))
        latest = np.maximum.accumulate(np.where(sets, np.arange(len(order)), -1))
        latest = np.where(latest >= first[group], latest, -1)
        moves = (kind <= Kind.WRITE) & through & (latest >= 0) & (operations["length"][order] > 0)
        moves &= kind[np.maximum(latest, 0)] == Kind.VIEW
        step = open_change(kind) * through
        depth = np.cumsum(step)
        depth -= (depth[first] - step[first])[group]
        self.rows = order[moves]
        """Requests through views,"""
        self.view = order[latest[moves]]
        """the view of each,"""
        self.twice = depth[moves] > 1
        """and whether its file was open twice."""

    def set_pieces(self) -> None:
        """Set shape, span and offset of all requests."""
        of_view = self._ops["length"][self.view]
        for number in distinct(of_view).tolist():
            layout, here = self._layouts[number], of_view == number
            if isinstance(layout, Layout) and layout.is_whole:
                continue
            self._count("the file was open twice at a time", here & self.twice)
            here &= ~self.twice
            try:
                if isinstance(layout, Unknown):
                    raise layout
                self._set_pieces_of(self.rows[here], self.view[here], Tiles(layout))
            except Unknown as why:
                self._count(str(why), here)

    def _count(self, why: str, which: Flags) -> None:
        self._inexact.add(why, np.count_nonzero(which))

    def _set_pieces_of(self, rows: Integers, views: Integers, tiles: Tiles) -> None:
        ops = self._ops
        displacement, length = ops["offset"][views], ops["length"][rows]
        position = tiles.positions(ops["offset"][rows] - displacement)
        known = (position != NOT_KNOWN) & (displacement >= 0)
        self._count("its first byte is none of its view's", ~known)
        rows, displacement, length, position = (one[known] for one in (rows, displacement, length, position))
        place = tiles.one_piece(position, length)
        alone = place != NOT_KNOWN
        ops["offset"][rows[alone]] = (displacement + place)[alone]
        several = np.flatnonzero(~alone)
        tile, rest = np.divmod(position[several], tiles.size)
        alike, inverse = np.unique(np.column_stack([rest, length[several]]), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        for number, (before, bytes_) in enumerate(alike.tolist()):
            here = several[inverse == number]
            try:
                start, shape = relative(tiles.pieces(before, bytes_))
            except Unknown as why:
                self._inexact.add(str(why), len(here))
                continue
            which = self._shapes.number(shape)
            ops["shape"][rows[here]] = which
            ops["span"][rows[here]] = self._shapes.span(which)
            first = start + tile[inverse == number] * tiles.extent
            ops["offset"][rows[here]] = displacement[here] + first


ONE_PIECE = 0
"""The shape of contiguous requests."""
EMPTY = 1
"""The shape of a collective request of no bytes."""


class PieceShapes:
    """Shapes by number, relative to the first piece's start; equal requests share one."""

    def __init__(self) -> None:
        self._shapes: list[Places] = [NOTHING, NOTHING]
        self._numbers: dict[object, int] = {}

    def number(self, shape: Places) -> int:
        """The number of this shape, which begins at 0."""
        key = shape if isinstance(shape, Nest) else (shape.starts.tobytes(), shape.lengths.tobytes())
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._shapes)
            self._shapes.append(shape)
        return number

    def __getitem__(self, number: int) -> Places:
        return self._shapes[number]

    def span(self, number: int) -> int:
        """Bytes from the first to the last."""
        shape = self._shapes[number]
        if isinstance(shape, Blocks):
            return int(shape.starts[-1] + shape.lengths[-1])
        return shape.length + sum((count - 1) * stride for count, stride in shape.levels)

    def pieces(self, number: int) -> int:
        """How many pieces it has."""
        return self._shapes[number].blocks

    def table(self, number: int, start: int) -> Integers:
        """Its pieces, shape (n, 2): offset and length."""
        blocks = blocks_of(self._shapes[number])
        return np.column_stack([blocks.starts + start, blocks.lengths])

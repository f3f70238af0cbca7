"""Requests of several pieces: how the pieces lie, once for all requests that are alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .layouts import NOTHING, Blocks, Nest, Places, blocks_of

ONE_PIECE = 0
"""The number of requests that are no more than their offset and length tell."""
EMPTY = 1
"""Of a collective request of no bytes."""


class PieceShapes:
    """Shapes by number; pieces count from the first one's start."""

    def __init__(self) -> None:
        self._shapes: list[Places] = [NOTHING, NOTHING]
        self._numbers: dict[object, int] = {}

    def number(self, shape: Places) -> int:
        """Of this one, which begins at 0."""
        key = shape if isinstance(shape, Nest) else (shape.starts.tobytes(), shape.lengths.tobytes())
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._shapes)
            self._shapes.append(shape)
        return number

    def __getitem__(self, number: int) -> Places:
        return self._shapes[number]

    def span(self, number: int) -> int:
        """From the first byte to past the last."""
        shape = self._shapes[number]
        if isinstance(shape, Blocks):
            return int(shape.starts[-1] + shape.lengths[-1])
        return shape.length + sum((count - 1) * stride for count, stride in shape.levels)

    def table(self, number: int, start: int) -> NDArray[np.int64]:
        """Its pieces, shape (n, 2): offset and length."""
        blocks = blocks_of(self._shapes[number])
        return np.column_stack([blocks.starts + start, blocks.lengths])

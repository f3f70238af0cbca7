"""Which operations are the same one in different turns of repetitions, and on different ranks."""

import numpy as np
from numpy.typing import NDArray

from .fold import Sequence, Shapes
from .operations import Operations


def places(operations: Operations, sequence: Sequence, shapes: Shapes) -> NDArray[np.int64]:
    """A number for each operation: equal for those that are the same one of a repetition's body, on all
    ranks that do the same in a phase."""
    known: dict[int, NDArray[np.int64]] = {}
    begun: dict[tuple[int, int, int], int] = {}
    found = np.zeros(len(operations), np.int64)
    segment, index, total = -1, 0, 0
    phases = operations["phase"][sequence.first].tolist()
    columns = zip(
        sequence.segment.tolist(), phases, sequence.shape.tolist(), sequence.first.tolist(), strict=True
    )
    for own, phase, shape, first in columns:
        index = index + 1 if own == segment else 0
        segment = own
        inside = _places_in(shape, shapes, known)
        base = begun.setdefault((phase, index, shape), total)
        total += int(inside.max()) + 1 if base == total else 0
        found[first : first + len(inside)] = base + inside
    return found


def _places_in(shape: int, shapes: Shapes, known: dict[int, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Of each operation of a shape, its number in the body of all repetitions around it."""
    if shape < shapes.leaves:
        return np.zeros(1, np.int64)
    if shape not in known:
        repetition = shapes.repetitions[shape - shapes.leaves]
        parts, base = [], 0
        for one in repetition.body:
            part = _places_in(one, shapes, known)
            parts.append(part + base)
            base += int(part.max()) + 1
        known[shape] = np.tile(np.concatenate(parts), repetition.count)
    return known[shape]


def medians(values: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each value, the median (the lower of two) of its group."""
    order = np.lexsort((values, group))
    numbers, first, counts = np.unique(group[order], return_index=True, return_counts=True)
    del numbers
    middle: NDArray[np.int64] = values[order][first + (counts - 1) // 2]
    result = np.empty_like(values)
    result[order] = np.repeat(middle, counts)
    return result

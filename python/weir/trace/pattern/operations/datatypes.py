"""MPI datatypes, as traces say how they were constructed, to layouts."""

import re
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from weir.trace.pattern.nests import Integers
from weir.trace.pattern.operations.layouts import (
    NOTHING,
    Blocks,
    Layout,
    Nest,
    Places,
    Unknown,
    concatenated,
    repeated,
    shifted,
    simplest,
)

MOST_NUMBERS = 1 << 22
"""A list of more is damaged: the recorder writes none."""
DEEPEST = 64
_RUN = re.compile(r"(-?\d{1,19})(?:([+-]\d{1,19})?x(\d{1,7}))?")

Known = Layout | Unknown


class Datatypes:
    """Layouts of the datatypes of all processes; equal constructions share one."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, tuple[int, ...]], Known] = {}
        self._of_process: dict[tuple[int, int], Known] = {}
        self._processes: list[Mapping[int, str]] = []

    def of(self, types: Mapping[int, str], number: int) -> Known:
        """The layout of this one of a process's types, or why it is not known."""
        return self._known(types, number, 0)

    def _known(self, types: Mapping[int, str], number: int, depth: int) -> Known:
        key = id(types), number
        found = self._of_process.get(key)
        if found is None:
            self._processes.append(types)  # keep it, so that its id is not reused
            found = self._of_process[key] = self._look_up(types, number, depth)
        return found

    def _look_up(self, types: Mapping[int, str], number: int, depth: int) -> Known:
        text = types.get(number)
        if text is None:
            return Unknown("the trace does not tell the types of its views")
        if text.startswith("unknown "):
            return Unknown(text.removeprefix("unknown "))
        try:
            words, of = text.split(" "), []
            if "named" not in words:
                *words, last = words
                of = _numbers(last).tolist()
            if depth > DEEPEST or any(not 0 < part < number for part in of):
                raise Unknown("its table of types is damaged")
            parts = {part: self._known(types, part, depth + 1) for part in set(of)}
            made = " ".join(words), tuple(id(parts[part]) for part in of)
            if made not in self._made:
                self._made[made] = _layout(words, [_surely(parts[part]) for part in of])
            return self._made[made]
        except Unknown as why:
            return why
        except (ValueError, IndexError, KeyError, OverflowError):
            return Unknown("its table of types is damaged")


def _surely(known: Known) -> Layout:
    if isinstance(known, Unknown):
        raise known
    return known


def _layout(words: Sequence[str], parts: list[Layout]) -> Layout:
    size, lower, extent, how, *rest = words
    places = _places(how, rest, parts)
    if places.size != int(size):
        raise Unknown("its blocks do not add up to its size")
    return Layout(places, int(lower), int(extent))


def _places(how: str, words: list[str], parts: list[Layout]) -> Places:
    """The blocks of a type by its constructor, as the recorder names it, and that one's arguments."""
    match how:
        case "named":
            lower, extent = int(words[0]), int(words[1])
            return Nest(lower, (), extent) if extent else NOTHING
        case "dup" | "resized":
            return parts[0].places
        case "contiguous":
            return repeated(parts[0].places, int(words[0]), parts[0].extent)
        case "vector" | "hvector":
            count, length, stride = map(int, words[:3])
            unit = parts[0].extent if how == "vector" else 1
            return repeated(repeated(parts[0].places, length, parts[0].extent), count, stride * unit)
        case "indexed" | "hindexed" | "struct" | "indexed_block" | "hindexed_block":
            displacements, unit = _numbers(words[1]), parts[0].extent if how.startswith("indexed") else 1
            one_length = how.endswith("_block")
            lengths = np.full(len(displacements), int(words[0])) if one_length else _numbers(words[0])
            return _blocks(lengths, displacements * unit, parts)
        case "subarray" | "darray":
            return _array(*(_subarray if how == "subarray" else _darray)(words), parts[0])
        case _:
            raise KeyError(how)


def _numbers(word: str) -> Integers:
    """A list of numbers: 0+512x64 is 0, 512, 1024, … 64 times; 8x64 is 64 times 8."""
    if word == "-":
        return np.zeros(0, np.int64)
    runs, total = [], 0
    for part in word.split(","):
        if part.startswith("~"):
            runs.append(_unpacked(part[1:]))
            total += len(runs[-1])
            if total > MOST_NUMBERS:
                raise Unknown("its table of types is damaged")
            continue
        run = _RUN.fullmatch(part)
        if run is None:
            raise Unknown("its table of types is damaged")
        first, step, count = int(run[1]), int(run[2] or 0), int(run[3] or 1)
        total += count
        if total > MOST_NUMBERS:
            raise Unknown("its table of types is damaged")
        runs.append(first + step * np.arange(count, dtype=np.int64))
    return np.concatenate(runs)


_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DIGITS = np.full(256, 255, np.uint8)
_DIGITS[np.frombuffer(_LETTERS, np.uint8)] = np.arange(64)
_MORE, _BITS, _MOST_DIGITS = 32, 5, 13


def _unpacked(text: str) -> Integers:
    """Numbers by their differences, as the source maps of browsers have them: the sign is the lowest bit, and
    a letter has five bits and whether more follow."""
    digits = _DIGITS[np.frombuffer(text.encode("ascii", "replace"), np.uint8)]
    ends = np.flatnonzero(digits < _MORE)
    if not len(ends) or ends[-1] != len(digits) - 1 or (digits >= len(_LETTERS)).any():
        raise Unknown("its table of types is damaged")
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts + 1
    if lengths.max() > _MOST_DIGITS:
        raise Unknown("its table of types is damaged")
    place = np.arange(len(digits)) - np.repeat(starts, lengths)
    parts = (digits & (_MORE - 1)).astype(np.uint64) << (_BITS * place).astype(np.uint64)
    values = np.bitwise_or.reduceat(parts, starts)
    signs = np.uint64(0) - (values & np.uint64(1))
    return np.cumsum((values >> np.uint64(1)) ^ signs).view(np.int64)


def _blocks(lengths: Integers, places: Integers, parts: list[Layout]) -> Places:
    """`lengths` parts, or elements of several parts, at these displacements."""
    if len(lengths) != len(places):
        raise Unknown("its table of types is damaged")
    part = parts[0] if parts else Layout(NOTHING, 0, 0)
    same = all(other is part for other in parts)
    if same and isinstance(part.places, Nest) and part.places == Nest(part.places.start, (), part.extent):
        return simplest(Blocks(places + part.places.start, lengths * part.extent))
    of = parts if len(parts) == len(places) else [part] * len(places)
    return concatenated(
        [
            shifted(repeated(one.places, length, one.extent), place)
            for one, length, place in zip(of, lengths.tolist(), places.tolist(), strict=True)
        ]
    )


Run = tuple[int, int, int, int]
"""Along a dimension: start, length, how many of them, and how far apart."""
Section = tuple[list[int], list[list[Run]], str]
"""Of an array: its sizes, the runs along each dimension, and the order of elements."""


def _subarray(words: list[str]) -> Section:
    sizes, counts, starts = (_numbers(word).tolist() for word in words[:3])
    return sizes, [[(start, count, 1, 1)] for start, count in zip(starts, counts, strict=True)], words[3]


def _darray(words: list[str]) -> Section:
    """The order of processes in the grid is C's, whatever that of the array is."""
    rank, sizes, grid = int(words[0]), _numbers(words[1]).tolist(), _numbers(words[3]).tolist()
    place = [rank // prod(grid[i + 1 :]) % grid[i] for i in range(len(grid))]
    kinds = words[2].rstrip(",").split(",")
    return sizes, [_distributed(*one) for one in zip(kinds, sizes, grid, place, strict=True)], words[4]


def _distributed(kind: str, size: int, processes: int, at: int) -> list[Run]:
    argument = int(kind[1:]) if kind[1:] else None
    if kind[0] == "n":
        return [(0, size, 1, 1)]
    if kind[0] == "b":
        block = argument or -(-size // processes)
        return [(at * block, max(0, min(block, size - at * block)), 1, 1)]
    if kind[0] != "c":
        raise Unknown("an array is distributed in a way that is not known")
    block = argument or 1
    step = block * processes
    whole = max(0, (size - at * block) // step)
    last = at * block + whole * step
    left = max(0, min(block, size - last))
    if left == block:
        whole, left = whole + 1, 0
    return [(at * block, block, whole, step), (last, left, 1, 1)]


def _array(sizes: list[int], runs: list[list[Run]], order: str, part: Layout) -> Places:
    """The blocks of a section of an array."""
    dimensions = list(zip(sizes, runs, strict=True))
    places, stride = part.places, part.extent
    for size, of_dimension in dimensions if order == "fortran" else reversed(dimensions):
        places = concatenated(
            [
                shifted(repeated(repeated(places, length, stride), count, step * stride), start * stride)
                for start, length, count, step in of_dimension
                if length and count
            ]
        )
        stride *= size
    return places

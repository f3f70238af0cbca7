"""What a file holds: each variable's range, and how its datasets lie in it."""

import math
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from weir.flash.file import FlashFile

_BLOCK_BYTES = 1 << 24
"""Read at once."""


@dataclass(frozen=True)
class Range:
    """Of a variable in the leaves, or in all blocks where none is one; null where no value is a finite
    number, and such values do not count. agrees: with what the file states.
    not_finite, outside: the first block with a value that is no number, or not in the stated range, counted
    from 1 as in the file; null where there is none."""

    least: float | None
    most: float | None
    agrees: bool
    not_finite: int | None
    outside: int | None


@dataclass(frozen=True)
class Stored:
    """A dataset in the file. size: bytes of the file that hold its data. offsets: where they begin, one, or
    one for each chunk; none where nothing is stored."""

    name: str
    type: str
    shape: tuple[int, ...]
    size: int
    chunks: tuple[int, ...] | None
    filters: tuple[str, ...]
    offsets: tuple[int, ...]

    @property
    def way(self) -> str:
        """Chunks and filters, for people."""
        chunks = f"in chunks of {' x '.join(map(str, self.chunks))}" if self.chunks else "contiguous"
        return f"{chunks}, {', '.join(self.filters) or 'uncompressed'}"


def survey(file: FlashFile, variable: str) -> Range:
    """Read all of a variable, in parts."""
    data, leaves = file.data(variable), file.tree.leaves
    chosen = leaves if leaves.any() else np.ones(len(leaves), bool)
    whole, of_leaves = [math.inf, -math.inf], [math.inf, -math.inf]
    not_finite, outside = None, None
    stated = _stated(data)
    blocks = max(1, _BLOCK_BYTES * len(leaves) // max(data.nbytes, 1))
    for start in range(0, len(leaves), blocks):
        part = np.asarray(data[start : start + blocks], np.float64)
        not_finite = not_finite or _first_with(~np.isfinite(part), start)
        if stated:
            outside = outside or _first_with((part < stated[0]) | (part > stated[1]), start)
        for seen, values in ((whole, part), (of_leaves, part[chosen[start : start + blocks]])):
            finite = values[np.isfinite(values)]
            if finite.size:
                seen[0] = min(seen[0], float(finite.min()))
                seen[1] = max(seen[1], float(finite.max()))
    # Files may state the range of all blocks, or of the leaves.
    agrees = stated is None or stated in (whole, of_leaves)
    least, most = of_leaves if of_leaves[0] <= of_leaves[1] else (None, None)
    return Range(least, most, agrees, not_finite, outside)


def _stated(data: h5py.Dataset) -> list[float] | None:
    """The range by its attributes, rounded as the values are; null where it has none."""
    if "minimum" not in data.attrs or "maximum" not in data.attrs:
        return None
    ends = [float(np.ravel(data.attrs[name])[0]) for name in ("minimum", "maximum")]
    return [float(end) for end in np.asarray(ends, data.dtype)]


def _first_with(wrong: NDArray[np.bool_], start: int) -> int | None:
    """The number of the first block with such a value; the part begins after `start` blocks."""
    blocks = np.flatnonzero(wrong.any((1, 2, 3)))
    return start + int(blocks[0]) + 1 if len(blocks) else None


def storage(file: FlashFile) -> list[Stored]:
    """All datasets, in the order in which they lie in the file."""
    found = [_stored(name, file.datasets.find(name)) for name in file.datasets.names()]
    return sorted(found, key=lambda one: (one.offsets or (0,))[0])


def variables_in(found: list[Stored], file: FlashFile) -> list[Stored]:
    """Those that are variables."""
    return [one for one in found if one.name.strip() in file.variables]


def alignment(found: list[Stored]) -> int | None:
    """The greatest power of two that divides where their data begin; null where nothing is stored."""
    common = math.gcd(*(offset for one in found for offset in one.offsets))
    return common & -common or None


def _stored(name: str, dataset: h5py.Dataset) -> Stored:
    return Stored(
        name,
        type_of(dataset),
        tuple(dataset.shape),
        int(dataset.id.get_storage_size()),
        tuple(dataset.chunks) if dataset.chunks else None,
        _filters(dataset),
        tuple(sorted(_offsets(dataset))),
    )


def type_of(dataset: h5py.Dataset) -> str:
    """Of its elements, in a word: "f64", "f32 big-endian"."""
    kind = dataset.dtype
    if kind.names:
        return "record"
    if kind.kind in "SO":
        return "text"
    order = " big-endian" if kind.byteorder == ">" else ""
    return f"{kind.kind}{kind.itemsize * 8}{order}"


def _filters(dataset: h5py.Dataset) -> tuple[str, ...]:
    """Of HDF5's pipeline, in its order, by the names that the file has for them."""
    made = dataset.id.get_create_plist()
    all_of_them: list[Any] = [made.get_filter(number) for number in range(made.get_nfilters())]
    return tuple(name.decode("utf-8", "replace") or f"filter {code}" for code, _, _, name in all_of_them)


def _offsets(dataset: h5py.Dataset) -> list[int]:
    if not dataset.chunks:
        offset = dataset.id.get_offset()
        return [] if offset is None else [int(offset)]
    found: list[int] = []

    def note(chunk: Any) -> None:
        found.append(int(chunk.byte_offset))

    dataset.id.chunk_iter(note)
    return found

"""What a file holds: each variable's range, and how its datasets lie in it."""

import math
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from weir.flash.file import FlashFile

_BLOCK_BYTES = 1 << 24
"""Read at once."""


@dataclass(frozen=True)
class Range:
    """Of a variable in the leaves, or in all blocks where none is one. stated: by the file, of all blocks.
    finite: whether all values are numbers."""

    least: float
    most: float
    finite: bool
    agrees: bool


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
    finite = True
    blocks = max(1, _BLOCK_BYTES * len(leaves) // max(data.nbytes, 1))
    for start in range(0, len(leaves), blocks):
        part = np.asarray(data[start : start + blocks], np.float64)
        finite = finite and bool(np.isfinite(part).all())
        for seen, values in ((whole, part), (of_leaves, part[chosen[start : start + blocks]])):
            if values.size:
                seen[0] = min(seen[0], float(np.nanmin(values)))
                seen[1] = max(seen[1], float(np.nanmax(values)))
    return Range(of_leaves[0], of_leaves[1], finite, _agrees(data, whole, of_leaves))


def _agrees(data: h5py.Dataset, *ranges: list[float]) -> bool:
    """Are the attributes the range of all blocks, or of the leaves? Files need not have any."""
    if "minimum" not in data.attrs or "maximum" not in data.attrs:
        return True
    stated = [float(np.ravel(data.attrs[name])[0]) for name in ("minimum", "maximum")]
    rounded = [float(value) for value in np.asarray(stated, data.dtype)]
    return any(rounded == seen for seen in ranges)


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

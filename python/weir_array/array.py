"""Describing how an array is distributed. Local."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weir_array.library import CError, Code, Error, library

if TYPE_CHECKING:
    from mpi4py import MPI

Order = Literal["C", "F"]
Indices = Sequence[int]
_List = TypeVar("_List", bound=Sequence[object])
_ORDERS = {"C": 0, "F": 1}


@dataclass(frozen=True, slots=True)
class Local:
    """What a rank holds; of boxes, pieces and replicated arrays only `nbytes`, the others are empty.

    grid: ranks along each dimension.
    start: the first index along each dimension.
    count: elements along each dimension, without ghosts.
    nbytes: of the local array, ghosts included.
    """

    grid: tuple[int, ...]
    start: tuple[int, ...]
    count: tuple[int, ...]
    nbytes: int


class Array:
    """How one array is distributed: made by `block` and the other functions of this module."""

    def __init__(
        self, handle: ctypes.c_void_p, dtype: DTypeLike, dims: int, order: Order, blocks: bool
    ) -> None:
        self.handle = handle
        self.dtype = np.dtype(dtype)
        self.order: Order = order
        self._dims = dims
        self._blocks = blocks
        self._ghosts = np.zeros((2, dims), np.int64)
        self._free = library().weir_array_free

    def ghosts(self, before: int | Indices, after: int | Indices | None = None) -> "Array":
        """Say that the local array has ghost elements before and after its own along each dimension, as many
        after as before if not said otherwise. Returns the array."""
        both = (before, before if after is None else after)
        self._ghosts = np.array(
            [[n] * self._dims if isinstance(n, int) else self._checked("ghosts", n) for n in both], np.int64
        )
        library().weir_array_ghosts(self.handle, longs(self._ghosts[0]), longs(self._ghosts[1]), None)
        return self

    def memory_order(self, order: Order) -> "Array":
        """Say the order of the local array in memory, where it is not that of the file. Returns the array."""
        self.order = order
        library().weir_array_memory_order(self.handle, _ORDERS[order], None)
        return self

    def within(self, larger_shape: Indices, start: Indices) -> "Array":
        """Say that the array is the part of a larger one that starts there. Returns the array."""
        larger_shape, start = self._checked("larger_shape", larger_shape), self._checked("start", start)
        library().weir_array_within(self.handle, longs(larger_shape), longs(start), None)
        return self

    def fill_value(self, value: object) -> "Array":
        """Say which element a plan with holes=fill writes where no rank holds one. Returns the array."""
        element = np.array(value, self.dtype)
        if element.shape:
            raise Error(Code.BAD_ARGUMENT, -1, f"a fill value of shape {element.shape} (it is one element)")
        library().weir_array_fill_value(self.handle, element.ctypes.data, None)
        return self

    def alike(self, dtype: DTypeLike) -> "Array":
        """Another array distributed as this one, of another type: of pieces, both have one list."""
        made = ctypes.c_void_p()
        library().weir_array_alike(self.handle, np.dtype(dtype).itemsize, ctypes.byref(made), None)
        other = Array(made, dtype, self._dims, self.order, self._blocks)
        other._ghosts = self._ghosts
        return other

    def local(self, comm: "MPI.Comm") -> Local:
        """What this rank of the communicator holds. Raises Error where the description failed."""
        lists = [(ctypes.c_int64 * self._dims)() if self._blocks else None for _ in range(3)]
        nbytes, error = ctypes.c_int64(), CError()
        library().weir_array_local(
            self.handle, comm.Get_rank(), comm.Get_size(), *lists, ctypes.byref(nbytes), ctypes.byref(error)
        )
        error.check()
        grid, start, count = (tuple(held or ()) for held in lists)
        return Local(grid, start, count, nbytes.value)

    def empty(self, comm: "MPI.Comm") -> NDArray[np.generic]:
        """A local array of the right shape, order and type, ghosts included; its elements have any value. Of
        boxes, pieces and replicated arrays it has one dimension."""
        held = self.local(comm)
        if not self._blocks:
            return np.empty(held.nbytes // self.dtype.itemsize, self.dtype)
        return np.empty(np.array(held.count) + self._ghosts.sum(axis=0), self.dtype, self.order)

    def _checked(self, what: str, values: Indices) -> Indices:
        return _same_length(what, values, self._dims)

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self.handle)


def block(shape: Indices, dtype: DTypeLike, grid: Indices | None = None, *, order: Order = "C") -> Array:
    """Blocks on a grid of ranks, as even as they can be. The grid is chosen where none is given."""
    what = (len(shape), longs(shape), _optional("grid", grid, len(shape)))
    return _made("block", what, dtype, len(shape), order)


def block_cyclic(
    shape: Indices, blocks: Indices, dtype: DTypeLike, grid: Indices | None = None, *, order: Order = "C"
) -> Array:
    """Blocks of these lengths distributed cyclically along each dimension, as ScaLAPACK does."""
    _same_length("blocks", blocks, len(shape))
    what = (len(shape), longs(shape), longs(blocks), _optional("grid", grid, len(shape)))
    return _made("block_cyclic", what, dtype, len(shape), order)


def boxes(
    shape: Indices,
    starts: Sequence[Indices],
    counts: Sequence[Indices],
    dtype: DTypeLike,
    *,
    order: Order = "C",
) -> Array:
    """Any boxes: box i starts at starts[i] and holds counts[i] elements. In memory one follows the other."""
    _same_length("counts", counts, len(starts))
    for corner in (*starts, *counts):
        _same_length("a start or count", corner, len(shape))
    what = (len(shape), longs(shape), len(starts), longs(starts), longs(counts))
    return _made("boxes", what, dtype, len(shape), order)


def pieces(elements: int, offsets: Indices, dtype: DTypeLike, lengths: Indices | None = None) -> Array:
    """Any pieces of an array of one dimension: piece i holds lengths[i] elements from offsets[i] on, one each
    where no lengths are given. In memory one follows the other, in this order."""
    what = (elements, len(offsets), longs(offsets), _optional("lengths", lengths, len(offsets)))
    return _made("pieces", what, dtype)


def replicated(elements: int, dtype: DTypeLike) -> Array:
    """The same elements on every rank: rank 0 writes them, all ranks read them."""
    return _made("replicated", (elements,), dtype)


def longs(values: object) -> "ctypes._Pointer[ctypes.c_int64]":
    """Integers as the library takes them; they live as long as the pointer."""
    return np.ascontiguousarray(values, np.int64).ctypes.data_as(ctypes.POINTER(ctypes.c_int64))


def _made(
    kind: str, what: tuple[object, ...], dtype: DTypeLike, dims: int = 1, order: Order | None = None
) -> Array:
    """The array that the library makes of `what`; those of one dimension have no order."""
    made = ctypes.c_void_p()
    orders = () if order is None else (_ORDERS[order],)
    make = getattr(library(), f"weir_array_{kind}")
    make(*what, np.dtype(dtype).itemsize, *orders, ctypes.byref(made), None)
    return Array(made, dtype, dims, order or "C", kind in ("block", "block_cyclic"))


def _optional(what: str, values: Indices | None, length: int) -> "ctypes._Pointer[ctypes.c_int64] | None":
    return None if values is None else longs(_same_length(what, values, length))


def _same_length(what: str, values: _List, length: int) -> _List:
    if len(values) != length:
        raise Error(Code.BAD_ARGUMENT, -1, f"{what} has {len(values)} entries (there must be {length})")
    return values

"""Describing how an array is distributed. Local."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weir_array.checks import Wrong, element, element_type, integer, integers
from weir_array.library import CError, Code, Error, library

if TYPE_CHECKING:
    from mpi4py import MPI

Order = Literal["C", "F"]
Indices = Sequence[int]
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
        self, handle: ctypes.c_void_p, dtype: np.dtype[np.generic], dims: int, order: Order, blocks: bool
    ) -> None:
        self.handle = handle
        self.dtype = dtype
        self.order: Order = order
        self.wrong = ""
        """Why this package did not take the description; the library then has none, and plans fail."""
        self._dims = dims
        self._blocks = blocks
        self._ghosts = np.zeros((2, dims), np.int64)
        self._free = library().weir_array_free

    def ghosts(self, before: int | Indices, after: int | Indices | None = None) -> "Array":
        """Say that the local array has ghost elements before and after its own along each dimension, as many
        after as before if not said otherwise. Returns the array."""

        def described() -> None:
            both = (before, before if after is None else after)
            self._ghosts = np.array([self._along_each("ghosts", number) for number in both])
            library().weir_array_ghosts(self.handle, longs(self._ghosts[0]), longs(self._ghosts[1]), None)

        return self._changed(described)

    def memory_order(self, order: Order) -> "Array":
        """Say the order of the local array in memory, where it is not that of the file. Returns the array."""

        def described() -> None:
            library().weir_array_memory_order(self.handle, _order(order), None)
            self.order = order

        return self._changed(described)

    def within(self, larger_shape: Indices, start: Indices) -> "Array":
        """Say that the array is the part of a larger one that starts there. Returns the array."""

        def described() -> None:
            larger = integers("larger_shape", larger_shape, self._dims)
            first = integers("start", start, self._dims)
            library().weir_array_within(self.handle, longs(larger), longs(first), None)

        return self._changed(described)

    def fill_value(self, value: object) -> "Array":
        """Say which element a plan with holes=fill writes where no rank holds one. Returns the array."""

        def described() -> None:
            held = element("the fill value", value, self.dtype)
            library().weir_array_fill_value(self.handle, held.ctypes.data, None)

        return self._changed(described)

    def alike(self, dtype: DTypeLike) -> "Array":
        """Another array distributed as this one, of another type: of pieces, both have one list."""
        made = ctypes.c_void_p()
        try:
            of, wrong = element_type(dtype), self.wrong
        except Wrong as refused:
            of, wrong = self.dtype, str(refused)
        if not wrong:
            library().weir_array_alike(self.handle, of.itemsize, ctypes.byref(made), None)
        other = Array(made, of, self._dims, self.order, self._blocks)
        other._ghosts, other.wrong = self._ghosts, wrong
        return other

    def local(self, comm: "MPI.Comm") -> Local:
        """What this rank of the communicator holds. Raises Error where the description failed."""
        if self.wrong:
            raise Error(Code.BAD_ARGUMENT, -1, self.wrong)
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
        return np.empty(self.local_shape(self.local(comm)), self.dtype, self.order)

    def local_shape(self, held: Local) -> tuple[int, ...]:
        """The shape of what `empty` makes where this is held."""
        if not self._blocks:
            return (held.nbytes // self.dtype.itemsize,)
        return tuple((np.array(held.count) + self._ghosts.sum(axis=0)).tolist())

    def _along_each(self, what: str, numbers: "int | Indices") -> NDArray[np.int64]:
        if np.ndim(numbers) == 0:
            return np.full(self._dims, integer(what, numbers), np.int64)
        return integers(what, numbers, self._dims)

    def _changed(self, change: Callable[[], None]) -> "Array":
        """The array after the change; where that is refused, it has no description any more."""
        try:
            if not self.wrong:
                change()
        except Wrong as wrong:
            self.wrong = str(wrong)
            self._free(self.handle)
            self.handle = ctypes.c_void_p()
        return self

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self.handle)


def block(shape: Indices, dtype: DTypeLike, grid: Indices | None = None, *, order: Order = "C") -> Array:
    """Blocks on a grid of ranks, as even as they can be. The grid is chosen where none is given."""

    def what() -> tuple[object, ...]:
        lengths = integers("shape", shape)
        return len(lengths), longs(lengths), _optional("grid", grid, len(lengths))

    return _made("block", what, dtype, order)


def block_cyclic(
    shape: Indices, blocks: Indices, dtype: DTypeLike, grid: Indices | None = None, *, order: Order = "C"
) -> Array:
    """Blocks of these lengths distributed cyclically along each dimension, as ScaLAPACK does."""

    def what() -> tuple[object, ...]:
        lengths = integers("shape", shape)
        dims = len(lengths)
        return dims, longs(lengths), longs(integers("blocks", blocks, dims)), _optional("grid", grid, dims)

    return _made("block_cyclic", what, dtype, order)


def boxes(
    shape: Indices,
    starts: Sequence[Indices],
    counts: Sequence[Indices],
    dtype: DTypeLike,
    *,
    order: Order = "C",
) -> Array:
    """Any boxes: box i starts at starts[i] and holds counts[i] elements. In memory one follows the other."""

    def what() -> tuple[object, ...]:
        lengths = integers("shape", shape)
        corners = integers("starts", starts, each=len(lengths))
        sizes = integers("counts", counts, len(corners), each=len(lengths))
        return len(lengths), longs(lengths), len(corners), longs(corners), longs(sizes)

    return _made("boxes", what, dtype, order)


def pieces(elements: int, offsets: Indices, dtype: DTypeLike, lengths: Indices | None = None) -> Array:
    """Any pieces of an array of one dimension: piece i holds lengths[i] elements from offsets[i] on, one each
    where no lengths are given. In memory one follows the other, in this order."""

    def what() -> tuple[object, ...]:
        first = integers("offsets", offsets)
        held = _optional("lengths", lengths, len(first))
        return integer("the number of elements", elements), len(first), longs(first), held

    return _made("pieces", what, dtype)


def replicated(elements: int, dtype: DTypeLike) -> Array:
    """The same elements on every rank: rank 0 writes them, all ranks read them."""
    return _made("replicated", lambda: (integer("the number of elements", elements),), dtype)


def longs(values: NDArray[np.int64]) -> "ctypes._Pointer[ctypes.c_int64]":
    """Integers as the library takes them; they live as long as the pointer."""
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))


def _made(
    kind: str, what: Callable[[], tuple[object, ...]], dtype: DTypeLike, order: Order | None = None
) -> Array:
    """The array that the library makes of `what`; those of one dimension have no order. What is wrong makes
    one without a description: raised here, on one rank perhaps, it would leave the others waiting."""
    made, blocks = ctypes.c_void_p(), kind in ("block", "block_cyclic")
    make = getattr(library(), f"weir_array_{kind}")
    try:
        given, elements = what(), element_type(dtype)
        orders = () if order is None else (_order(order),)
    except Wrong as wrong:
        failed = Array(made, np.dtype("V1"), 1, "C", blocks)
        failed.wrong = str(wrong)
        return failed
    make(*given, elements.itemsize, *orders, ctypes.byref(made), None)
    dims = 1 if order is None else int(str(given[0]))
    return Array(made, elements, dims, order or "C", blocks)


def _order(order: object) -> int:
    if order not in ("C", "F"):
        raise Wrong(f"the order is {order!r} (it must be 'C' or 'F')")
    return _ORDERS[str(order)]


def _optional(what: str, values: Indices | None, length: int) -> "ctypes._Pointer[ctypes.c_int64] | None":
    return None if values is None else longs(integers(what, values, length))

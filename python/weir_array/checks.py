"""What the library takes as integers and as elements. What is neither is refused: never converted, cut off or
read as something else.

What is wrong comes as a `Wrong`, since a rank that raised its own error would leave the others waiting: it is
handed on, and the next collective call fails on all ranks.
"""

import math
import operator

import numpy as np
from numpy.typing import DTypeLike, NDArray

LEAST, MOST = -(2**63), 2**63 - 1


class Wrong(Exception):
    """Something given cannot be used: `problem (reason) suggestion`."""


def integer(what: str, value: object) -> int:
    """A single integer, of Python's or NumPy's. Raises Wrong."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise Wrong(f"{what} is {_shown(value)} (it must be an integer). {_ADVICE}") from None
    if not LEAST <= number <= MOST:
        raise Wrong(f"{what} is {number} (it must fit into 64 bits). Check how it was computed")
    return number


def integers(
    what: str, values: object, length: int | None = None, each: int | None = None
) -> NDArray[np.int64]:
    """A list of so many integers, or of lists that have `each` so many. Raises Wrong."""
    try:
        given = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise Wrong(f"{what} are no list of integers ({error}). {_ADVICE}") from None
    if given.ndim == 0:
        raise Wrong(f"{what} is {_shown(values)} (a list of integers is needed). Write it as (n,)")
    shape = (len(given) if length is None else length,) + (() if each is None else (each,))
    if len(given) != shape[0]:
        raise Wrong(f"{what} has {len(given)} entries (there must be {shape[0]})")
    if given.shape != shape and (given.size or math.prod(shape)):
        raise Wrong(f"{what} has the shape {given.shape} (it must be {shape})")
    if given.size == 0:
        return np.zeros(shape, np.int64)
    if isinstance(values, np.ma.MaskedArray):
        raise Wrong(f"{what} is a masked array (what is masked has no value). Pass values.compressed()")
    if given.dtype.kind == "O" and all(isinstance(value, int) for value in given.flat):
        raise Wrong(
            f"{what} has {max(given.flat, key=abs)} (it must fit into 64 bits). Check how it was computed"
        )
    if given.dtype.kind not in "iu":
        raise Wrong(f"{what} has elements of type {given.dtype} (they must be integers). {_ADVICE}")
    if given.dtype.kind == "u" and int(given.max()) > MOST:
        raise Wrong(f"{what} has {given.max()} (it must fit into 64 bits). Check how it was computed")
    return np.ascontiguousarray(given, np.int64)


_ADVICE = "Convert it where no digit is lost, as by values.astype(int)"


def element_type(dtype: DTypeLike) -> np.dtype[np.generic]:
    """The type of an array's elements. Raises Wrong where their bytes are not the data."""
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise Wrong(f"{_shown(dtype)} is no type of elements ({error}). Name one of NumPy's") from None
    if found.hasobject:
        raise Wrong(
            f"elements of type {found} cannot be in a file (an array holds their addresses, not their data). "
            "Convert the array to numbers or to text of a fixed length"
        )
    if found.itemsize == 0:
        raise Wrong(f"elements of type {found} have no bytes (its length is missing). Write it, as in 'S8'")
    return found


def element(what: str, value: object, dtype: np.dtype[np.generic]) -> NDArray[np.generic]:
    """One element of this type with this value, as an array without dimensions. Raises Wrong where it cannot
    have it."""
    try:
        given = np.asarray(value)
        held = given.astype(dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise Wrong(f"{what} is {_shown(value)} (no element of type {dtype}: {error})") from None
    if held.ndim != 0:
        raise Wrong(f"{what} has the shape {held.shape} (it is one element). Pass a single value")
    lost = given.dtype.kind in "biufc" and dtype.kind in "biu" and not np.array_equal(held, given)
    if lost:
        raise Wrong(f"{what} is {_shown(value)} (elements of type {dtype} cannot have that value)")
    return held


def wrong_type(given: np.dtype[np.generic], wanted: np.dtype[np.generic]) -> str:
    """What is wrong with the elements of a local array; empty where nothing is."""
    if given in (wanted, wanted.base):
        return ""
    if given.newbyteorder() == wanted:
        return (
            f"the array's elements are {given.str} (in the other byte order than the plan's, {wanted.str}). "
            f"Convert it, by array.astype('{wanted.str}'), or describe it with its own type"
        )
    return (
        f"the array's elements are {given} (the plan's are {wanted}). Convert it, by astype, or describe it "
        "with its own type; where bytes are to be taken as they are, pass array.view"
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"

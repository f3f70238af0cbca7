"""NumPy arrays as the library takes them."""

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weir_array.array import Order
from weir_array.error import CError, Code, Error

Buffer = NDArray[np.generic] | None


class Expected:
    """What a plan needs of a buffer on this rank."""

    def __init__(self, nbytes: int, order: Order) -> None:
        self.nbytes = nbytes
        self.order = order

    def wrong(self, buffer: NDArray[np.generic], into: bool) -> str:
        """What is wrong with the buffer; empty where nothing is. `into`: it is read into."""
        if not buffer.flags.forc:
            return (
                "the array is not contiguous (it is a view of a larger one) Describe its border with ghosts "
                "and pass the larger one, or pass a copy"
            )
        if not buffer.flags[self.order]:
            return f"the array is not in {self.order} order (as the plan expects) Say so with memory_order"
        if buffer.nbytes != self.nbytes:
            return (
                f"the array has {buffer.nbytes} bytes (this rank's part, ghosts included, has {self.nbytes}) "
                "Array.empty makes one of the right shape"
            )
        return "the array is read-only (it is to be read into)" if into and not buffer.flags.writeable else ""


class Buffers:
    """The addresses of a call's buffers. What is wrong is handed on as null: then the call fails on all
    ranks, where an exception on this one alone would leave the others waiting."""

    def __init__(
        self, buffers: Sequence[Buffer], expected: Sequence[Expected], rank: int, into: bool
    ) -> None:
        self._rank = rank
        self._wrong = wrong_number("arrays", len(buffers), len(expected))
        self.addresses = (ctypes.c_void_p * len(expected))()
        if self._wrong:
            return
        for i, (buffer, wanted) in enumerate(zip(buffers, expected, strict=True)):
            wrong = "" if buffer is None else wanted.wrong(buffer, into)
            self._wrong = self._wrong or wrong
            self.addresses[i] = None if wrong or buffer is None else buffer.ctypes.data

    def check(self, error: CError) -> None:
        """Raise the call's error, if it failed: this rank's own, if there is one. A rank that holds nothing
        may give what it likes."""
        if self._wrong and error.code != Code.OK:
            raise Error(Code.BAD_ARGUMENT, self._rank, self._wrong)
        error.check()


def wrong_number(what: str, given: int, arrays: int) -> str:
    """What is wrong with the length of a list that has an entry for each array of a plan; empty where nothing
    is."""
    if given == arrays:
        return ""
    return f"{given} {what} were given for the plan's {arrays} (one each is needed)"

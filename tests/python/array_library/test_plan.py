"""Buffers that a plan cannot take are found before the library sees them, and refused on all ranks."""

import numpy as np
import pytest

from weir_array.library import CError, Code, Error
from weir_array.plan import Buffers, Expected

RIGHT = np.zeros((4, 6))
LARGER = np.zeros((6, 8))


@pytest.mark.parametrize(
    ("buffer", "order", "said"),
    [
        (RIGHT, "C", ""),
        (RIGHT.T, "F", ""),
        (np.zeros(24), "F", ""),
        (RIGHT, "F", "not in F order"),
        (RIGHT.T, "C", "not in C order"),
        (LARGER[1:-1, 1:-1], "C", "not contiguous"),
        (LARGER, "C", "has 384 bytes"),
        (RIGHT.astype("f4"), "C", "has 96 bytes"),
    ],
)
def test_what_is_wrong_with_a_buffer(buffer, order, said) -> None:
    assert said in Expected(RIGHT.nbytes, order).wrong(buffer, into=True)
    assert bool(said) == bool(Expected(RIGHT.nbytes, order).wrong(buffer, into=False))


def test_what_is_read_only_can_be_written_to_a_file_alone() -> None:
    constant = np.zeros(3)
    constant.flags.writeable = False
    assert Expected(24, "C").wrong(constant, into=False) == ""
    assert "read-only" in Expected(24, "C").wrong(constant, into=True)


def test_a_wrong_buffer_is_handed_on_as_null_and_named_when_the_call_fails() -> None:
    buffers = Buffers([RIGHT, LARGER], [Expected(RIGHT.nbytes, "C")] * 2, rank=3, into=False)
    assert buffers.addresses[0] == RIGHT.ctypes.data
    assert buffers.addresses[1] is None
    buffers.check(CError())
    with pytest.raises(Error, match="384 bytes") as caught:
        buffers.check(CError(Code.BAD_ARGUMENT, 3, b"null"))
    assert (caught.value.code, caught.value.rank) == (Code.BAD_ARGUMENT, 3)


def test_another_rank_s_error_is_told_as_the_library_tells_it() -> None:
    buffers = Buffers([RIGHT, None], [Expected(RIGHT.nbytes, "C")] * 2, rank=0, into=False)
    with pytest.raises(Error, match="No space") as caught:
        buffers.check(CError(Code.IO, 2, b"No space"))
    assert (caught.value.code, caught.value.rank) == (Code.IO, 2)


def test_a_wrong_number_of_buffers_is_handed_on_as_nulls() -> None:
    buffers = Buffers([RIGHT], [Expected(0, "C")] * 2, rank=0, into=False)
    assert list(buffers.addresses) == [None, None]
    with pytest.raises(Error, match="1 arrays were given for the plan's 2"):
        buffers.check(CError(Code.BAD_ARGUMENT, 0, b"null"))

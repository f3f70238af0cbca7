"""Buffers that a plan cannot take are found before the library sees them, and refused on all ranks."""

import math
from typing import Literal

import numpy as np
import pytest

from weir_array.library import CError, Code, Error
from weir_array.plan import Buffers, Expected

RIGHT = np.zeros((4, 6))
LARGER = np.zeros((6, 8))


def expected(order: Literal["C", "F"] = "C", dtype: str = "f8", shape: tuple[int, ...] = (4, 6)) -> Expected:
    elements = np.dtype(dtype)
    return Expected(math.prod(shape) * elements.itemsize, order, elements, shape)


@pytest.mark.parametrize(
    ("buffer", "order", "said"),
    [
        (RIGHT, "C", ""),
        (np.asfortranarray(RIGHT), "F", ""),
        (np.zeros(24), "F", ""),
        (RIGHT, "F", "not in F order"),
        (RIGHT.T, "C", "not in C order"),
        (np.zeros((6, 4)), "C", "has the shape (6, 4)"),
        (RIGHT[::-1], "C", "not contiguous"),
        (np.broadcast_to(np.zeros(1), (4, 6)), "C", "not contiguous"),
        (LARGER[1:-1, 1:-1], "C", "not contiguous"),
        (LARGER, "C", "has 384 bytes"),
        (RIGHT.astype("f4"), "C", "elements are float32 (the plan's are float64)"),
        (RIGHT.astype("i8"), "C", "elements are int64 (the plan's are float64)"),
        (np.zeros((4, 3), "c16"), "C", "elements are complex128"),
        (RIGHT.astype(">f8"), "C", "other byte order"),
        (RIGHT.astype(object), "C", "elements are object"),
        (RIGHT.astype("M8[s]"), "C", "elements are datetime64[s]"),
        (np.zeros(192, bool), "C", "elements are bool"),
        (np.zeros(3), "C", "has 24 bytes"),
        (np.array(0.0), "C", "has 8 bytes"),
        (np.ma.masked_array(RIGHT, RIGHT == 0), "C", "is masked"),
        ([[0.0] * 6] * 4, "C", "a list was given"),
        (memoryview(RIGHT), "C", "a memoryview was given"),
    ],
)
def test_what_is_wrong_with_a_buffer(buffer, order, said) -> None:
    assert said in expected(order).wrong(buffer, into=False)
    assert bool(said) == bool(expected(order).wrong(buffer, into=True))


@pytest.mark.parametrize(
    ("dtype", "buffer"),
    [
        ("bool", np.zeros(24, bool)),
        (">f8", RIGHT.astype(">f8")),
        ("c16", RIGHT.astype("c16")),
        ("S5", np.zeros((4, 6), "S5")),
        ("3f8", np.zeros((4, 6, 3))),
        ("f8,i4", np.zeros((4, 6), "f8,i4")),
    ],
)
def test_a_type_that_fits(dtype, buffer) -> None:
    assert expected(dtype=dtype).wrong(buffer, into=True) == ""


def test_an_array_of_no_dimension_holds_one_element() -> None:
    assert expected(shape=(1,)).wrong(np.array(3.0), into=True) == ""


def test_what_is_read_only_can_be_written_to_a_file_alone() -> None:
    constant = np.zeros(3)
    constant.flags.writeable = False
    assert expected(shape=(3,)).wrong(constant, into=False) == ""
    assert "read-only" in expected(shape=(3,)).wrong(constant, into=True)


def test_a_wrong_buffer_is_handed_on_as_null_and_named_when_the_call_fails() -> None:
    buffers = Buffers([RIGHT, LARGER], [expected()] * 2, rank=3, into=False)
    assert buffers.addresses[0] == RIGHT.ctypes.data
    assert buffers.addresses[1] is None
    buffers.check(CError())
    with pytest.raises(Error, match="384 bytes") as caught:
        buffers.check(CError(Code.BAD_ARGUMENT, 3, b"null"))
    assert (caught.value.code, caught.value.rank) == (Code.BAD_ARGUMENT, 3)


def test_another_rank_s_error_is_told_as_the_library_tells_it() -> None:
    buffers = Buffers([RIGHT, None], [expected()] * 2, rank=0, into=False)
    with pytest.raises(Error, match="No space") as caught:
        buffers.check(CError(Code.IO, 2, b"No space"))
    assert (caught.value.code, caught.value.rank) == (Code.IO, 2)


def test_a_wrong_number_of_buffers_is_handed_on_as_nulls() -> None:
    buffers = Buffers([RIGHT], [expected(shape=(0,))] * 2, rank=0, into=False)
    assert list(buffers.addresses) == [None, None]
    with pytest.raises(Error, match="1 arrays were given for the plan's 2"):
        buffers.check(CError(Code.BAD_ARGUMENT, 0, b"null"))

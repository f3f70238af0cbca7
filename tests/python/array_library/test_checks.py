"""What is no integer, or no type of elements, is refused with the reason and never converted."""

import numpy as np
import pytest

from weir_array.checks import Wrong, element, element_type, integer, integers


@pytest.mark.parametrize("value", [3, np.int32(3), np.uint64(3), np.array(3), -(2**63), 2**63 - 1])
def test_integers_are_taken(value) -> None:
    assert integer("n", value) == int(value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.5, "n is 1.5 (it must be an integer)"),
        (2.0, "must be an integer"),
        (np.float64(2), "must be an integer"),
        (True, "n is True (it must be an integer)"),
        (np.True_, "must be an integer"),
        ("3", "n is '3'"),
        (None, "n is None"),
        ([3], "must be an integer"),
        (np.array([3]), "must be an integer"),
        (1 + 0j, "must be an integer"),
        (2**63, "64 bits"),
        (np.uint64(2**63), "64 bits"),
    ],
)
def test_what_is_no_integer(value, said) -> None:
    with pytest.raises(Wrong) as caught:
        integer("n", value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        [3, 0, 5],
        (3, 0, 5),
        np.array([3, 0, 5], "u1"),
        np.array([3, 0, 5], ">i4"),
        np.arange(9)[[3, 0, 5]],
        np.array([3, 9, 0, 9, 5])[::2],
        range(3),
        [],
    ],
)
def test_lists_of_integers_are_taken_as_they_are(values) -> None:
    found = integers("offsets", values)
    assert found.dtype == np.int64 and found.flags.c_contiguous and found.tolist() == list(values)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0, 1.5], "offsets has elements of type float64 (they must be integers)"),
        (np.arange(3.0), "float64"),
        ([True, False], "bool"),
        (["1", "2"], "must be integers"),
        ([None, 1], "object"),
        ([1, 2j], "complex128"),
        (np.array([1], "M8[s]"), "datetime64"),
        (3, "a list of integers is needed"),
        ([[1, 2], [3]], "no list of integers"),
        ([[1, 2]], "shape (1, 2) (it must be (1,))"),
        ([-1, 2**63], "must"),  # NumPy makes floats of them
        ([1, -(2**70)], "64 bits"),
        (np.array([2**63], np.uint64), "64 bits"),
        (np.ma.masked_array([1, 2], [False, True]), "masked"),
    ],
)
def test_what_is_no_list_of_integers(values, said) -> None:
    with pytest.raises(Wrong) as caught:
        integers("offsets", values)
    assert said in str(caught.value)


def test_lists_have_the_length_and_the_shape_that_is_wanted() -> None:
    assert integers("starts", [], each=2).shape == (0, 2)
    assert integers("starts", [(0, 1)], 1, each=2).tolist() == [[0, 1]]
    for values, length, each in (([1, 2], 3, None), ([(1, 2)], 2, 2), ([(1, 2)], 1, 3), ([1, 2], None, 2)):
        with pytest.raises(Wrong, match=r"must be"):
            integers("starts", values, length, each)


@pytest.mark.parametrize("dtype", ["f8", ">i4", bool, "c16", "M8[s]", "S8", "f8,i4", "V16"])
def test_types_of_elements(dtype) -> None:
    assert element_type(dtype) == np.dtype(dtype)


@pytest.mark.parametrize(
    ("dtype", "said"),
    [(object, "addresses"), ("f8,O", "addresses"), ("S", "no bytes"), ("U", "no bytes"), ("x9", "no type")],
)
def test_what_is_no_type_of_elements(dtype, said) -> None:
    with pytest.raises(Wrong, match=said):
        element_type(dtype)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(-999.0, "f8"), (1e20, "f4"), (np.nan, "f4"), (7, "i2"), (7.0, "u1"), ("ab", "S2"), (1, "c16")],
)
def test_a_value_that_an_element_can_have_is_taken(value, dtype) -> None:
    held = element("the fill value", value, np.dtype(dtype))
    assert (
        held.dtype == dtype
        and held.shape == ()
        and np.array_equal(held, np.array(value, dtype), held.dtype.kind in "fc")
    )


@pytest.mark.parametrize(
    ("value", "dtype", "said"),
    [
        ([1.0, 2.0], "f8", "the fill value has the shape (2,)"),
        (1.5, "i4", "is 1.5 (elements of type int32 cannot have that value)"),
        (300, "u1", "cannot have that value"),
        (-1, "u4", "cannot have that value"),
        ("x", "f8", "is 'x' (no element of type float64"),
        (None, "i4", "is None"),
    ],
)
def test_a_value_that_an_element_cannot_have_is_refused(value, dtype, said) -> None:
    with pytest.raises(Wrong) as caught:
        element("the fill value", value, np.dtype(dtype))
    assert said in str(caught.value)

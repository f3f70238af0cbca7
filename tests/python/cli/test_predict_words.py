"""What `weir predict` says of a forecast that is off."""

from dataclasses import replace

import pytest

from weir.analyse.paired import ratio_of_neighbours
from weir.analyse.statistics import estimate_median
from weir.cli.predict import _off_words
from weir.predict.forecast import Error, Row


def off(ratios: list[float]) -> tuple[Row, Error]:
    """A row that is off, by the ratios of its pairs."""
    ratio = ratio_of_neighbours(
        {(at, 0): one for at, one in enumerate(ratios)}, {(at, 0): 1.0 for at in range(9)}
    )
    one = estimate_median([1.0])
    assert ratio
    assert one
    error = Error(ratio)
    return Row("dump", "write", 8, "synced", one, one, one, error, 0.5, ("sizes differ",)), error


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([1.5, 1.4], "; there is no interval, so that it may be chance."),
        ([1.5, 0.5, 1.4, 0.7, 1.3, 1.2, 1.6], "; the interval contains 0, so that it may be chance."),
        ([1.5, 1.4, 1.5, 1.6, 1.5, 1.4, 1.5], "cannot express: sizes differ."),
    ],
)
def test_it_says_why_it_may_be_chance(ratios: list[float], said: str) -> None:
    row, error = off(ratios)
    assert _off_words(row, error, None).endswith(said)


def test_what_a_preset_chose_is_not_laid_to_the_benchmark() -> None:
    row, error = off([1.5] * 7)
    said = _off_words(row, error, "shan-2007")
    assert said == "dump, write: off by +50.0 %; what preset shan-2007 makes otherwise: sizes differ."
    assert _off_words(replace(row, causes=()), error, None).endswith("its parameters say all of this phase.")

"""Fisher's exact test."""

import pytest

from weir.analyse.shares import chance_of_shares


def test_the_lady_tasting_tea() -> None:
    """Fisher's own example: 3 of 4 cups right is chance in 34 of 70, all four in 2 of 70 (of two sides)."""
    assert chance_of_shares(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert chance_of_shares(4, 4, 0, 4) == pytest.approx(2 / 70)


def test_equal_shares_are_chance_and_so_is_nothing() -> None:
    assert chance_of_shares(5, 10, 5, 10) == pytest.approx(1)
    assert chance_of_shares(0, 0, 3, 5) == 1
    assert chance_of_shares(0, 6, 0, 9) == pytest.approx(1)

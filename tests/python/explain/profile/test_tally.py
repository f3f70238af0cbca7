"""Sums by keys are exact, in whatever way they are made."""

import numpy as np
import pytest

from weir.explain.profile.tally import Tally


@pytest.mark.parametrize("gap", [1, 1000])
@pytest.mark.parametrize("value", [3, (1 << 53) + 1, 1 << 62])
def test_sums_are_exact(gap: int, value: int) -> None:
    tally = Tally()
    tally.add(np.array([0, gap, 0]), np.array([1, value, 2]))
    keys, sums = tally.sums()
    assert (keys.tolist(), sums.tolist()) == ([0, gap], [3, value])

"""Different values are those that NumPy finds."""

import numpy as np
import pytest

from weir.distinct import distinct


@pytest.mark.parametrize("values", [[], [5], [3, 1, 3, 3, 2, 1], [[2, 1], [1, 2]]])
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.float64, bool])
def test_different_values(values: list[int], kind: type) -> None:
    given = np.array(values, kind)
    assert distinct(given).tolist() == np.unique(given).tolist()
    assert distinct(given).dtype == given.dtype

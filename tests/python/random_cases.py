"""How many cases a random test tries: the same few in `make test`, many others in the nightly stage."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

TIMES = int(os.environ.get("WEIR_RANDOM_TIMES", "1"))


def random_cases(count: int) -> Callable[[Any], Any]:
    """Mark a test as random, and let it try `count` cases, always the same ones.

    With WEIR_RANDOM_TIMES=N they are N times as many, and others each time; a failure prints how
    to repeat it.
    """
    chosen = settings(max_examples=count * TIMES, derandomize=TIMES == 1, print_blob=True)
    return lambda test: pytest.mark.random(chosen(test))

"""The quick ways of sorting and searching long columns find what the plain ones do."""

import numpy as np
import pytest

from weir.trace.pattern.operations.opens import with_opens
from weir.trace.pattern.operations.operation import (
    OPERATION,
    Kind,
    LeftOut,
    distinct,
    running_max,
    stable_order,
)
from weir.trace.pattern.steps import find_loops

DRAWN = np.random.default_rng(7)


def test_distinct_values() -> None:
    for values in (DRAWN.integers(-5, 5, 100), np.zeros(0, np.int64), np.array([2**63 - 1, -(2**63)])):
        assert distinct(values).tolist() == sorted(set(values.tolist()))


@pytest.mark.parametrize("size", [3, 300, 2**20, 2**40])
def test_a_stable_order(size: int) -> None:
    columns = DRAWN.integers(0, size, 2000), DRAWN.integers(0, 4, 2000).astype(np.int8)
    assert stable_order(*columns).tolist() == np.lexsort(columns).tolist()
    assert stable_order(columns[0] - 1, columns[1]).tolist() == np.lexsort(columns).tolist()


@pytest.mark.parametrize("size", [10, 2**62])
def test_the_greatest_value_so_far_of_each_group(size: int) -> None:
    values, group = DRAWN.integers(-size, size, 500), np.sort(DRAWN.integers(0, 9, 500))
    found = running_max(values, group).tolist()
    assert found == [max(values[: i + 1][group[: i + 1] == one].tolist()) for i, one in enumerate(group)]


def test_many_symbols_have_the_distances_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    symbol, segment = DRAWN.integers(0, 300, 5000).astype(np.uint64), np.sort(DRAWN.integers(0, 3, 5000))
    place = DRAWN.integers(0, 50, 5000).astype(np.uint64)
    plainly = find_loops.long_periods(segment, symbol.view(np.int64), place, 16)
    monkeypatch.setattr(find_loops, "MANY", 0)
    assert plainly and find_loops.long_periods(segment, symbol.view(np.int64), place, 16) == plainly


def test_an_added_close_comes_before_an_added_open_of_what_follows() -> None:
    operations = np.zeros(4, OPERATION)
    operations["rank"], operations["kind"], operations["file"] = [0, 0, 1, 1], Kind.WRITE, [1, 2, 1, 2]
    found = with_opens(operations, LeftOut())
    assert found["rank"].tolist() == [0] * 6 + [1] * 6
    assert found["kind"].tolist() == 2 * [
        Kind.OPEN,
        Kind.WRITE,
        Kind.CLOSE,
        Kind.OPEN,
        Kind.WRITE,
        Kind.CLOSE,
    ]
    assert found["file"].tolist() == 2 * [1, 1, 1, 2, 2, 2]

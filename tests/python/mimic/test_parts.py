"""Parts of arrays in closed form, against what weir-core makes of them rank by rank."""

import csv
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from end_to_end.patterns import closing, opening, phase
from end_to_end.patterns import pattern as small
from random_cases import random_cases
from weir.core.client import find_core
from weir.mimic.nests import Levels
from weir.mimic.parts import parts_of, square_grid
from weir.pattern import Array, Partition


def expanded(folder: Path, shape: list[int], by: dict[str, Any], ranks: int) -> Counter[int]:
    """How many contiguous pieces of which size all ranks have, as weir-core expands them."""
    access = {
        "verb": "read",
        "file": 0,
        "ranks": {"first": 0, "count": ranks, "step": 1},
        "array": 0,
        "partition": 0,
    }
    raw = small(phase("read", opening("read"), {"access": access}, closing()), ranks=ranks)
    raw["files"][0]["arrays"] = [{"name": "a", "element": "f8", "shape": shape, "offset": 0}]
    raw["partitions"] = [by]
    path = folder / "p.json"
    path.write_text(json.dumps(raw))
    out = subprocess.run([find_core(), "expand", path], capture_output=True, check=True, text=True).stdout
    rows = csv.DictReader(out.splitlines())
    return Counter(int(row["length"]) for row in rows if row["op"] == "read" and int(row["length"]))


@pytest.mark.parametrize(
    ("shape", "by", "ranks"),
    [
        ([60, 40], {"grid": [2, 2]}, 4),
        ([61, 41], {"grid": [2, 2]}, 4),
        ([16, 16, 16], {"grid": [2, 2, 2]}, 8),
        ([7, 9, 11], {"grid": [2, 1, 3], "first_fastest": True}, 6),
        ([243, 8], {"counts": [80, 81, 82]}, 3),
        ([486], {"counts": [80, 81, 82], "cycle": True}, 6),
        ([100, 3], {"same": [10, 20]}, 4),
        ([64, 64], {"grid": [2, 2], "block": [16, 16]}, 4),
        ([100, 100], {"grid": [2, 2], "block": [16, 8]}, 4),
        ([24, 10], {}, 6),
        ([10], {}, 4),
    ],
)
def test_sizes_are_those_of_weir_core(
    shape: list[int], by: dict[str, Any], ranks: int, tmp_path: Path
) -> None:
    array = Array(name="a", element="f8", shape=shape, offset=0)
    found = parts_of(array, msgspec.convert(by, Partition), ranks)
    assert found.sizes.total() * 8 > 0
    assert _bytes(found.sizes) == _bytes(expanded(tmp_path, shape, by, ranks))
    if "block" not in by:
        assert found.sizes == expanded(tmp_path, shape, by, ranks)


def _bytes(sizes: Counter[int]) -> int:
    return sum(size * count for size, count in sizes.items())


def test_compounds_and_text_have_their_bytes() -> None:
    text = Array(name="t", element="S24", shape=[])
    assert parts_of(text, Partition(), 1).sizes == {24: 1}


@random_cases(100)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=3), st.integers(1, 64))
def test_a_square_grid_holds_all_ranks(shape: list[int], ranks: int) -> None:
    grid = square_grid(tuple(shape), ranks)
    product = 1
    for along in grid:
        product *= along
    assert product == ranks


@pytest.mark.parametrize(
    ("first_fastest", "levels"), [(False, ((2, 96), (3, 16))), (True, ((3, 16), (2, 96)))]
)
def test_ranks_lie_as_their_grid_counts_them(first_fastest: bool, levels: Levels) -> None:
    array = Array(name="a", element="f8", shape=[4, 6], offset=0)
    assert parts_of(array, Partition(grid=[2, 3], first_fastest=first_fastest), 6).nest.rank_levels == levels

"""The name of a case: that of its parts in canonical JSON."""

import hashlib
import json
from typing import Any

import pytest

from weir.study.case import case_id

OPTIONS: list[dict[str, Any]] = [
    {},
    {"b": 1, "a": "x", "c": None},
    {"a": True},
    {"a": 1},
    {"a": 1.0},
    {"a": 0.0},
    {"a": -0.0},
    {"a": ["ü", '"quoted" \\ \n'], "ß": {"z": 1, "a": [2.5, None]}},
    {"a": 1 << 70, "b": 1e300, "c": 1e-7},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("mpi_io", "node"), [(None, None), ("romio", None), ("romio", "n7")])
def test_it_is_that_of_canonical_json(options: dict[str, Any], mpi_io: str | None, node: str | None) -> None:
    parts = {"benchmark": "storage", "ranks": 4, "env": {"B": "2", "A": "ä"}, "options": options}
    parts |= {"mpi_io": mpi_io} if mpi_io else {}
    parts |= {"node": node} if node else {}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    expected = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert case_id("storage", 4, {"B": "2", "A": "ä"}, options, mpi_io, node=node) == expected


def test_values_that_are_equal_but_spelt_otherwise_make_other_cases() -> None:
    names = {case_id("storage", 1, {}, options) for options in OPTIONS}
    assert len(names) == len(OPTIONS)

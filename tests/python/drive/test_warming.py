"""How much memory a run has touched before it measures: what its cases need, no more."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from weir.core.schema import Description, Totals
from weir.drive.case_state import CaseState
from weir.drive.study_run import _cached_bytes

from .simulation import Machine, make_case, simulate

TIB = 1 << 40


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([Totals(cached_bytes=320), Totals(cached_bytes=20)], 320),
        ([Totals(cached_bytes=320), Totals()], None),
        ([Totals(cached_bytes=320), Totals(cached_bytes=TIB, time_bound_s=0.2)], None),
    ],
)
def test_what_comes_in_a_limited_time_is_for_the_core_to_find_out(
    totals: list[Totals], expected: int | None
) -> None:
    states = [CaseState(make_case(name)) for name in ("a", "b")]
    found = {
        state.case.id: Description(state.case.id, totals=t) for state, t in zip(states, totals, strict=True)
    }
    plan: Any = SimpleNamespace(descriptions=found)
    past: Any = SimpleNamespace(states=states)
    assert _cached_bytes(plan, past) == expected


def test_the_core_finds_it_out_once_a_case(tmp_path: Path) -> None:
    simulate(tmp_path, [make_case("a")], Machine(), warm_memory_bytes=None)
    sent = [json.loads(path.read_text()) for path in sorted(tmp_path.glob("launch-*.json"))]
    assert "warm_memory_bytes" not in sent[0]
    assert len(sent) > 1 and {file["warm_memory_bytes"] for file in sent[1:]} == {0}

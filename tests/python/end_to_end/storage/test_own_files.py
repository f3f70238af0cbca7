"""Files that are not Weir's are neither written nor removed, whatever they are called."""

import json
from pathlib import Path
from typing import Any

import pytest

from ..patterns import access, closing, opening, pattern, phase
from ..real_core import names_in, run_cases, run_core, storage, write_cases

NAMES = (
    "data",
    "data-0",
    "data-1",
    "data.00000000",
    "data.00000001",
    "data-0.00000000",
    "matrix",
    "notes.txt",
)
OWN = (*NAMES, *(f"weir-{name}" for name in NAMES))
LAYOUTS: list[dict[str, Any]] = [
    {},
    {"files": 2},
    {"layout": "file-per-process"},
    {"layout": "file-per-process", "files": 2},
    {"backend": "mpiio"},
    {"backend": "template"},
]


def test_files_that_were_there_before_stay_as_they_were(place: Path) -> None:
    Path("matrix.json").write_text(
        json.dumps(pattern(phase("write", opening("create"), access("write"), closing()), ranks=2))
    )
    for name in OWN:
        Path("store", name).write_text(f"the user's own {name}")
    cases = [storage(str(i), **options) for i, options in enumerate(LAYOUTS)]
    cases.append(
        {"id": "pattern", "benchmark": "storage", "options": {"pattern": "matrix.json", "dir": "store"}}
    )
    run_cases(*cases, ranks=2)
    assert names_in("store") == sorted(OWN)
    assert [Path("store", name).read_text() for name in OWN] == [f"the user's own {name}" for name in OWN]


@pytest.mark.parametrize("per_rank", [False, True])
def test_a_pattern_whose_files_would_lie_elsewhere_is_refused(place: Path, per_rank: bool) -> None:
    outside = ["../outside", str(place / "outside"), "below/../../outside", ".."]
    cases = []
    for i, name in enumerate(outside):
        steps = opening("create"), access("write"), closing()
        text = pattern(phase("write", *steps), ranks=1, file=name, per_rank=per_rank)
        Path(f"{i}.json").write_text(json.dumps(text))
        options = {"pattern": f"{i}.json", "dir": "store"}
        cases.append({"id": str(i), "benchmark": "storage", "options": options})
    for name in ("outside", "outside.00000000"):
        Path(name).write_text("the user's own")
    before = names_in(".")
    file = write_cases(*cases)
    for done in (run_core(file), run_core("describe", file)):
        assert done.code == 2, done.talk
        assert [line["exit_code"] for line in done.of("failure")] == [2] * len(outside)
        assert all(line["suggestion"] for line in done.of("failure"))
        assert done.of("sample") == [] and done.of("description") == []
    assert names_in(".") == sorted([*before, file])
    assert names_in("store") == []
    assert {Path(name).read_text() for name in ("outside", "outside.00000000")} == {"the user's own"}

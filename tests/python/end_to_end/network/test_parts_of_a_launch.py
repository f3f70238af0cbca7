"""Ranks that had no part in a case take part in the next one."""

import json
from pathlib import Path

from ..conftest import need_real_programs
from ..real_core import run_core


def test_ranks_that_slept_in_the_first_case_are_woken_with_the_others(tmp_path: Path) -> None:
    need_real_programs()
    options = {"function": "Allreduce", "bytes": 8, "budget": 0.005}
    cases = [
        {"id": "two", "benchmark": "network", "options": {**options, "active": 2}},
        {"id": "all", "benchmark": "network", "options": options},
    ]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"schema": 1, "warm_memory_bytes": 0, "cases": cases}))
    done = run_core(str(file), ranks=3, cwd=tmp_path).ended(0)
    assert [(line["case"], line["ranks"]) for line in done.of("sample")] == [("two", 2), ("all", 3)]

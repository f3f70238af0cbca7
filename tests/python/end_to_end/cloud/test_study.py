"""A study of the gas cloud with the real core: the counts of the paper's structure in its tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from cloud_runs import io_record

from ..conftest import WEIR, weir
from ..real_programs import run

SHAPE = {"cells": (16, 16, 16), "along": (2, 1, 1), "dumps": 2}
COUNTS = {name: call["count"] for name, call in io_record(**SHAPE)["calls"].items()}  # type: ignore[arg-type]


def row_of(name: str, off: int = 0) -> str:
    return f'["{name}", {COUNTS[name] + off}, 1.0, 0.5]'


STUDY = f"""[study]
name = "tiny"
budget = "60s"
min_samples = 1
max_samples = 1

[fixed]
benchmark = "cloud"
ranks = 2
cells = "16x16x16"
ranks_along = "2x1x1"
steps = 2
dump_every = 1
restarted = true

[[comparison]]
name = "small"
figure = "io-time"
table = ["calls", "requests"]

[[comparison.printed]]
machine = "Paper"
source = "nowhere"
table = "calls"
columns = ["operation", "count", "total_s", "average_s"]
rows = [{", ".join([row_of("open"), row_of("close"), row_of("read", 1), row_of("write"), row_of("seek")])}]

[[comparison]]
name = "methods"
figure = "method"
fixed = {{ physics = false }}
axes = {{ method = ["two-phase", "rank0", "independent"] }}
"""


@pytest.fixture
def tables(place: Path) -> list[dict[str, Any]]:
    """The tables of a run of the study."""
    Path("study.toml").write_text(STUDY)
    done = weir()
    assert done.returncode in (0, 5), done.stderr  # from one sample no case is precise
    assert list(Path("store").iterdir()) == []
    found: list[dict[str, Any]] = json.loads(run(*WEIR.split(), "show", "RUN", "--json"))["tables"]
    return found


def test_the_counts_are_those_of_the_paper_s_structure(tables: list[dict[str, Any]]) -> None:
    calls, requests = tables
    assert (calls["table"], requests["table"]) == ("calls", "requests")
    assert {part["operation"]: part["count"] for part in calls["operations"]} == COUNTS
    expected = io_record(**SHAPE)  # type: ignore[arg-type]
    assert calls["communication_of_the_paper"] == expected["communication_of_the_paper"]
    for part in calls["operations"]:
        assert (part["median_total_s"] is None) == (part["operation"] == "seek")
        assert part["low_total_s"] is None  # one sample has no interval
    read, write = requests["operations"]
    assert (read["bytes"], write["bytes"]) == (expected["bytes_read"], expected["bytes_written"])
    for part, sizes in ((read, expected["read_sizes"]), (write, expected["write_sizes"])):
        assert [[size["bytes"], size["requests"]] for size in part["sizes"]] == sizes
    differing = [note for note in calls["notes"] if note.startswith("*")]
    assert differing == [f"* read: {COUNTS['read']} here; {COUNTS['read'] + 1} printed for the Paper."]


def test_the_output_for_people_has_tables_and_methods(tables: list[dict[str, Any]]) -> None:
    shown = run(*WEIR.split(), "show", "--all", "RUN")
    assert f"open {COUNTS['open']} " in " ".join(shown.split())
    # A second run, where the first was set aside for the state of the machine.
    assert "a single run (n = 1), so no interval" in shown or "n = 2 runs; no interval below 6" in shown
    assert "all through rank 0" in shown.lower()

"""Stand-ins for what tests should not need: the native core and mpirun."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FAKE_CORE = FOLDER / "weir-core"


def study_text(**changes: Any) -> str:
    """A small study for the fake core; the keyword arguments replace lines of it, by their first word."""
    lines = {"budget": 'budget = "20s"', "precision": 'precision = "5%"', "fixed": "", "more": ""}
    lines["samples"] = "min_samples = 6\nmax_samples = 8"
    lines["axes"] = 'axes = { layout = ["shared", "file-per-process"] }'
    lines |= changes
    return f"""[study]
name = "small"
{lines["budget"]}
{lines["precision"]}
{lines["samples"]}

[fixed]
benchmark = "storage"
{lines["fixed"]}

[[comparison]]
name = "only"
{lines["axes"]}
{lines["more"]}
"""


def read_lines(run: Path, kind: str | None = None) -> list[dict[str, Any]]:
    """The decoded lines of a run's samples, of one kind if named."""
    lines = [json.loads(line) for line in (run / "samples.jsonl").read_text().splitlines()]
    return [line for line in lines if kind is None or line["kind"] == kind]

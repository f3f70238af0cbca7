"""Made-up runs for comparisons: those of synthetic_run, each made at another time, and changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from synthetic_run import World, write_run

Line = dict[str, Any]


def run(folder: Path, world: World | None = None, *, day: int = 20, study: str = "quick") -> Path:
    """A run of `study`, made on that day of November."""
    write_run(folder, world or World(), study)
    change_info(folder, created_at=f"2026-11-{day:02}T08:00:00Z")
    return folder


def change_info(folder: Path, **values: Any) -> None:
    """Other values in `run.json`."""
    path = folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def change_lines(folder: Path, change: Callable[[Line], Line | None]) -> None:
    """Every line of the samples as `change` gives it; null leaves it out."""
    path = folder / "samples.jsonl"
    lines = [change(json.loads(line)) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines if line is not None))

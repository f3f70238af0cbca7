"""The real weir-core's output, with what was measured replaced, against tests/golden.

Each golden file begins with the command. WEIR_UPDATE_GOLDEN=1 writes them again; read the
difference before committing it.
"""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from running import ended

ROOT = Path(__file__).parents[3]
CORE = Path(os.environ.get("WEIR_CORE", ROOT / "build" / "release" / "bin" / "weir-core"))
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))

# Keys whose values differ from run to run or machine to machine; their type is kept.
MEASURED = {
    "version", "started_at", "elapsed_s", "value", "first_done_s", "last_done_s", "min_s", "mean_s",
    "max_s", "slowest_rank", "p50_s", "p90_s", "p95_s", "p99_s", "p99_9_s", "busy_cores", "host", "cpus",
    "library", "standard", "cores", "packages", "why",
}  # fmt: skip
# What another machine or MPI may not tell at all: only the key is compared.
OPAQUE = {
    "environment", "warnings", "first_touch", "io", "spins", "hints", "device_bytes",
    "resident_before_share", "suspect", "histogram", "timeline", "system", "hints_asked",
}  # fmt: skip


def normalised(value: Any, key: str = "") -> Any:
    if key in OPAQUE:
        return "..."
    if key in MEASURED:
        return None if value is None else f"<{type(value).__name__}>"
    if isinstance(value, dict) and value.get("kind") == "state":
        # A machine of one core, or a busy one, may not tell its state.
        return {name: item if name in ("schema", "kind") else "..." for name, item in value.items()}
    if isinstance(value, dict):
        return {name: normalised(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [normalised(item, key) for item in value]
    return value


def run(command: str, folder: Path) -> list[str]:
    done = ended(CORE, *shlex.split(command), cwd=folder, timeout=60)
    lines = [json.dumps(normalised(json.loads(line))) for line in done.stdout.splitlines()]
    return [json.dumps({"command": command}), *lines, json.dumps({"exit_code": done.returncode})]


@pytest.mark.skipif(not CORE.exists(), reason=f"{CORE} is not built")
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_output_is_as_recorded(golden: Path, tmp_path: Path) -> None:
    recorded = golden.read_text().splitlines()
    actual = run(json.loads(recorded[0])["command"], tmp_path)
    if os.environ.get("WEIR_UPDATE_GOLDEN"):
        golden.write_text("\n".join(actual) + "\n")
    # As values, so that a difference is shown by key.
    assert [json.loads(line) for line in actual] == [json.loads(line) for line in recorded]


def test_there_is_golden_output() -> None:
    assert GOLDEN

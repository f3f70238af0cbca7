"""Made-up runs of an application whose ranks read and write in groups, for tests of what reads them.

`python tests/python/grouped_samples.py DIR` writes such a run.
"""

from __future__ import annotations

import json
import random
import sys
import tomllib
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from rows import KNOWN_WORDS
from sample_lines import metrics, sample_line
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import to_record

STUDY = """
[study]
name = "groups"
title = "How large should groups of ranks be?"
source = "V. Sripathi and others, a poster, 2009"

[fixed]
benchmark = "aquifer"

[[comparison]]
name = "groups"
title = "Groups of ranks that read and write together"
figure = "phase-bars"
table = "gains"
fixed = { model = "flow", files = "one", group_by = "count", group_requests = "member" }
axes = { read_group = ["1", "4", "auto"], write_group = ["1", "4"], ranks = [4, 8] }

[[comparison.printed]]
machine = "Cray XT5"
source = "conclusions; 65,536 cores"
table = "gains"
columns = ["part", "times"]
rows = [["initialisation", 25], ["write", 3], ["total", 5]]
"""
AUTO = 2
"""What the made-up application chooses."""


def parts(options: dict[str, Any], ranks: int) -> dict[str, float]:
    """The seconds of each part, without noise: larger groups read and write in less time."""
    read, write = (
        AUTO if options.get(key) == "auto" else int(options.get(key, 1))
        for key in ("read_group", "write_group")
    )
    return {
        "initialisation": 0.5 + 0.4 * ranks / read,
        "solve": 8.0 / ranks,
        "write": 1.0 + 0.6 * ranks / write,
    }


def lines_of(
    case: dict[str, Any], *, noise: float = 0.02, count: int = 12, rest: float = 0.05
) -> Iterator[dict[str, Any]]:
    """The samples of a case, in rounds; `rest` is the share of the total that is in no part."""
    rng = random.Random(f"1-{case['case']}")
    for repetition in range(count):
        times = {
            name: value * rng.lognormvariate(0.0, noise)
            for name, value in parts(case["options"], case["ranks"]).items()
        }
        total = sum(times.values()) / (1 - rest)
        details = {
            "io": {},
            **{key: AUTO for key in ("read_group", "write_group") if case["options"].get(key) == "auto"},
        }
        line = sample_line(
            case["case"], "run", benchmark="aquifer", repetition=repetition, round=repetition + 1,
            started_at="2026-11-20T16:41:00Z", ranks=case["ranks"], elapsed_s=total, warnings=[], launch=1,
        )  # fmt: skip
        numbers = {"elapsed_s": total} | {f"{name}_s": value for name, value in times.items()}
        yield line | {"metrics": metrics(**numbers), "details": details}


def case(name: str = "", *, ranks: int = 4, **options: Any) -> dict[str, Any]:
    """A case of these options."""
    known = name or ",".join(f"{key}={value}" for key, value in options.items()) + f"@{ranks}"
    return {
        "case": known, "label": known, "benchmark": "aquifer", "ranks": ranks, "options": options,
        "env": {}, "mpi_io": None, "comparisons": ["groups"],
    }  # fmt: skip


def rows_of(cases: Iterable[dict[str, Any]], **how: Any) -> list[Row]:
    """The rows of these cases; `how` as for `lines_of`."""
    lines = [line for one in cases for line in ({"schema": 1, "kind": "case", **one}, *lines_of(one, **how))]
    records = (record for line in lines if (record := to_record(line)) is not None)
    return summarise(records, KNOWN_WORDS).all_rows


def write_run(folder: Path, study: str = STUDY) -> Path:
    """A whole run directory."""
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(study)
    run = {
        "schema": 1, "weir_version": "0.1.0", "created_at": "2026-11-20T16:40:00Z",
        "command": ["weir", "run", "groups"],
        "study": {"name": "groups", "title": "Groups"}, "directory": "/scratch/weir", "machine": {},
        "core": {"schema": 1, "version": "0.1.0", "build": {}, "backends": []},
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(run))
    with (folder / "samples.jsonl").open("w") as out:
        for part in tomllib.loads(study)["comparison"]:
            for values in product(*part["axes"].values()):
                settings = part["fixed"] | dict(zip(part["axes"], values, strict=True))
                one = case(**settings)
                for line in ({"schema": 1, "kind": "case", **one}, *lines_of(one)):
                    out.write(json.dumps(line) + "\n")
    return folder


if __name__ == "__main__":
    write_run(Path(sys.argv[1]))

"""Runs for tests of exports: the synthetic one, and a small one with every kind of line, by hand."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from sample_lines import sample_line
from weir.export.format import Written, find_format
from weir.export.source import Source
from weir.store.run_directory import RunDirectory

RUN: dict[str, Any] = {
    "schema": 1,
    "weir_version": "0.1.0",
    "created_at": "2026-11-20T16:40:00+00:00",
    "command": ["weir"],
    "study": {"name": "small", "title": ""},
    "directory": '/scratch/a "b"\\c',
    "machine": {"host": {"name": "n1"}},
    "core": {"benchmarks": [{"name": "storage", "units": {"block": "B", "interval": "s", "limit": "B/s"}}]},
}
LATENCY = {"timed": 3, "operations": 6, "p50_s": 1e-3, "p99_s": None, "histogram": [[1e-3, 2], [4e-3, 1]]}


def case(name: str, **options: Any) -> dict[str, Any]:
    """A case line."""
    return {
        "kind": "case",
        "case": name,
        "label": f"case, {name}",
        "benchmark": "storage",
        "ranks": 2,
        "env": {"OMPI_MCA_io": "romio321"} if name == "b" else {},
        "options": {"block": 4096, "interval": 0.5, "limit": 10, "direct": False, "hint": [], **options},
        "comparisons": ["one", "two"],
    }


def sample(name: str, phase: str, bandwidth: float | None = 100.0, **more: Any) -> dict[str, Any]:
    """A sample line."""
    known = {"benchmark": "storage", "bytes": 200, "elapsed_s": 0.25, "round": 1, "launch": 1}
    return sample_line(name, phase, bandwidth_bytes_per_s=bandwidth, **known | more)


def lines() -> list[dict[str, Any]]:
    """A run of a case `a` that was measured and a case `b` that failed."""
    busy = {"code": "busy", "problem": "p", "why": "w", "advice": "a"}
    cache = {"methods": ["drop"], "resident_before_share": 0.0, "suspect": False, "why": "from, the device"}
    return [
        case("a", hint=["x=1", "y=2"]),
        case("b", block=8192),
        {"kind": "launch", "launch": 1, "warnings": [busy]},
        *(sample("a", "write", 100.0 + i, repetition=i, latency={"write": LATENCY}) for i in range(6)),
        sample(
            "a",
            "read",
            times={"open": {"min_s": 0.1, "slowest_rank": 1}},
            cache=cache,
            timeline={"interval_s": 0.1, "bytes": [50, 100, 50]},
            system={"read_calls": 4, "user_s": 0.1},
            hints={"cb_nodes": "1"},
            hints_asked=[
                {"hint": "cb_nodes", "value": "1", "in_force": "1", "state": "in force"},
                {"hint": "foo", "value": "2", "in_force": None, "state": "ignored"},
            ],
            verification={"words": 25, "wrong": 0},
            warnings=[{"code": "odd"}, busy],
        ),
        {
            "kind": "failure",
            "case": "b",
            "problem": "cannot write",
            "reason": "full",
            "suggestion": "free it",
        },
        {"kind": "finished", "case": "a", "verdict": "precise", "samples": 7},
        {"kind": "finished", "case": "b", "verdict": "failed", "why": "it failed"},
    ]


def write_small_run(folder: Path, content: list[dict[str, Any]] | None = None) -> RunDirectory:
    """The run on disk."""
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(RUN))
    text = "".join(json.dumps(line) + "\n" for line in (lines() if content is None else content))
    (folder / "samples.jsonl").write_text(text)
    return RunDirectory(folder)


def exported(run: RunDirectory, form: str, table: str | None = None) -> tuple[bytes, Written]:
    """What an export writes."""
    out = io.BytesIO()
    written = find_format(form).write(Source(run), table, out)
    return out.getvalue(), written

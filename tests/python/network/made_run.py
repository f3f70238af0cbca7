"""Runs of made-up machines, as `weir run` keeps them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from messages import LAUNCHES, THREE, Machine, calls, round_trips, sampled
from weir.network.loggp import Call
from weir.store.run_directory import RunDirectory

INFO: dict[str, Any] = {
    "schema": 2,
    "weir_version": "0.1.0",
    "created_at": "2026-11-20T16:40:00+00:00",
    "command": ["weir"],
    "study": {"name": "network-model", "title": ""},
    "directory": "/scratch",
    "machine": {
        "cpu": {"sockets": 1, "threads": 4, "caches": [{"level": 3, "shared_by_threads": 4}, {"level": 1}]}
    },
    "core": {},
}
USED = [*calls(), *round_trips(), *calls([8, 4096, 1 << 20], ["LocalCopy"])]
HELD_OUT = [*calls([24, 1500]), *calls([8], ["Alltoall"])]


def case(call: Call, *, held: bool = False, **more: Any) -> dict[str, Any]:
    """The line of a case."""
    options = {"function": call.function, "bytes": call.bytes, "messages": call.messages, "partner": 1}
    options |= {"delay": call.delay_s, "pause": call.pause_s, "late": call.late_s, "active": 0, "group": 0}
    return {
        **{
            "schema": 1,
            "kind": "case",
            "case": str(call),
            "label": str(call),
            "benchmark": "network",
            "ranks": 2,
        },
        **{"env": {}, "options": options, "comparisons": ["held-out" if held else "sizes"]},
        **more,
    }


def launch(
    number: int, hosts: Sequence[str] = ("n1", "n1"), cpus: Sequence[str] = ("0", "1")
) -> dict[str, Any]:
    """The line of a launch of two ranks."""
    placement = [
        {"rank": rank, "host": host, "cpus": cpu, "cores": 1}
        for rank, (host, cpu) in enumerate(zip(hosts, cpus, strict=True))
    ]
    return {"schema": 1, "kind": "launch", "launch": number, "ranks": 2, "placement": placement}


def sample(call: Call, number: int, time_s: float, **more: Any) -> dict[str, Any]:
    """The line of a sample."""
    time = {"key": "time_us", "value": time_s * 1e6, "unit": "us", "noun": "time", "better": "lower"}
    known = {"schema": 2, "kind": "sample", "case": str(call), "phase": "call", "launch": number}
    return {**known, "metrics": [time], "details": {}, **more}


def lines(machine: Machine = THREE, noise: float = 0.01) -> list[dict[str, Any]]:
    """A whole run."""
    found = [case(call) for call in USED] + [case(call, held=True) for call in HELD_OUT]
    found += [launch(number) for number in range(LAUNCHES)]
    for call, some in sampled(machine.time, [*USED, *HELD_OUT], noise).items():
        found += [sample(call, number, time_s) for number, time_s in some]
    return found


def write_run(path: Path, of: Sequence[dict[str, Any]]) -> RunDirectory:
    """The run with these lines."""
    path.mkdir()
    (path / "run.json").write_text(json.dumps(INFO))
    (path / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in of))
    return RunDirectory(path)

"""Runs that nobody measured, for tests of everything that reads a run: seeded noise around a simple machine model.

The numbers are made up on purpose and never leave the tests; `python tests/python/synthetic_run.py DIR` writes one.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.units import parse_bytes

STUDY = Path(__file__).parents[2] / "studies" / "quick.toml"
GIB = float(1 << 30)
CARD: dict[str, Any] = {
    "schema": 1,
    "taken_at": "2026-11-20T16:40:00Z",
    "directory": "/scratch/weir",
    "host": {"name": "n1", "kernel": "6.1.0-18-amd64", "architecture": "x86_64", "os": "Debian GNU/Linux 12 (bookworm)",
             "virtual": "virtual machine (hypervisor not named)", "container": None},
    "cpu": {"model": "Example CPU 2.5 GHz", "sockets": 1, "cores": 2, "threads": 2, "usable": 2, "governor": None,
            "max_frequency_hz": None,
            "caches": [{"level": 1, "type": "data", "size_bytes": 32768, "shared_by_threads": 1},
                       {"level": 3, "type": "unified", "size_bytes": 37486592, "shared_by_threads": 2}],
            "numa_nodes": [{"node": 0, "cpus": "0-1", "memory_bytes": 25276514304}]},
    "memory": {"total_bytes": 25276514304, "available_bytes": 24757301248, "cached_bytes": 2001842176,
               "dirty_bytes": 0, "swap_total_bytes": 0, "swap_free_bytes": 0, "thp": "madvise", "page_size_bytes": 4096},
    "dirty_pages": {"dirty_ratio_percent": 20, "dirty_background_ratio_percent": 10, "dirty_bytes": 0,
                    "dirty_background_bytes": 0, "dirty_expire_s": 30.0, "dirty_writeback_s": 5.0},
    "cgroup": {"version": 2, "memory_limit_bytes": None, "cpu_limit": None},
    "first_touch": {"cold_s_per_page": 8.6e-6, "warm_s_per_page": 2.0e-6},
    "file_system": {"mount_point": "/scratch", "type": "ext4", "source": "/dev/vda", "nature": "local",
                    "options": ["rw", "relatime"], "total_bytes": 270553174016, "available_bytes": 83042983936,
                    "inodes_free": 16318331},
    "block_device": {"name": "vda", "model": None, "size_bytes": 274877906944, "rotational": True,
                     "scheduler": "mq-deadline", "write_cache": "write back", "max_request_bytes": 262144,
                     "read_ahead_bytes": 4194304, "queue_depth": 256, "logical_block_bytes": 512},
    "mounts": {"shown": [], "all": 0},
    "mpi": {"launcher": "mpirun (Open MPI) 4.1.4", "io_components": ["ompio", "romio321"], "io": "ompio", "spins": True},
    "software": {"python": "3.11.7", "packages": {}, "compiler": "c++ 12.2.0", "libc": "glibc 2.36", "libraries": {}},
    "environment": {"set": {"OMP_NUM_THREADS": "1"}, "looked_for": ["OMPI_*"]},
    "load": {"tasks_1min": 0.1, "tasks_5min": 0.1, "runnable_now": 1, "waiting_for_cpu_percent": 0.0,
             "waiting_for_io_percent": 0.0},
    "stripe": None,
    "core": {"version": "0.1.0"},
    "notes": [],
    "warnings": [{"code": "cold-memory", "problem": "the first touch of a page of memory takes 8.60 us, 4.3 times as long"
                  " as later (2.00 us)", "why": "the host backs this virtual machine's memory only when it is used",
                  "advice": "let Weir warm the memory first (it does so before timing)"}],
}  # fmt: skip


@dataclass(frozen=True)
class World:
    """What the made-up machine does; the defaults are a healthy local disk of about 1.5 GiB/s."""

    seed: int = 1
    noise: float = 0.03
    write_bytes_per_s: float = 1.5 * GIB
    read_bytes_per_s: float = 1.1 * GIB
    cache_bytes_per_s: float = 9.0 * GIB
    operation_s: float = 3e-6
    in_memory: bool = False
    failing: frozenset[str] = frozenset()
    noisy: frozenset[str] = frozenset()


def expand(study: dict[str, Any]) -> list[dict[str, Any]]:
    """Cases of a study whose values need no defaults: the cross product of axes, equal cases once."""
    cases: dict[str, dict[str, Any]] = {}
    for comparison in study["comparison"]:
        axes = comparison["axes"]
        for values in itertools.product(*axes.values()):
            settings = study["fixed"] | comparison.get("fixed", {}) | dict(zip(axes, values, strict=True))
            options = {key: _resolve(key, value) for key, value in settings.items() if key not in ("benchmark", "ranks")}
            options |= {"dir": "/scratch/weir", "collective": options.get("collective", False)}
            case = {"benchmark": settings["benchmark"], "ranks": settings["ranks"], "env": {}, "options": options}
            name = hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:16]
            cases.setdefault(name, {"case": name, **case, "comparisons": []})["comparisons"].append(comparison["name"])
    return list(cases.values())


def _resolve(key: str, value: Any) -> Any:
    return parse_bytes(value) if key in ("block", "transfer") else value


def bandwidth(case: dict[str, Any], phase: str, world: World) -> float:
    """Noise-free bandwidth of the made-up machine in bytes/s."""
    options, ranks = case["options"], case["ranks"]
    cached = world.in_memory or (options["sync"] == "never" if phase == "write" else options["cache"] == "keep")
    device = world.write_bytes_per_s if phase == "write" else world.read_bytes_per_s
    peak = world.cache_bytes_per_s * (0.3 if phase == "write" else 1.0) if cached else device
    peak *= {1: 0.7, 2: 1.0}.get(ranks, 0.85)
    peak *= 1.25 if options["layout"] == "file-per-process" and phase == "write" else 1.0
    peak *= 0.6 if options["collective"] else 0.97 if options["backend"] == "mpiio" else 1.0
    data = options["block"] * ranks
    seconds = data / peak + options["block"] / options["transfer"] * world.operation_s + 2e-4
    return float(data / seconds)


def samples(case: dict[str, Any], world: World) -> Iterator[dict[str, Any]]:
    """Sample lines of one case, as `weir-core` would print them."""
    rng = random.Random(f"{world.seed}-{case['case']}")
    noise = 0.35 if world.noisy & set(case["comparisons"]) else world.noise
    options, ranks = case["options"], case["ranks"]
    for repetition in range(12):
        for phase in ("write", "read"):
            speed = bandwidth(case, phase, world) * rng.lognormvariate(0.0, noise)
            data = options["block"] * ranks
            kept = options["cache"] == "keep"
            cache = None
            if phase == "read":
                suspect = kept or world.in_memory
                cache = {"methods": [] if kept else ["drop"], "resident_before_share": 1.0 if suspect else 0.0,
                         "device_bytes": 0 if suspect else data, "suspect": suspect,
                         "why": "all of the file was in the page cache" if suspect else "it came from the device"}  # fmt: skip
            yield {"schema": 1, "kind": "sample", "case": case["case"], "benchmark": "storage", "repetition": repetition,
                   "phase": phase, "started_at": "2026-11-20T16:41:00.000Z", "ranks": ranks,
                   "backend": options["backend"], "bytes": data,
                   "operations": data // options["transfer"], "files": 1 if options["layout"] == "shared" else ranks,
                   "elapsed_s": data / speed, "bandwidth_bytes_per_s": speed,
                   "operations_per_s": speed / options["transfer"], "first_done_s": data / speed * 0.98,
                   "last_done_s": data / speed, "times": _times(data / speed), "sync": options["sync"] if phase == "write"
                   else None, "data": "fixed", "cache": cache, "hints": None, "verification": None,
                   "warnings": [], "round": 0, "launch": 1}  # fmt: skip


def _times(elapsed_s: float) -> dict[str, Any]:
    def spread(share: float) -> dict[str, Any]:
        value = elapsed_s * share
        return {"min_s": value * 0.9, "mean_s": value, "max_s": value * 1.1, "slowest_rank": 0}

    return {"open": spread(0.01), "transfer": spread(0.7), "sync": spread(0.25), "close": spread(0.01)}


def lines(world: World, study: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All lines of samples.jsonl."""
    for case in expand(study):
        yield {"schema": 1, "kind": "case", **case}
        if world.failing & set(case["comparisons"]):
            yield {"schema": 1, "kind": "failure", "case": case["case"], "benchmark": "storage", "exit_code": 3,
                   "problem": "cannot write '/scratch/weir/data' at offset 1048576", "reason": "No space left on device",
                   "suggestion": "free space, or choose a smaller block", "rank": 1, "wrong_words": None,
                   "round": 0, "launch": 1}  # fmt: skip
            verdict, taken = "failed", 0
        else:
            yield from samples(case, world)
            verdict, taken = ("inconclusive" if world.noisy & set(case["comparisons"]) else "precise"), 12
        yield {"schema": 1, "kind": "finished", "case": case["case"], "verdict": verdict, "samples": taken,
               "why": "the interval stayed wider than 5 %" if verdict == "inconclusive" else ""}  # fmt: skip


def write_run(directory: Path, world: World | None = None) -> Path:
    """Writes a whole run directory and returns it."""
    world = world or World()
    text = STUDY.read_text()
    (directory / "logs").mkdir(parents=True, exist_ok=True)
    (directory / "study.toml").write_text(text)
    study = tomllib.loads(text)
    card = CARD
    if world.in_memory:
        card = CARD | {"block_device": None, "file_system": CARD["file_system"] | {
            "type": "tmpfs", "nature": "memory", "source": "tmpfs", "mount_point": "/dev/shm"}}  # fmt: skip
    run = {"schema": 1, "weir_version": "0.1.0", "created_at": "2026-11-20T16:40:00Z",
           "command": ["weir", "run", "quick", "--out", "runs/a"],
           "study": {"name": study["study"]["name"], "title": study["study"]["title"]},
           "directory": "/scratch/weir", "machine": card,
           "core": {"schema": 1, "version": "0.1.0", "build": {"compiler": "GNU 12.2.0", "build_type": "Release",
                    "mpi": "Open MPI v4.1.4"}, "backends": []}}  # fmt: skip
    (directory / "run.json").write_text(json.dumps(run, indent=1))
    with (directory / "samples.jsonl").open("w") as out:
        for line in lines(world, study):
            out.write(json.dumps(line) + "\n")
    return directory


if __name__ == "__main__":
    write_run(Path(sys.argv[1]))

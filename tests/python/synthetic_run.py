"""Runs that nobody measured, for tests of everything that reads a run: seeded noise around a simple machine
model.

The numbers are made up on purpose and never leave the tests; `python tests/python/synthetic_run.py DIR`
writes one, with a second argument of that study of Weir's own.
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

import flash_samples
from sample_lines import sample_line
from weir.units import parse_bytes

STUDIES = Path(__file__).parents[2] / "studies"
GIB = float(1 << 30)
CARD: dict[str, Any] = json.loads(Path(__file__).with_name("synthetic_card.json").read_text())


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
    cores: int = 2
    crowded_ompio: float = 0.1
    """How much of its bandwidth OMPIO keeps with more ranks than cores."""
    without: frozenset[str] = frozenset()
    """Back-ends that the build lacks."""
    failing: frozenset[str] = frozenset()
    noisy: frozenset[str] = frozenset()


INTERFACE_SHARE = {"posix": 1.0, "mpiio": 0.97, "hdf5": 0.85, "pnetcdf": 0.4}


def expand(study: dict[str, Any]) -> list[dict[str, Any]]:
    """Cases of a study whose values need no defaults: the cross product of axes, equal cases once."""
    cases: dict[str, dict[str, Any]] = {}
    for comparison in study["comparison"]:
        axes = comparison.get("axes", {})
        for values in itertools.product(*axes.values()):
            settings = study["fixed"] | comparison.get("fixed", {}) | dict(zip(axes, values, strict=True))
            options = {
                key: _resolve(key, value)
                for key, value in settings.items()
                if key not in ("benchmark", "ranks", "mpi_io")
            }
            options |= {"dir": "/scratch/weir", "collective": options.get("collective", False)}
            if settings["benchmark"] == "flash-io":
                options = flash_samples.DEFAULTS | options
                del options["collective"]
            case = {
                "benchmark": settings["benchmark"],
                "ranks": settings["ranks"],
                "env": {},
                "mpi_io": settings.get("mpi_io"),
                "options": options,
                "label": ", ".join(f"{key} {value}" for key, value in zip(axes, values, strict=True)),
            }
            known = {key: value for key, value in case.items() if key != "label"}
            name = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]
            cases.setdefault(name, {"case": name, **case, "comparisons": []})["comparisons"].append(
                comparison["name"]
            )
    return list(cases.values())


def _resolve(key: str, value: Any) -> Any:
    return (
        parse_bytes(value) if key in ("block", "transfer", "alignment") and isinstance(value, str) else value
    )


def bandwidth(case: dict[str, Any], phase: str, world: World) -> float:
    """Noise-free bandwidth of the made-up machine in bytes/s."""
    options, ranks = case["options"], case["ranks"]
    cached = world.in_memory or (
        options["sync"] == "never" if phase == "write" else options["cache"] == "keep"
    )
    device = world.write_bytes_per_s if phase == "write" else world.read_bytes_per_s
    peak = world.cache_bytes_per_s * (0.3 if phase == "write" else 1.0) if cached else device
    peak *= {1: 0.7, 2: 1.0}.get(ranks, 0.85)
    peak *= 1.25 if options["layout"] == "file-per-process" and phase == "write" else 1.0
    peak *= 0.6 if options["collective"] else INTERFACE_SHARE[options["backend"]]
    peak *= world.crowded_ompio if case["mpi_io"] == "ompio" and ranks > world.cores else 1.0
    data = options["block"] * ranks
    seconds = data / peak + options["block"] / options["transfer"] * world.operation_s + 2e-4
    return float(data / seconds)


def samples(case: dict[str, Any], world: World) -> Iterator[dict[str, Any]]:
    """Sample lines of one case, as `weir-core` would print them."""
    rng = random.Random(f"{world.seed}-{case['case']}")
    noise = 0.35 if world.noisy & set(case["comparisons"]) else world.noise
    options, ranks = case["options"], case["ranks"]
    if case["benchmark"] == "flash-io":
        yield from flash_samples.samples(case, world.seed, noise)
        return
    for repetition in range(12):
        for phase in ("write", "read"):
            speed = bandwidth(case, phase, world) * rng.lognormvariate(0.0, noise)
            data = options["block"] * ranks
            yield sample_line(
                case["case"],
                phase,
                bandwidth_bytes_per_s=speed,
                operations_per_s=speed / options["transfer"],
                benchmark="storage",
                repetition=repetition,
                started_at="2026-11-20T16:41:00.000Z",
                ranks=ranks,
                backend=options["backend"],
                bytes=data,
                bytes_written=data if phase == "write" else 0,
                bytes_read=0 if phase == "write" else data,
                operations=data // options["transfer"],
                files=1 if options["layout"] == "shared" else ranks,
                elapsed_s=data / speed,
                first_done_s=data / speed * 0.98,
                last_done_s=data / speed,
                times=_times(data / speed),
                sync=options["sync"] if phase == "write" else None,
                data="fixed",
                cache=_cache(options["cache"] == "keep", world, data) if phase == "read" else None,
                **dict.fromkeys(("hints", "verification")),
                warnings=[],
                round=0,
                launch=2 if ranks > world.cores else 1,
                latency={phase: _latency(data // options["transfer"], data / speed * ranks)},
                timeline={"interval_s": data / speed / 8, "bytes": [data // 8] * 8},
                system=_system(case, phase, data / speed, world),
                hints_asked=[],
            )


def _cache(kept: bool, world: World, data: int) -> dict[str, Any]:
    suspect = kept or world.in_memory
    return {
        "methods": [] if kept else ["drop"],
        "resident_before_share": 1.0 if suspect else 0.0,
        "device_bytes": 0 if suspect else data,
        "suspect": suspect,
        "why": "all of the file was in the page cache" if suspect else "it came from the device",
    }


def _latency(requests: int, seconds: float) -> dict[str, Any]:
    """Nine requests of ten take half of the mean, the tenth 5.5 times the mean."""
    mean = seconds / requests
    slow = max(requests // 10, 1)
    return {
        "timed": requests,
        "operations": requests,
        "min_s": mean * 0.4,
        "mean_s": mean,
        "max_s": mean * 6,
        "slowest_rank": 0,
        "relative_error": 0.03125,
        "histogram": [[mean * 0.5, requests - slow], [mean * 5.5, slow]],
    }


def _system(case: dict[str, Any], phase: str, seconds: float, world: World) -> dict[str, Any]:
    """What the kernel counts: a crowded OMPIO reads and writes through one rank and waits a lot."""
    options, ranks = case["options"], case["ranks"]
    crowded = case["mpi_io"] == "ompio" and ranks > world.cores
    data = options["block"] * ranks
    return {
        f"{phase}_calls": data // options["transfer"] * (4 if crowded else 1),
        f"{phase}_call_bytes": data,
        f"{phase}ing_ranks".replace("eing", "ing"): 1 if crowded else 2,
        "voluntary_switches": 9000 if crowded else 90,
        "involuntary_switches": 10,
        "user_s": seconds * ranks / 2,
        "system_s": seconds / 4,
    }


def _times(elapsed_s: float) -> dict[str, Any]:
    def spread(share: float) -> dict[str, Any]:
        value = elapsed_s * share
        return {"min_s": value * 0.9, "mean_s": value, "max_s": value * 1.1, "slowest_rank": 0}

    return {"open": spread(0.01), "transfer": spread(0.7), "sync": spread(0.25), "close": spread(0.01)}


def lines(world: World, study: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All lines of samples.jsonl."""
    yield from _launches(world)
    for case in expand(study):
        if case["options"].get("backend") in world.without:
            yield {
                "schema": 1,
                "kind": "left_out",
                "label": case["label"],
                "comparisons": case["comparisons"],
                "why": f"this build has no back-end {case['options']['backend']}: it was not found",
            }
            continue
        yield {"schema": 1, "kind": "case", **case}
        if world.failing & set(case["comparisons"]):
            yield {
                "schema": 1,
                "kind": "failure",
                "case": case["case"],
                "benchmark": "storage",
                "exit_code": 3,
                "problem": "cannot write '/scratch/weir/data' at offset 1048576",
                "reason": "No space left on device",
                "suggestion": "free space, or choose a smaller block",
                "rank": 1,
                "wrong_words": None,
                "round": 0,
                "launch": 1,
            }
            verdict, taken = "failed", 0
        else:
            yield from samples(case, world)
            verdict, taken = ("inconclusive" if world.noisy & set(case["comparisons"]) else "precise"), 12
        yield {
            "schema": 1,
            "kind": "finished",
            "case": case["case"],
            "verdict": verdict,
            "samples": taken,
            "why": "the interval stayed wider than 5 %" if verdict == "inconclusive" else "",
        }


def _launches(world: World) -> Iterator[dict[str, Any]]:
    """Two launches: one with a core for each rank, one with more ranks than cores."""
    crowded = {"code": "oversubscribed", "problem": f"4 ranks share {world.cores} cores on n1"}
    for number, warnings in ((1, []), (2, [crowded])):
        yield {
            "schema": 1,
            "kind": "launch",
            "launch": number,
            "round": 1,
            "ranks": 2 * number,
            "nodes": [{"host": "n1", "ranks": 2 * number, "cores": world.cores}],
            "mpi": {"library": "Open MPI v4.1.4", "io": None, "spins": number == 1},
            "warnings": warnings,
        }


def write_run(directory: Path, world: World | None = None, study_name: str = "quick") -> Path:
    """Writes a whole run directory and returns it."""
    world = world or World()
    text = (STUDIES / f"{study_name}.toml").read_text()
    (directory / "logs").mkdir(parents=True, exist_ok=True)
    (directory / "study.toml").write_text(text)
    study = tomllib.loads(text)
    card = CARD
    if world.in_memory:
        card = CARD | {
            "block_device": None,
            "file_system": CARD["file_system"]
            | {"type": "tmpfs", "nature": "memory", "source": "tmpfs", "mount_point": "/dev/shm"},
        }
    run = {
        "schema": 1,
        "weir_version": "0.1.0",
        "created_at": "2026-11-20T16:40:00Z",
        "command": ["weir", "run", "quick", "--out", "runs/a"],
        "study": {"name": study["study"]["name"], "title": study["study"]["title"]},
        "directory": "/scratch/weir",
        "machine": card,
        "core": {
            "schema": 1,
            "version": "0.1.0",
            "build": {"compiler": "GNU 12.2.0", "build_type": "Release", "mpi": "Open MPI v4.1.4"},
            "backends": [],
        },
    }
    (directory / "run.json").write_text(json.dumps(run, indent=1))
    with (directory / "samples.jsonl").open("w") as out:
        for line in lines(world, study):
            out.write(json.dumps(line) + "\n")
    return directory


if __name__ == "__main__":
    write_run(Path(sys.argv[1]), study_name=sys.argv[2] if len(sys.argv) > 2 else "quick")

#!/usr/bin/env python3
"""What the recorder adds to a call.

Runs of a program are interleaved: plain; with an interposer that reads the clock twice and does nothing else;
recorded; and under Darshan, with its counters and with every call (DXT), found by DARSHAN_LIB or in the
usual places. `--quick` makes fewer.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = Path(__file__).parent / "trace"
sys.path.insert(0, str(ROOT / "python"))

from weir.analyse.statistics import estimate_median  # noqa: E402

RECORDER = ROOT / "build" / "release" / "lib" / "libweir-trace.so"
GOAL_NS = 100
QUICK = "--quick" in sys.argv
CALLS = {"pwrite-1KiB": 1_000_000, "fwrite-1B": 2_000_000, "open-close": 50_000, "stat": 100_000}
ROUNDS = 6 if QUICK else 15
LOG = "log.darshan"


def darshan() -> Path | None:
    """Darshan's library, if it is installed."""
    usual = [Path(root) / "lib" / "libdarshan.so" for root in ("/usr", "/usr/local", "/opt/darshan")]
    named = [Path(os.environ["DARSHAN_LIB"])] if "DARSHAN_LIB" in os.environ else []
    return next((path for path in named + usual if path.exists()), None)


def ways(work: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """How the program is run, and its environment."""
    yield "plain", {}
    yield "nothing", {"LD_PRELOAD": str(work / "nothing.so")}
    yield "weir", {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(work / "trace")}
    library = darshan()
    if library is not None:
        # Darshan leaves out files under /dev, where these lie, unless told not to.
        own = {"DARSHAN_ENABLE_NONMPI": "1", "DARSHAN_EXCLUDE_DIRS": "none"}
        counters = {"LD_PRELOAD": str(library), "DARSHAN_LOGFILE": str(work / LOG), **own}
        yield "darshan", counters
        yield "darshan, every call", {**counters, "DXT_ENABLE_IO_TRACE": "1"}


def measure(work: Path, kind: str, count: int, environment: dict[str, str]) -> float:
    """Nanoseconds a call."""
    trace = work / "trace"
    shutil.rmtree(trace, ignore_errors=True)
    trace.mkdir()
    (work / LOG).unlink(missing_ok=True)
    done = subprocess.run(
        [work / "calls", kind, str(count), work],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    if "DARSHAN_LOGFILE" in environment and not (work / LOG).exists():
        sys.exit(f"Darshan left no log, so it recorded nothing: {done.stderr}")
    return float(done.stdout)


def show(what: str, samples: list[float]) -> None:
    estimate = estimate_median(samples)
    assert estimate is not None
    print(
        f"  {what:34} {estimate.median:9.1f} [{estimate.low:.1f}, {estimate.high:.1f}] ns "
        f"(n = {estimate.count})"
    )


def differences(one: list[float], other: list[float]) -> list[float]:
    """Of runs made in turn, one by one."""
    return [a - b for a, b in zip(one, other, strict=True)]


def main() -> int:
    """Measure, print, and say by the exit status whether the goal is met."""
    if not RECORDER.exists():
        sys.exit("The recorder is not built: scripts/build")
    memory = Path("/dev/shm")
    met = True
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        work = Path(folder)
        compiler = shutil.which("cc") or "cc"
        subprocess.run([compiler, "-O2", "-o", work / "calls", SOURCES / "calls.c"], check=True)
        shared = [compiler, "-O2", "-shared", "-fPIC", "-o"]
        subprocess.run([*shared, work / "nothing.so", SOURCES / "nothing.c", "-ldl"], check=True)
        if darshan() is None:
            print("Darshan is not installed (DARSHAN_LIB names its library): left out")
        for kind, count in CALLS.items():
            samples: dict[str, list[float]] = {}
            for _ in range(ROUNDS):
                for way, environment in ways(work):
                    number = count // 4 if QUICK else count
                    samples.setdefault(way, []).append(measure(work, kind, number, environment))
            print(f"{kind}, {number} calls a run, files and trace in {work.parent}")
            for way, times in samples.items():
                show(way, times)
            for way in [way for way in samples if way not in ("plain", "nothing")]:
                show(f"{way} adds to plain", differences(samples[way], samples["plain"]))
            if kind == "pwrite-1KiB":
                estimate = estimate_median(differences(samples["weir"], samples["plain"]))
                met = estimate is not None and estimate.median <= GOAL_NS
                print(f"  goal: at most {GOAL_NS} ns: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

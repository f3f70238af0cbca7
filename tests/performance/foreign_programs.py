#!/usr/bin/env python3
"""How far forecasts are off of programs that nobody here wrote: each is traced, its trace made a pattern, and
then the program and `weir predict` of the pattern run in turns. What is compared is the time in I/O calls,
the mean over the ranks, without waiting in collective calls for ranks that compute. h5bench_write, e3sm_io
and ior take part where they are on PATH (e3sm_io's map files in $E3SM_IO_MAPS, h5bench's configurations in
$H5BENCH_CONFIGS or tests/performance/foreign/h5bench); programs of tests/performance/foreign stand for their
patterns, and are compiled by mpicc and mpif90 where those are there.

--table FILE keeps what was measured of each program; that of another run of the same program goes. With the
file python/weir/predict/known_forecasts.json, it is what `weir predict` learns from.

Goals: the median of the programs' errors at most 10 %, the worst 30 %. Exit code 1 if one was missed.
"""

import datetime
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from peers.launch import reason_in, scratch
from peers.settings import parse, wanted

from weir import __version__
from weir.launch.base import LaunchSpec, find_launcher, usable_cores
from weir.predict.expected_error import Observed, kind_of, left_out
from weir.predict.known_forecasts import Measured, Table, spell_table
from weir.trace.load import load_trace
from weir.trace.pattern.operations.calls import select_calls
from weir.trace.pattern.operations.time_in_calls import time_in_calls
from weir.units import format_bytes, format_seconds

SOURCES = Path(__file__).parent / "foreign"
MEDIAN, WORST = 0.10, 0.30
LONGEST_S = 300


IOR = {
    "random": "-a POSIX -w -F -z -t 16k -b 8m",
    "files": "-a POSIX -w -r -F -t 1m -b 16m",
    "segments": "-a POSIX -w -t 64k -b 64k -s 128",
    "small": "-a POSIX -w -F -t 4k -b 4m",
    "independent": "-a MPIIO -w -r -t 1m -b 16m",
    "collective": "-a MPIIO -w -c -t 256k -b 256k -s 16",
}


class Failed(Exception):
    """A program, or a verb, did not do what was asked."""


@dataclass
class Program:
    """One that is forecast. `command` is without its file, which is the last argument if `takes_file`."""

    name: str
    command: list[str]
    backend: str
    rest: list[str] = field(default_factory=list)
    """What stands behind the file."""
    takes_file: bool = True
    errors: list[float] = field(default_factory=list)
    """The forecast over the program's time, minus 1, by round."""
    measured_s: list[float] = field(default_factory=list)
    forecast_s: list[float] = field(default_factory=list)
    kind: str = ""
    """What its imitation loses most."""

    def argv(self, folder: Path) -> list[str]:
        """With its file in that folder."""
        return [*self.command, *([str(folder / "out")] if self.takes_file else []), *self.rest]


def compiled(folder: Path, name: str, compiler: str) -> str | None:
    """The program of this source; None where there is no compiler for it."""
    source = next(SOURCES.glob(f"{name}.*"))
    if not shutil.which(compiler):
        return None
    program = folder / name
    subprocess.run([compiler, "-O2", "-o", program, source], check=True, cwd=folder, capture_output=True)
    return str(program)


def own(folder: Path) -> list[Program]:
    """The programs of tests/performance/foreign."""
    found = []
    if mpiio := compiled(folder, "mpiio", "mpicc"):
        for how in ("contiguous", "interleaved", "strided", "collective"):
            found.append(Program(f"mpi-io {how}", [mpiio], "mpiio", [how]))
    if posix := compiled(folder, "posix", "mpicc"):
        found.append(Program("random sizes", [posix], "posix", ["sizes"]))
        found.append(Program("random offsets", [posix], "posix", ["offsets"]))
    if fortran := compiled(folder, "unformatted", "mpif90"):
        found.append(Program("fortran unformatted", [fortran], "posix"))
    try:
        __import__("h5py")
    except ImportError:
        return found
    return [*found, Program("h5py datasets", [sys.executable, str(SOURCES / "datasets.py")], "posix")]


def on_path() -> list[Program]:
    """Those of others that are installed here."""
    found = []
    if ior := shutil.which("ior"):
        for name, how in IOR.items():
            backend = "mpiio" if "MPIIO" in how else "posix"
            found.append(Program(f"ior {name}", [ior, *how.split(), "-o"], backend))
    maps = os.environ.get("E3SM_IO_MAPS")
    if (e3sm := shutil.which("e3sm_io")) and maps:
        for case in ("f", "g", "i"):
            for map_ in sorted(Path(maps).glob(f"map_{case}_case_*.nc"))[:1]:
                how = ["-a", "pnetcdf", "-x", "canonical", "-f", "0", "-o"]
                found.append(Program(f"e3sm-io {case}", [e3sm, *how], "mpiio", [str(map_)]))
    configs = Path(os.environ.get("H5BENCH_CONFIGS", SOURCES / "h5bench"))
    if h5bench := shutil.which("h5bench_write"):
        for config in sorted(configs.glob("*.cfg")):
            found.append(Program(f"h5bench {config.stem}", [h5bench, str(config)], "mpiio"))
    return found


def run(*argv: str | Path, env: dict[str, str] | None = None) -> str:
    """What it printed. Raises Failed."""
    done = subprocess.run(
        [str(one) for one in argv],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        env={**os.environ, **(env or {})},
    )
    if done.returncode:
        raise Failed(reason_in(done.stdout + done.stderr) or f"exit code {done.returncode}")
    return done.stdout


def traced(program: Program, folder: Path, ranks: int) -> float:
    """Run it under the recorder, in files that are not there; returns the seconds in its own I/O calls, the
    mean over the ranks. The trace is in `trace`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    launcher = find_launcher("mpirun")
    launcher.prepare()
    command = launcher.command(LaunchSpec(ranks), tuple(program.argv(folder)))
    run("weir", "trace", "--out", folder / "trace", "--", *command.argv, env=command.env)
    return time_in_calls(select_calls(load_trace(folder / "trace"), None).operations, ranks).of_io_s


def forecast(program: Program, pattern: Path, directory: Path, repetitions: int) -> float:
    """The forecast of the same, in seconds."""
    place = ["--dir", directory, "--out", directory / "run", "--backend", program.backend]
    shutil.rmtree(directory / "run", ignore_errors=True)
    said = run("weir", "predict", pattern, *place, "--repetitions", str(repetitions), "--json")
    found = json.loads(said)
    imitation = found["imitation"]
    program.kind = kind_of(imitation["fidelity"], random_sizes=imitation["random_sizes"])
    return float(found["in_calls"]["mean_over_ranks"]["median_s"])


def compare(program: Program, folder: Path, ranks: int, rounds: int) -> None:
    """In turns, each first in every second round."""
    files, pattern = folder / "files", folder / "pattern.json"
    traced(program, files, ranks)
    run("weir", "pattern", files / "trace", "--out", pattern)
    for number in range(rounds):
        for is_program in (True, False) if number % 2 else (False, True):
            if is_program:
                program.measured_s.append(traced(program, files, ranks))
            else:
                program.forecast_s.append(forecast(program, pattern, folder, 3))
        program.errors.append(program.forecast_s[-1] / program.measured_s[-1] - 1)


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse(__doc__ or "", "20m", "5m", {"table": "keep what was measured in this file"})
    rounds = 3 if settings.quick else 9
    failed: dict[str, str] = {}
    with scratch(settings.dir) as folder:
        programs = [one for one in (*own(folder), *on_path()) if wanted(one.name, settings.only)]
        for program in programs:
            try:
                compare(program, folder, settings.ranks, rounds)
                if settings.table:
                    keep(program, settings.table, settings.ranks, settings.dir)
            except (Failed, subprocess.TimeoutExpired) as error:
                failed[program.name] = str(error)
    return told([one for one in programs if one.name not in failed], failed, as_json=settings.json)


def keep(program: Program, path: Path, ranks: int, directory: Path) -> None:
    """Beside the others of the table, in place of what it held of this program."""
    one = Measured(
        program.name,
        program.backend,
        program.kind,
        ranks,
        tuple(program.measured_s),
        tuple(program.forecast_s),
    )
    before = msgspec.json.decode(path.read_bytes(), type=Table).programs if path.exists() else ()
    others = [other for other in before if other.program != program.name]
    programs = tuple(sorted((*others, one), key=lambda other: other.program))
    made_by, day = "scripts/bench foreign -- --table FILE", str(datetime.datetime.now(datetime.UTC).date())
    path.write_bytes(spell_table(Table(made_by, __version__, day, machine(directory), programs)))


def machine(directory: Path) -> str:
    """Where it was measured, for people."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    mpi = run("mpirun", "--version").splitlines()[0]
    storage = run("stat", "--file-system", "--format=%T", directory).strip()
    load = f"load average {os.getloadavg()[2]:.1f}"
    cores = f"{usable_cores()} cores, {load}, {format_bytes(memory)} of memory"
    return f"{cores}, Linux {platform.release()}, {mpi}, files on {storage}"


def checked(programs: list[Program]) -> list[str]:
    """Whether errors lie where the other programs' errors let expect them."""
    check = left_out([Observed(one.name, one.kind, tuple(one.errors)) for one in programs])
    if check is None:
        return ["expected errors: too few programs to learn them from"]
    return [
        f"expected errors, learnt from the other programs: {check.held} of {check.of} lie within their "
        f"intervals (promised: {check.promised:.0%})"
    ]


def told(programs: list[Program], failed: dict[str, str], *, as_json: bool) -> int:
    """Print the errors; returns the exit code."""
    errors = {one.name: statistics.median(one.errors) for one in programs}
    sizes = [abs(error) for error in errors.values()]
    median, worst = (statistics.median(sizes), max(sizes)) if sizes else (None, None)
    if as_json:
        samples = {one.name: [one.measured_s, one.forecast_s] for one in programs}
        print(
            json.dumps({"errors": errors, "median": median, "worst": worst, "s": samples, "failed": failed})
        )
    else:
        for one in programs:
            took, said = (
                format_seconds(statistics.median(some)) for some in (one.measured_s, one.forecast_s)
            )
            print(f"{one.name:24} {took:>10} in I/O calls, forecast {said:>10}: {errors[one.name]:+.1%}")
        for name, why in failed.items():
            print(f"{name:24} failed: {why}")
        if sizes:
            print(*checked(programs), sep="\n")
            print(f"median error {median:.1%} (goal {MEDIAN:.0%}), worst {worst:.1%} (goal {WORST:.0%})")
    missed = median is None or worst is None or median > MEDIAN or worst > WORST
    return int(bool(failed) or missed)


if __name__ == "__main__":
    sys.exit(main())

"""What weir-core reads: a valid input of each kind, and the command lines that read it."""

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from end_to_end.conftest import CORE
from open_mpi import AS_ROOT_TOO


@dataclass(frozen=True)
class CoreSubject:
    """As Subject, of weir-core; the folder has a directory `store`."""

    name: str
    make: Callable[[Path], None]
    verbs: tuple[tuple[str, ...], ...]
    files: str


@dataclass(frozen=True)
class Ended:
    """How weir-core ended: its exit code, negative for a signal, None where it had to be killed; the first of
    what it printed, and all that it complained of."""

    code: int | None
    said: str
    talk: str = field(default="")


CORE_SUBJECTS: list[CoreSubject] = []
MOST_READ = 1 << 20


def core(*arguments: str, cwd: Path, seconds: float = 60) -> Ended:
    """weir-core on one rank. Of what it prints no more than the first MiB is read, as by `head`."""
    process = subprocess.Popen(
        [str(CORE), *arguments],
        stdout=subprocess.PIPE,
        stderr=(cwd.parent / "talk").open("w+b"),
        cwd=cwd,
        env={**os.environ, **AS_ROOT_TOO},
    )
    assert process.stdout
    try:
        with process.stdout as out:
            said = out.read(MOST_READ).decode(errors="replace")
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    return Ended(code, said, (cwd.parent / "talk").read_text(errors="replace"))


def made(folder: Path, words: str) -> str:
    """What weir-core printed, which must have gone well; skips where this build lacks what is needed."""
    done = core(*words.split(), cwd=folder)
    if "this build" in done.talk or "not built" in done.talk:
        pytest.skip(done.talk.strip())
    assert done.code == 0, done.talk
    return done.said


def subject(*verbs: str, files: str) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    def enter(make: Callable[[Path], None]) -> Callable[[Path], None]:
        words = tuple(tuple(verb.split()) for verb in verbs)
        CORE_SUBJECTS.append(CoreSubject(make.__name__, make, words, files))
        return make

    return enter


def write_cases(folder: Path, *cases: dict[str, Any]) -> None:
    named = [{"id": str(number), **case} for number, case in enumerate(cases)]
    text = json.dumps({"schema": 1, "warm_memory_bytes": 0, "cases": named}, indent=1)
    (folder / "cases.json").write_text(text)


METHODS = ("two-phase", "rank0")
CLOUD = "cloud --cells 8x8x8 --no-physics --steps 1 --dump-every 1 --dir"


def pattern_of(folder: Path, **options: Any) -> Any:
    """The pattern of a small case of storage."""
    write_cases(folder, {"benchmark": "storage", "options": {**SMALL, **options}})
    return json.loads(made(folder, "describe cases.json"))["pattern"]


SMALL = {"block": 65536, "transfer": 8192, "dir": "store"}


@subject("describe cases.json", files="cases.json")
def case_file(folder: Path) -> None:
    applications = [("cloud", "8x8x8"), ("flash", None), ("aquifer", "6x5x4"), ("cmb", None)]
    write_cases(
        folder,
        {"benchmark": "storage", "options": {**SMALL, "check": True, "layout": "file-per-process"}},
        {"benchmark": "metadata", "options": {"dir": "store"}},
        {"benchmark": "network", "options": {}},
        *({"benchmark": name, "options": {"cells": cells} if cells else {}} for name, cells in applications),
    )


@subject("expand p.json", "prepare p.json", "prepare p.json --ranks 8", "describe cases.json", files="p.json")
def pattern(folder: Path) -> None:
    (folder / "p.json").write_text(
        made(
            folder,
            "cloud --cells 8x8x8 --steps 4 --dump-every 2 --emit-pattern --pattern-ranks 4",
        )
    )
    write_cases(
        folder, {"benchmark": "storage", "ranks": 4, "options": {"pattern": "p.json", "dir": "store"}}
    )


@subject("expand p.json", "prepare p.json", "describe cases.json", files="p.json")
def pattern_of_a_benchmark(folder: Path) -> None:
    (folder / "p.json").write_text(json.dumps(pattern_of(folder, offsets="random", check=True)))
    write_cases(folder, {"benchmark": "storage", "options": {"pattern": "p.json", "dir": "store"}})


@subject("expand p.json", "prepare p.json", "storage --pattern p.json --dir store", files="mesh.lists")
def lists_of_a_pattern(folder: Path) -> None:
    words = [1, 0, 2, 0, 4096, 65536, 512]
    (folder / "mesh.lists").write_bytes(b"WEIRLIST" + b"".join(word.to_bytes(8, "little") for word in words))
    lists = {
        **{"file": 0, "ranks": {"first": 0, "count": 1, "step": 1}, "lists_file": "mesh.lists"},
        **{"order": {"kind": "sequential"}, "sync_each": False, "verb": "write"},
    }
    text = pattern_of(folder, read=False)
    for step in text["phases"][0]["steps"]:
        if "access" in step:
            step["access"] = lists
    (folder / "p.json").write_text(json.dumps(text))


@subject(
    "storage --block 64KiB --transfer 8KiB --dir store --backend mpiio --hint-file hints",
    "cloud --cells 8x8x8 --steps 1 --dump-every 1 --dir store --backend mpiio --hint-file hints",
    files="hints",
)
def hints(folder: Path) -> None:
    (folder / "hints").write_text("# of ROMIO\nromio_cb_write=enable\ncb_nodes 1\nstriping_unit = 65536\n")


@subject("describe cases.json", files="hpccinf.txt")
def input_of_hpcc(folder: Path) -> None:
    (folder / "hpccinf.txt").write_text(HPCCINF)
    write_cases(folder, {"benchmark": "hpcc", "options": {"input": "hpccinf.txt", "memory": 1 << 26}})


HPCCINF = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
1000         Ns
1            # of NBs
80           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
1            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0                               Number of additional problem sizes for PTRANS
1200 10000 30000                values of N
0                               number of additional blocking sizes for PTRANS
40 9 8 13 13 20 16 32 64        values of NB
"""


@subject(
    f"{CLOUD} store --restart restart", f"{CLOUD} store --restart restart --method rank0", files="restart"
)
def restart_of_the_cloud(folder: Path) -> None:
    alone(folder, f"{CLOUD} store", "restart", "restart")


@subject(f"{CLOUD} store --restart restart --backend hdf5", files="restart")
def restart_of_the_cloud_in_hdf5(folder: Path) -> None:
    alone(folder, f"{CLOUD} store --backend hdf5", "restart", "restart")


@subject(f"{CLOUD} store --restart restart --backend pnetcdf", files="restart")
def restart_of_the_cloud_in_netcdf(folder: Path) -> None:
    alone(folder, f"{CLOUD} store --backend pnetcdf", "restart", "restart")


@subject(f"{CLOUD} store", files="store/restart")
def dump_in_the_way_of_the_cloud(folder: Path) -> None:
    made(folder, f"{CLOUD} store")


FLASH = "flash --levels 2 --steps 1 --dump-every 1 --files checkpoint --dir"


@subject(f"{FLASH} store --restart chk", files="chk")
def restart_of_flash(folder: Path) -> None:
    alone(folder, f"{FLASH} store", "flash_hdf5_chk_0000", "chk")


AQUIFER = "aquifer --cells 6x5x4 --steps 1 --model analytic --wait 0 --dir"


@subject(f"{AQUIFER} store --input input.h5", files="input.h5")
def input_of_the_aquifer(folder: Path) -> None:
    alone(folder, f"{AQUIFER} store", "aquifer-input.h5", "input.h5")


@subject("flash-io --blocks 1 --dir store", files="store/.weir-*")
def lists_of_made_files(folder: Path) -> None:
    """And of files that a killed run has begun, and of who holds the directory."""
    made(folder, "flash-io --blocks 1 --dir store")
    (folder / "store/.weir-flash-io.begun").write_text(
        '{"files":[[1234,1700000000000000000]],"weir_begun":1}\n'
    )
    (folder / "store/.weir-flash-io.lock").write_text("node07 4711 2026-11-22T20:00:00.000Z\n")


KEPT = "storage --block 64KiB --transfer 8KiB --dir store"


@subject(f"{KEPT} --no-write --check", f"{KEPT} --keep", files="store/.*.kept")
def note_of_a_kept_file(folder: Path) -> None:
    made(folder, f"{KEPT} --keep --check")


@subject(f"{KEPT} --no-write --check --backend hdf5", files="store/weir-data")
def kept_file_of_hdf5(folder: Path) -> None:
    made(folder, f"{KEPT} --keep --check --backend hdf5")


@subject(f"{KEPT} --no-write --check --backend pnetcdf", files="store/weir-data")
def kept_file_of_netcdf(folder: Path) -> None:
    made(folder, f"{KEPT} --keep --check --backend pnetcdf")


def alone(folder: Path, command: str, name: str, kept: str) -> None:
    """Of what that made in `store`, the file of this name alone is kept, beside it."""
    made(folder, command)
    (folder / "store" / name).rename(folder / kept)
    for path in (folder / "store").iterdir():
        path.unlink()

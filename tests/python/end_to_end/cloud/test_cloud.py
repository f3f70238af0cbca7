"""The gas cloud with the real core: its dumps and restarts, what it counts, and how it ends."""

import csv
import json
import math
import os
import random
import shutil
import struct
import subprocess
import time
from array import array
from collections import Counter
from pathlib import Path

import pytest

from ..interrupting import Patience, interrupted
from ..real_core import Done, core_command, names_in, run_core, run_core_on, write_cases
from ..real_programs import run

CELLS = (32, 32, 32)
N = 32**3
SMALL = ("--cells", "32x32x32", "--dir", "store")
HEADER_BYTES = 24


def cloud(*arguments: str, ranks: int = 1) -> Done:
    """Run a small cloud, its files in `store`."""
    return run_core("cloud", *SMALL, *arguments, ranks=ranks)


def files_in(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def empty_store() -> None:
    shutil.rmtree("store")
    Path("store").mkdir()


def numbers_of(path: Path) -> "array[float]":
    """The arrays of a dump, without its header."""
    values = array("f")
    values.frombytes(path.read_bytes()[HEADER_BYTES:])
    return values


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_restarted_run_counts_what_the_paper_counts(place: Path, ranks: int) -> None:
    done = cloud("--steps", "4", "--dump-every", "2", "--restarted", ranks=ranks).ended(0)
    assert len(names_in("store")) == 1 + 2 * 5
    assert {path.stat().st_size for path in Path("store").iterdir()} == {24 + 24 * N, 24 + N}
    (read,), (write,), (run,) = done.samples("read"), done.samples("write"), done.samples("run")
    assert read["bytes"] == 24 + 24 * N
    assert write["bytes"] == 2 * (144 + 52 * N)
    for sample in (read, write):
        assert sample["bandwidth_bytes_per_s"] == pytest.approx(sample["bytes"] / sample["elapsed_s"])
    assert (run["steps"], run["dumps"], run["ended"]) == (4, 2, "steps")
    assert run["cells"] == list(CELLS) and run["ranks"] == ranks
    assert run["compute_s"] <= run["elapsed_s"] and "bandwidth_bytes_per_s" not in run
    assert run["totals"]["mass_drift"] < 1e-12
    files, arrays = 1 + 6 * 2, 6 + 16 * 2
    counts = {name: call["count"] for name, call in run["io"]["calls"].items()}
    assert counts["open"] == counts["close"] == ranks * files
    assert counts["read"] == read["operations"] == 1 + 6 * ranks
    assert counts["write"] == write["operations"] == 6 * 2 + 16 * 2 * ranks
    assert counts["seek"] == (0 if ranks == 1 else (2 * ranks - 1) * arrays + (ranks - 1) * files)
    sizes = [[24, 6 * 2], [N // ranks, 4 * 2 * ranks], [4 * N // ranks, 12 * 2 * ranks]]
    assert run["io"]["write_sizes"] == sizes
    assert run["io"]["calls"]["seek"]["total_s"] is None
    elapsed = [run["io"][f"{sample['phase']}_elapsed_s"] for sample in (read, write)]
    assert elapsed == [pytest.approx(sample["elapsed_s"]) for sample in (read, write)]


def test_files_depend_on_neither_ranks_nor_method(place: Path) -> None:
    found = []
    for ranks, method in ((1, "two-phase"), (2, "two-phase"), (2, "rank0"), (2, "independent")):
        empty_store()
        cloud("--steps", "2", "--dump-every", "2", "--method", method, ranks=ranks).ended(0)
        found.append(files_in("store"))
    assert len(found[0]) == 6
    assert all(files == found[0] for files in found)


@pytest.mark.parametrize(
    ("cells", "ways"),
    [
        ("128x16x16", ("1x1x1", "2x1x1", "1x2x2")),
        ("90x18x18", ("1x1x1", "3x1x1", "1x2x2")),
        ("30x20x10", ("1x1x1", "2x1x1", "1x1x2")),
        ("45x15x9", ("1x1x1", "3x1x1")),
    ],
)
def test_dumps_of_a_grid_that_is_no_cube_depend_on_no_ranks(
    place: Path, cells: str, ways: tuple[str, ...]
) -> None:
    found = []
    for way in ways:
        empty_store()
        options = ("--cells", cells, "--ranks-along", way, "--steps", "1", "--dump-every", "1")
        ranks = math.prod(map(int, way.split("x")))
        done = run_core("cloud", "--dir", "store", *options, "--method", "independent", ranks=ranks).ended(0)
        found.append((done.samples("run")[0]["cycles"], files_in("store")))
    assert len(found[0][1]) == 6
    assert all(one == found[0] for one in found)


def test_a_restart_goes_on_as_the_run_would_have(place: Path) -> None:
    assert cloud("--steps", "4", "--dump-every", "2").code == 0
    whole = numbers_of(Path("store/analysis-000004"))
    assert cloud("--steps", "2", "--dump-every", "2").code == 0
    Path("store/restart").rename("half")
    went_on = []
    for ranks in (1, 2):
        done = cloud("--restart", "half", "--steps", "2", "--dump-every", "2", ranks=ranks).ended(0)
        assert done.samples("read")[0]["bytes"] == 24 + 24 * N
        went_on.append(numbers_of(Path("store/analysis-000004")))
    assert went_on[0] == went_on[1]
    # The restart holds single precision; the run that was not interrupted was in double.
    assert went_on[0] != whole
    assert max(abs(a - b) for a, b in zip(went_on[0], whole, strict=True)) < 1e-4


def test_without_physics_only_the_files_are_made(place: Path) -> None:
    done = cloud("--steps", "6", "--dump-every", "3", "--no-physics", "--repetitions", "2").ended(0)
    assert [sample["repetition"] for sample in done.samples("write")] == [0, 1]
    assert "compute_s" not in done.samples("run")[0]
    assert "analysis-000006" in names_in("store") and len(names_in("store")) == 11


def test_files_that_are_not_kept_leave_others_alone(place: Path) -> None:
    Path("store/restart").write_text("mine")
    cloud("--steps", "1", "--dump-every", "1", "--no-keep", "--restarted", ranks=2).ended(0)
    assert files_in("store") == {"restart": b"mine"}


@pytest.mark.parametrize("name", ["restart", "restart.weir-part", "analysis-000002", "density-000002"])
@pytest.mark.parametrize("link", [False, True])
def test_a_file_that_is_no_dump_is_not_overwritten(place: Path, name: str, link: bool) -> None:
    mine = Path("store", name)
    if link:
        Path("mine").write_bytes(b"")
        mine.symlink_to(place / "mine")
    else:
        mine.write_text("mine")
    done = cloud("--steps", "2", "--dump-every", "2", ranks=2).ended(3)
    failure = done.failure()
    assert f"{name}' " in failure["problem"] and "not touched" in failure["problem"]
    assert failure["reason"] == ("it is a link" if link else "it is no dump of a gas cloud")
    assert names_in("store") == [name]
    assert mine.read_text() == ("" if link else "mine")
    assert not done.samples("write")


def test_dumps_of_an_earlier_run_are_replaced_whole_or_cut_off(place: Path) -> None:
    assert cloud("--steps", "2", "--dump-every", "2").code == 0
    before = files_in("store")
    os.truncate("store/analysis-000002", 1000)
    Path("store/restart.weir-part").write_bytes(before["restart"][:2000])
    assert cloud("--steps", "2", "--dump-every", "2", ranks=2).code == 0
    assert files_in("store") == before


def test_two_clouds_do_not_share_a_directory(place: Path) -> None:
    endless = {"cells": "64x64x64", "dir": "store", "steps": 400, "dump_every": 5}
    case = write_cases({"id": "endless", "benchmark": "cloud", "options": endless})
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    first = subprocess.Popen(["timeout", "100", *core_command(case).argv], **quiet)
    try:
        while not Path("store/restart").exists():
            assert first.poll() is None
            time.sleep(0.02)
        second = cloud("--steps", "2", "--dump-every", "1", ranks=2)
        apart = cloud("--steps", "2", "--dump-every", "1", "--no-keep")
    finally:
        first.terminate()
        first.wait()
    assert second.code == 3 and apart.code == 0
    failure = second.failure()
    assert failure["problem"] == "another run, cloud, writes into 'store'"
    assert failure["suggestion"] == "Wait until it ends, or name another directory with dir."
    assert not any(name.startswith(".") for name in names_in("store"))
    assert cloud("--steps", "2", "--dump-every", "1").code == 0


def test_progress_is_told_once_a_dump_in_a_log(place: Path) -> None:
    done = cloud("--steps", "4", "--dump-every", "2")
    told = [line for line in done.talk.splitlines() if "warning" not in line]
    assert len(told) == 2
    assert told[0].startswith("weir-core: step 2 of 4, time ")
    assert told[0].endswith(", dumped")
    case = {"id": "c", "benchmark": "cloud", "options": {"cells": "32x32x32", "dir": "store", "steps": 1}}
    assert "step" not in run_core(write_cases(case)).talk


def test_it_is_known_and_described(place: Path) -> None:
    known = {one["name"]: one for one in json.loads(run(*core_command("schema").argv))["benchmarks"]}
    types = {option["name"]: option["type"] for option in known["cloud"]["options"]}
    assert types["cells"] == "text" and types["cfl"] == "number" and types["restarted"] == "bool"
    options = {"cells": "32x32x32", "steps": 4, "dump_every": 2, "restarted": True}
    done = run_core(
        "describe", write_cases({"id": "c", "benchmark": "cloud", "options": options, "ranks": 8})
    )
    (description,) = done.of("description")
    assert description["totals"]["bytes_written"] == 2 * (144 + 52 * N)
    assert description["totals"]["bytes_read"] == 24 + 24 * N
    assert description["totals"]["operations"] == 1 + 6 * 8 + 2 * (6 + 16 * 8)


def test_the_pattern_alone_needs_no_launcher(place: Path) -> None:
    command = core_command(
        "cloud",
        *("--cells", "256x256x128", "--ranks-along", "4x4x4", "--steps", "5", "--dump-every", "5"),
        *("--restarted", "--emit-pattern"),
    )
    answer = run(*command.argv)
    assert json.loads(answer)["ranks"] == 64
    assert names_in(".") == ["store"] and names_in("store") == []
    Path("cloud.json").write_text(answer)
    listed = csv.DictReader(run(*core_command("expand", "cloud.json").argv).splitlines())
    counts = Counter(row["op"] for row in listed)
    assert (counts["open"], counts["close"], counts["read"], counts["write"]) == (448, 448, 385, 1030)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--cells", "32x32"), 2, "cells = '32x32' cannot be read"),
        (("--cells", "33x33x33"), 2, "no 2 equal blocks of at least 4 cells"),
        (("--ranks-along", "2x2x1"), 2, "ranks_along = 2x2x1 are 4 ranks, and this launch has 2"),
        (("--cells", "32x32x31", "--ranks-along", "2x1x1"), 2, "complete planes"),
        (("--dir", "nowhere"), 2, "there is no such directory"),
        (("--restart", "nowhere"), 2, "nowhere"),
        (("--problem", "sod", "--amplitude", "0.1"), 2, "amplitude contradicts problem = sod"),
        (("--amplitude", "1"), 2, "the initial state is no gas"),
        (("--lengths", "30"), 2, "too coarse"),
        (("--cells", "16384x16384x16384"), 3, "does not fit into memory"),
        (("--cfl", "fast"), 2, "cfl = 'fast' is not a number"),
        (("--cells", "1024x1024x32", "--ranks-along", "1x3x1", "--emit-pattern"), 2, "ranks"),
    ],
)
def test_bad_input_is_refused(place: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    given = dict(zip(SMALL[::2], SMALL[1::2], strict=True))
    options = [word for name, value in given.items() if name not in arguments for word in (name, value)]
    done = run_core("cloud", *options, *arguments, ranks=2).ended(code)
    failure = done.failure()
    assert words in f"{failure['problem']} {failure['reason']}"
    assert failure["suggestion"]
    assert len(done.errors) == 1
    assert names_in("store") == []


@pytest.mark.parametrize(
    ("header", "size", "words"),
    [
        (struct.pack("=6f", *CELLS, 2, 0.1, 1.1), 24 + 24 * N - 1, "786455 bytes"),
        (struct.pack("=6f", *CELLS, 2, 0.1, 1.1), 24 + 24 * N + 1, "786457 bytes"),
        (struct.pack("=6f", 32, 32, 64, 2, 0.1, 1.1), 24 + 48 * N, "grid of 32 x 32 x 64"),
        (struct.pack("=6f", *CELLS, 2, 0.1, 1.1)[:10], 10, "10 bytes"),
        (struct.pack(">6f", *CELLS, 2, 0.1, 1.1), 24 + 24 * N, "byte order"),
        (struct.pack("=6f", *CELLS, 2, 0.1, 1.4), 24 + 24 * N, "another gas"),
        (struct.pack("=6f", *CELLS, 2, 0.1, 1.1), 24 + 24 * N, "no gas"),
        (b"not a restart at all....", 24 + 24 * N, "no restart file"),
    ],
    ids=["truncated", "too long", "other cells", "no header", "byte order", "gamma", "zeros", "text"],
)
def test_a_restart_that_is_none_is_refused(place: Path, header: bytes, size: int, words: str) -> None:
    Path("other").write_bytes((header + bytes(size))[:size])
    done = cloud("--restart", "other", ranks=2).ended(2)
    failure = done.failure()
    assert words in f"{failure['problem']} {failure['reason']}"
    assert done.of("sample") == []
    assert names_in("store") == []


def test_a_step_that_no_dump_can_tell_is_refused(place: Path) -> None:
    header = struct.pack("=6f", *CELLS, 2**24 - 1, 0.1, 1.4)
    even = array("f", [1.0] * N + [0.0] * 3 * N + [1.0] * N + [0.0] * N).tobytes()
    Path("store/restart").write_bytes(header + even)
    arguments = ("--problem", "sedov", "--restart", "store/restart", "--dump-every", "1")
    done = cloud(*arguments, "--steps", "2", ranks=2).ended(2)
    assert done.failure()["problem"] == "no dump can represent step 16777217"
    assert done.of("sample") == []
    assert files_in("store") == {"restart": header + even}
    assert run_core("cloud", *SMALL, *arguments, "--steps", "2", "--emit-pattern").code == 2
    done = cloud(*arguments, "--steps", "1", ranks=2).ended(0)
    assert struct.unpack("=6f", Path("store/restart").read_bytes()[:24])[3] == 2**24


@pytest.mark.parametrize("ranks", [1, 2])
def test_floors_are_told_with_how_often_they_raised_the_gas(place: Path, ranks: int) -> None:
    arguments = ("--problem", "sod", "--steps", "2", "--dump-every", "0")
    done = cloud(*arguments, "--pressure-floor", "0.5", ranks=ranks).ended(0)
    (run,) = done.samples("run")
    # In half of the box the pressure is 0.1: the first sweep raises all of it.
    assert run["raised"]["density"] == 0
    assert N // 2 <= run["raised"]["pressure"] < N
    assert [warning["code"] for warning in run["warnings"]] == ["floor"]
    said = [line for line in done.talk.splitlines() if "floors raised" in line]
    assert len(said) == 1 and f"pressures {run['raised']['pressure']} times" in said[0]
    done = cloud(*arguments, ranks=ranks)
    assert done.samples("run")[0]["raised"] == {"density": 0, "pressure": 0}
    assert "floor" not in done.talk


def test_a_cloud_that_is_no_longer_resolved_ends_after_a_last_dump(place: Path) -> None:
    arguments = ("--cells", "16x16x16", "--lengths", "3.3", "--steps", "200", "--dump-every", "100")
    done = run_core("cloud", "--dir", "store", *arguments, ranks=2).ended(0)
    (run,) = done.samples("run")
    assert run["ended"] == "resolution"
    where = run["unresolved"]
    assert 0 < where["step"] == run["steps"] < 100
    assert where["crowding"] >= 1
    assert f"analysis-{where['step']:06}" in names_in("store")
    assert run["warnings"][0]["code"] == "resolution"
    said = [line for line in done.talk.splitlines() if "no longer resolved" in line]
    assert len(said) == 1
    assert "({}, {}, {})".format(*where["cell"]) in said[0] and f"step {where['step']}" in said[0]


def wild_gas() -> bytes:
    """A restart of gas so wild that no scheme takes a step with it."""
    chance = random.Random(1)
    content = struct.pack("=6f", *CELLS, 4, 0.1, 1.4)
    density = array("f", (10 ** chance.uniform(-6, 0) for _ in range(N)))
    velocity = array("f", (chance.uniform(-100, 100) for _ in range(3 * N)))
    pressure = array("f", (10 ** chance.uniform(-12, 0) for _ in range(N)))
    return content + density.tobytes() + velocity.tobytes() + pressure.tobytes() + bytes(4 * N)


def test_a_gas_that_fails_leaves_the_last_dump_whole(place: Path) -> None:
    Path("store/restart").write_bytes(wild_gas())
    arguments = ("--problem", "sedov", "--cfl", "1", "--restart", "store/restart", "--dump-every", "1")
    done = cloud(*arguments, ranks=2).ended(3)
    failure = done.failure()
    assert "no longer positive" in failure["problem"]
    assert "cell (" in failure["reason"] and "at time 0.1 in step 5" in failure["reason"]
    assert len(done.errors) == 1
    assert files_in("store") == {"restart": wild_gas()}
    assert [sample["phase"] for sample in done.of("sample")] == ["read"]  # which was over before


@pytest.mark.parametrize("ranks", [1, 2])
def test_an_interrupt_ends_it_between_steps(place: Path, ranks: int) -> None:
    done = interrupted(
        *("cloud", *SMALL, "--steps", "300", "--dump-every", "1", "--no-resolution-stop"),
        ranks=ranks,
        begun=lambda: Path("store/potential-000002").exists(),
        patience=Patience(begin_s=60, before_s=0, end_s=30),
    )
    assert done.code == 130 or (ranks > 1 and done.code != 0), done.talk
    assert done.failure()["exit_code"] == 130
    dumps = [name for name in names_in("store") if name.startswith("analysis")]
    assert len(names_in("store")) == 1 + 5 * len(dumps)
    assert {path.stat().st_size for path in Path("store").iterdir()} == {24 + 24 * N, 24 + N}


def test_a_full_file_system_leaves_the_last_restart(place: Path) -> None:
    arguments = ("cloud", *SMALL, "--steps", "9", "--dump-every", "1", "--no-check-space")
    done = run_core_on("-t tmpfs -o size=3m", *arguments, ranks=2).ended(3)
    assert "No space left" in done.failure()["reason"]
    (sample,) = done.samples("write")
    assert len(done.of("sample")) == 1
    assert (sample["dumps"], sample["bytes"]) == (1, 144 + 52 * N)
    assert sample["bandwidth_bytes_per_s"] == pytest.approx(sample["bytes"] / sample["elapsed_s"])
    assert [name for name in done.others if "restart" in name] == ["restart"]

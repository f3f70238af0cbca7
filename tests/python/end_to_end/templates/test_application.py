"""An application that is one folder: heat conduction, the template. What it says of itself is shown and
reported, other programs find its dumps, its pattern is replayed, and it stays as short as the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from running import ended

from ..conftest import ROOT, need_real_programs
from ..interrupting import Patience, interrupted
from ..read_by_others import READERS
from ..real_core import Done, core_command, run_core
from ..real_programs import run
from ..storage.test_formats import need_backends
from .test_benchmark import weir

FOLDER = ROOT / "src" / "apps" / "template"
PHYSICS = {"heat.hpp", "heat.cpp"}
PATTERN = {"heat_files.hpp", "heat_files.cpp"}
SHAPE = (8, 12, 16)
"""Along z, y, x."""
RUN = ("heat", "--cells", "16x12x8", "--steps", "4", "--dump-every", "2")

STUDY = """
[study]
name = "heat"
budget = "60s"
min_samples = 1
max_samples = 1
probe_state = false

[fixed]
benchmark = "heat"
cells = "16x12x8"
steps = 4
dump_every = 2
restarted = true

[[comparison]]
name = "ranks"
axes = { ranks = [1, 2], backend = ["posix", "hdf5"] }
"""


def test_its_own_lines_are_few() -> None:
    others = [path for path in FOLDER.iterdir() if path.name not in PHYSICS | PATTERN]
    lines = sum(len(path.read_text().splitlines()) for path in others)
    assert 0 < lines <= 150, {path.name: len(path.read_text().splitlines()) for path in others}


def test_nothing_else_names_it() -> None:
    """But tests, documents and what is generated from its options."""
    found = ended("grep", "-rlE", r"apps/template|\bheat\b", "src", "python", "scripts", "cmake", cwd=ROOT)
    names = [name for name in found.stdout.splitlines() if not name.startswith("src/apps/template/")]
    assert [name for name in names if "__pycache__" not in name and name.startswith("src/apps")] in (
        [],
        ["src/apps/common/run/application_job.hpp"],
    ), names


def test_a_study_of_it_is_shown_and_reported(tmp_path: Path) -> None:
    need_backends("hdf5")
    (tmp_path / "study.toml").write_text(STUDY)
    weir(tmp_path, "run", "study.toml", "--out", "RUN", codes=(0, 5))
    rows = json.loads(weir(tmp_path, "show", "RUN", "--json"))["rows"]
    assert {(row["phase"], row["ranks"], row["options"]["backend"]) for row in rows} == {
        (phase, ranks, backend)
        for phase in ("read", "write", "run")
        for ranks in (1, 2)
        for backend in ("posix", "hdf5")
    }
    units = {row["phase"]: row["unit"] for row in rows}
    assert units == {"read": "B/s", "write": "B/s", "run": "s"}
    run = next(row for row in rows if row["phase"] == "run")
    assert [one["key"] for one in run["metrics"]] == ["elapsed_s", "compute_s", "cell_updates_per_s"]
    shown = weir(tmp_path, "show", "--all", "RUN")
    assert re.search(r"write +[\d.,]+ [KMG]iB/s", shown), shown
    weir(tmp_path, "report", "RUN", "--out", "page.html")
    assert "rate of computing" in (tmp_path / "page.html").read_text()


def heat(place: str, *options: str, ranks: int = 2) -> Done:
    """Run it in a directory; later options replace those of `RUN`."""
    Path(place).mkdir(exist_ok=True)
    given = dict(zip(RUN[1::2], RUN[2::2], strict=True)) | dict(zip(options[::2], options[1::2], strict=True))
    words = [word for option in given.items() for word in option]
    return run_core("heat", *words, "--dir", place, ranks=ranks)


def dumped(place: str, backend: str) -> Path:
    done = heat(place, "--backend", backend).ended(0)
    (write,) = done.samples("write")
    cells = SHAPE[0] * SHAPE[1] * SHAPE[2]
    assert write["bytes"] == 2 * (8 + 12 * cells)
    assert write["calls"]["write"]["bytes"] == write["bytes"]
    return Path(place) / "restart"


@pytest.mark.parametrize("backend", ["hdf5", "pnetcdf"])
def test_other_programs_read_its_dumps(place: Path, backend: str) -> None:
    need_backends(backend)
    plain = dumped("plain", "posix").read_bytes()
    expected = np.frombuffer(plain, np.float64, offset=8).reshape(SHAPE)
    path = dumped("formatted", backend)
    found = READERS[backend](path)
    assert sorted(found) == ["step", "temperature"]
    assert found["step"] == 4 and (found["temperature"] == expected).all()


@pytest.mark.parametrize("backend", ["posix", "twophase", "hdf5"])
def test_its_pattern_is_replayed(tmp_path: Path, backend: str) -> None:
    need_real_programs()
    command = core_command(*RUN, "--restarted", "--emit-pattern")
    (tmp_path / "heat.json").write_text(run(*command.argv))
    options = ("--backend", backend, "--ranks", "2", "--repetitions", "1")
    replayed = weir(tmp_path, "replay", "heat.json", *options, "--out", "RUN", "--json")
    moved = {one["phase"]: one["bytes"] for one in json.loads(replayed)["phases"]}
    cells = SHAPE[0] * SHAPE[1] * SHAPE[2]
    assert (moved["restart"], moved["dumps"]) == (8 + 8 * cells, 2 * (8 + 12 * cells))


def test_a_file_of_somebody_else_s_stays(place: Path) -> None:
    Path("mine").mkdir()
    Path("mine/restart").write_text("my own notes")
    done = heat("mine")
    assert done.code != 0
    assert "already exists, and is not touched" in done.failure()["problem"]
    assert Path("mine/restart").read_text() == "my own notes"


def test_a_run_replaces_what_an_earlier_one_left(place: Path) -> None:
    """As it was left: what somebody has changed, or put there, stays."""
    for steps in ("4", "6"):
        heat("runs", "--steps", steps).ended(0)
    assert sorted(path.name for path in Path("runs").iterdir() if path.name[0] != ".") == [
        "restart",
        *(f"temperature-00000{step}" for step in (2, 4, 6)),
    ]
    Path("runs/temperature-000004").write_text("my own notes")
    done = heat("runs")
    assert done.code == 3 and "temperature-000004' already exists" in done.failure()["problem"]
    assert Path("runs/temperature-000004").read_text() == "my own notes"


def test_a_run_that_was_stopped_is_made_again(place: Path) -> None:
    """By the same command, as it says."""
    command = ("heat", "--cells", "16x12x8", "--dump-every", "2", "--dir", ".")
    interrupted(
        *command,
        *("--steps", "40000"),
        ranks=2,
        begun=lambda: any(Path().glob("temperature-*")),
        patience=Patience(begin_s=30, before_s=0.1, end_s=30),
    ).ended(130)
    heat(".").ended(0)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("hdf5", "--chunk", "64KiB"), "chunk contradicts a file of arrays"),
        (("pnetcdf", "--nonblocking", "4"), "nonblocking contradicts a file of arrays"),
        (("posix", "--direct"), "direct contradicts array 'step' of 'restart'"),
        (("uring", "--direct"), "direct contradicts array 'step' of 'restart'"),
    ],
)
def test_options_that_arrays_contradict_are_refused_before_it_computes(
    place: Path, options: tuple[str, ...], problem: str
) -> None:
    need_backends(options[0])
    done = run_core(*RUN, "--backend", *options, "--dir", ".", ranks=1)
    assert (done.code, done.failure()["problem"]) == (2, problem)
    assert done.samples("run") == [] and list(Path().glob("*-0000*")) == []


def test_a_run_goes_on_from_a_file(place: Path) -> None:
    """Whatever the ranks and the back-end: the same bytes as of a run that was not stopped."""
    heat("whole", "--steps", "6").ended(0)
    heat("first").ended(0)
    on = ("--steps", "2", "--restart", "first/restart")
    done = heat("second", *on, "--backend", "posix", ranks=1).ended(0)
    assert done.samples("read")[0]["bytes"] == 8 + 8 * 8 * 12 * 16
    assert Path("second/restart").read_bytes() == Path("whole/restart").read_bytes()
    assert Path("second/temperature-000006").exists()
    assert heat("first", *on).code == 0, "the file that it names"
    assert Path("first/restart").read_bytes() == Path("whole/restart").read_bytes()
    other = heat("second", *on, "--cells", "16x16x8", ranks=1)
    assert other.code == 2 and "is no restart of this box" in other.failure()["problem"]


def test_without_storage_it_moves_what_it_would(place: Path) -> None:
    done = heat(".", "--backend", "null").ended(0)
    (write,) = done.samples("write")
    assert write["bytes"] == 2 * (8 + 12 * SHAPE[0] * SHAPE[1] * SHAPE[2]) and write["calls"] is None
    assert done.samples("run")[0]["details"]["io"] is None
    assert [path.name for path in Path().iterdir() if "restart" in path.name or "temp" in path.name] == []


@pytest.mark.parametrize(
    "change", [{"temperature": np.float32}, {"temperature": ">f8"}, {"step": np.int64}, {"step": None}]
)
def test_a_restart_of_other_elements_is_refused(place: Path, change: dict[str, Any]) -> None:
    """By h5py, which makes what no run has made: refused before it computes, not read as something else."""
    need_backends("hdf5")
    h5py = pytest.importorskip("h5py")
    path = dumped("formatted", "hdf5")
    with h5py.File(path, "r+") as file:
        for name, kind in change.items():
            values = file[name][...]
            del file[name]
            if kind is not None:
                file[name] = values.astype(kind)
    done = heat("on", "--backend", "hdf5", "--restart", str(path)).ended(2)
    said = done.failure()
    assert "this run cannot begin with" in said["problem"]
    assert done.samples("run") == [] and not list(Path("on").glob("temperature-*"))

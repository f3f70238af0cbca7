"""The gas cloud's runs, recorded, beside the pattern that the program gives of them; and that replayed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..conftest import WEIR, folder_with_store
from ..real_core import core_command, run_core
from ..real_programs import run
from ..recorded import RECORDER, expansion, expected, recorded

RANKS = 4
CELLS = (8, 12, 16)
VOLUME = CELLS[0] * CELLS[1] * CELLS[2]
RUN = ["cloud", "--cells", "8x12x16", "--ranks-along", "2x2x1", "--no-physics", "--dump-every", "2"]
KINDS = {"open", "read", "write", "sync", "close"}


def arguments(store: Path, method: str) -> list[str]:
    """A run that goes on from what another has left, and dumps twice."""
    return [*RUN, *f"--method {method} --dir {store} --restart {store}/restart --steps 4".split()]


def in_store(path: Path) -> str | None:
    """The name in the pattern of a file of a dump."""
    return path.name if path.parent.name == "store" else None


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dump after step 3, from which runs go on."""
    made = folder_with_store(tmp_path_factory, "cloud") / "store"
    run_core(*RUN[:-1], "3", "--steps", "3", "--dir", str(made), ranks=RANKS).ended(0)
    return made


@pytest.fixture(scope="module", params=["two-phase", "rank0", "independent"])
def given(request: pytest.FixtureRequest, store: Path) -> Path:
    """A folder with `pattern.json`, what the program gives of a run by one method, by itself and without a
    launcher; and with the `store` that such a run goes on from."""
    folder = store.with_name(request.param)
    shutil.copytree(store, folder / "store")
    command = core_command(*arguments(folder / "store", request.param), "--emit-pattern")
    (folder / "pattern.json").write_text(run(*command.argv))
    return folder


@pytest.fixture(scope="module")
def traced(given: Path) -> Path:
    """The same, and a `trace` of that run."""
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    (given / "trace").mkdir()
    asked = arguments(given / "store", given.name)
    run_core(*asked, ranks=RANKS, LD_PRELOAD=str(RECORDER), WEIR_TRACE=str(given / "trace")).ended(0)
    return given


def without_guards(rows: list[Any]) -> list[Any]:
    """The rows but those by which the first rank claims the directory and looks whether a file that it is to
    replace is a dump: its header of 24 bytes, and no more. They are no part of the dumps."""
    rows = [row for row in rows if not row[1].startswith(".weir-cloud.")]  # the lock, and what is begun
    kept: list[Any] = []
    for row in rows:
        kept.append(row)
        latest = [(one[0], one[1], str(one[3])) for one in kept[-3:]]
        name = row[1]
        if [one[0] for one in latest] == ["open", "read", "close"] and latest[1] == ("read", name, "24"):
            del kept[-3:]
    return kept


def test_a_run_asks_for_what_its_pattern_says(traced: Path) -> None:
    found = recorded(traced / "trace", KINDS, in_store)
    assert any(kind == "read" for kind, *_ in found[0])
    for rank in range(RANKS):
        assert without_guards(found.get(rank, [])) == expected(traced / "pattern.json", rank, KINDS)


def files_touched(path: Path, rank: int) -> list[tuple[str, ...]]:
    """What a rank does to files, opens with their mode."""
    keys = ("op", "file", "offset", "length", "mode")
    rows = (row for row in expansion(path, rank) if row["op"] in KINDS)
    return [
        tuple(str(in_store(Path("store") / row[key]) if key == "file" else row[key]) for key in keys)
        for row in rows
    ]


def test_the_trace_of_a_run_gives_the_pattern_that_the_run_gives(traced: Path) -> None:
    found = traced / "found.json"
    run(*WEIR.split(), "pattern", traced / "trace", "-o", found, "--gaps", "none")
    for rank in range(RANKS):
        assert without_guards(files_touched(found, rank)) == files_touched(traced / "pattern.json", rank)


def test_the_pattern_is_replayed(given: Path, tmp_path: Path) -> None:
    place = ["--dir", str(tmp_path), "--out", str(tmp_path / "run"), "--repetitions", "1"]
    said = json.loads(run(*WEIR.split(), "replay", given / "pattern.json", *place, "--json"))
    assert (said["ranks"], said["made_first"]) == (RANKS, ["restart"])
    moved = {one["phase"]: one["bytes"] for one in said["phases"]}
    assert moved["restart"] == 24 + 24 * VOLUME
    assert moved["dumps"] == 2 * (6 * 24 + 52 * VOLUME)


def seeks_in(pattern: Path, ranks: int) -> int:
    return sum(row["op"] == "seek" for rank in range(ranks) for row in expansion(pattern, rank))


def test_a_run_counts_the_seeks_that_its_pattern_lists(given: Path, tmp_path: Path) -> None:
    shutil.copytree(given / "store", tmp_path / "store")
    done = run_core(*arguments(tmp_path / "store", given.name), ranks=RANKS).ended(0)
    (whole,) = done.samples("run")
    assert whole["io"]["calls"]["seek"]["count"] == seeks_in(given / "pattern.json", RANKS)


@pytest.mark.parametrize(
    ("case", "ranks", "seeks"),
    [
        ("--cells 128x128x64 --ranks-along 2x2x2 --steps 20", 8, 1225),
        ("--cells 256x256x128 --ranks-along 4x4x4 --steps 5", 64, 3235),
    ],
)
def test_the_patterns_of_the_papers_cases_list_its_seeks(
    case: str, ranks: int, seeks: int, tmp_path: Path
) -> None:
    options = ["--no-physics", "--restarted", "--dump-every", "5", "--emit-pattern"]
    pattern = tmp_path / "pattern.json"
    pattern.write_text(run(*core_command("cloud", *case.split(), *options).argv))
    assert seeks_in(pattern, ranks) == seeks

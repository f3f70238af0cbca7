"""The gas cloud's runs, recorded, beside the pattern that the program gives of them; and that replayed."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .conftest import WEIR, need_real_programs
from .real_core import core_command, run_core
from .recorded import RECORDER, expansion, expected, recorded

RANKS = 4
CELLS = (8, 12, 16)
VOLUME = CELLS[0] * CELLS[1] * CELLS[2]
RUN = ["cloud", "--cells", "8x12x16", "--ranks-along", "2x2x1", "--no-physics", "--dump-every", "2"]
KINDS = {"open", "read", "write", "sync", "close"}
METHODS = pytest.mark.parametrize("method", ["two-phase", "rank0", "independent"])


def arguments(store: Path, method: str) -> list[str]:
    """A run that goes on from what another has left, and dumps twice."""
    return [
        *RUN,
        "--method",
        method,
        "--dir",
        str(store),
        "--restart",
        str(store / "restart"),
        "--steps",
        "4",
    ]


def in_store(path: Path) -> str | None:
    """The name in the pattern of a file of a dump."""
    return path.name if path.parent.name == "store" else None


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with the dump after step 3, from which runs go on."""
    need_real_programs()
    made = tmp_path / "store"
    made.mkdir()
    done = run_core(*RUN[:-1], "3", "--steps", "3", "--dir", str(made), ranks=RANKS)
    assert done.code == 0, done.talk
    return made


def pattern_of(store: Path, method: str) -> dict[str, Any]:
    """What the program gives, by itself and without a launcher."""
    command = core_command(*arguments(store, method), "--emit-pattern")
    done = subprocess.run(command.argv, capture_output=True, text=True, check=True, timeout=60)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def without_guards(rows: list[Any]) -> list[Any]:
    """The rows but those by which the first rank claims the directory and looks whether a file that it is to
    replace is a dump: its header of 24 bytes, and no more. They are no part of the dumps."""
    rows = [row for row in rows if row[1] != ".weir-cloud.lock"]
    kept: list[Any] = []
    for row in rows:
        kept.append(row)
        latest = [(one[0], one[1], str(one[3])) for one in kept[-3:]]
        name = row[1]
        if [one[0] for one in latest] == ["open", "read", "close"] and latest[1] == ("read", name, "24"):
            del kept[-3:]
    return kept


@METHODS
def test_a_run_asks_for_what_its_pattern_says(tmp_path: Path, store: Path, method: str) -> None:
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    path, folder = tmp_path / "p.json", tmp_path / "trace"
    path.write_text(json.dumps(pattern_of(store, method)))
    folder.mkdir()
    asked = arguments(store, method)
    done = run_core(*asked, ranks=RANKS, LD_PRELOAD=str(RECORDER), WEIR_TRACE=str(folder))
    assert done.code == 0, done.talk
    found = recorded(folder, KINDS, in_store)
    assert any(kind == "read" for kind, *_ in found[0])
    for rank in range(RANKS):
        assert without_guards(found.get(rank, [])) == expected(path, rank, KINDS)


def files_touched(path: Path, rank: int) -> list[tuple[str, ...]]:
    """What a rank does to files, opens with their mode."""
    keys = ("op", "file", "offset", "length", "mode")
    rows = (row for row in expansion(path, rank) if row["op"] in KINDS)
    return [
        tuple(str(in_store(Path("store") / row[key]) if key == "file" else row[key]) for key in keys)
        for row in rows
    ]


@METHODS
def test_the_trace_of_a_run_gives_the_pattern_that_the_run_gives(
    tmp_path: Path, store: Path, method: str
) -> None:
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    said, found, folder = tmp_path / "said.json", tmp_path / "found.json", tmp_path / "trace"
    said.write_text(json.dumps(pattern_of(store, method)))
    folder.mkdir()
    done = run_core(*arguments(store, method), ranks=RANKS, LD_PRELOAD=str(RECORDER), WEIR_TRACE=str(folder))
    assert done.code == 0, done.talk
    made = [*WEIR.split(), "pattern", str(folder), "-o", str(found), "--gaps", "none"]
    subprocess.run(made, capture_output=True, text=True, check=True, timeout=120)
    for rank in range(RANKS):
        assert without_guards(files_touched(found, rank)) == files_touched(said, rank)


@METHODS
def test_the_pattern_is_replayed(tmp_path: Path, store: Path, method: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(pattern_of(store, method)))
    place = ["--dir", str(tmp_path), "--out", str(tmp_path / "run"), "--repetitions", "1"]
    done = subprocess.run(
        [*WEIR.split(), "replay", str(path), *place, "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["ranks"], said["made_first"]) == (RANKS, ["restart"])
    moved = {one["phase"]: one["bytes"] for one in said["phases"]}
    assert moved["restart"] == 24 + 24 * VOLUME
    assert moved["dumps"] == 2 * (6 * 24 + 52 * VOLUME)

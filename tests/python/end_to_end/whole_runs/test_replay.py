"""Patterns replayed, and what the recorder sees of them: just the operations of their expansion."""

import json
from pathlib import Path
from typing import Any

import pytest

from verbs import weir_ended, weir_told

from ..patterns import Json, access, closing, opening, pattern, phase
from ..real_core import run_core
from ..recorded import RECORDER, expected, recorded

RANKS = 2


def of_weir(path: Path) -> str | None:
    """The name in a pattern of a file that a replay made."""
    return path.name.removeprefix("weir-") if path.name.startswith("weir-") else None


def some(first: int, count: int = 1) -> dict[str, int]:
    return {"first": first, "count": count, "step": 1}


def dumps() -> dict[str, Any]:
    """Three dumps of records of both ranks, a file each; rank 0 keeps a log, and rank 1 computes."""
    record = access("write", ranks=RANKS, count=2)
    record["access"] |= {"file_advance": [1, 0], "advance": [0, 32768]}
    line = access("write", count=1, length=64)
    line["access"] |= {"file": 3, "advance": [64]}
    loop = [
        {"open": {"file": 0, "mode": "create", "file_advance": [1]}},
        {"repeat": {"count": 4, "steps": [record]}},
        {"sync": {"file": 0, "file_advance": [1]}},
        {"close": {"file": 0, "file_advance": [1]}},
        line,
        {"compute": {"time_s": 0.001, "ranks": some(1)}},
        {"barrier": {}},
    ]
    log = {"file": 3, "ranks": some(0)}
    steps = [
        {"open": {**log, "mode": "create"}},
        {"repeat": {"count": 3, "steps": loop}},
        {"close": log},
    ]
    whole = pattern(phase("dumps", *steps), ranks=RANKS)
    whole["files"] = [{"name": name, "per_rank": False} for name in ("dump-0", "dump-1", "dump-2", "log")]
    return whole


def write_and_read() -> dict[str, Any]:
    """A file of each rank, written and read back in another order."""
    back = access("check", ranks=RANKS, count=8)
    back["access"] |= {"order": {"kind": "shuffled", "seed": 7}, "rank_levels": []}
    there = access("write", ranks=RANKS, count=8)
    there["access"]["rank_levels"] = []
    return pattern(
        phase("write", opening("create"), there, closing()),
        phase("read", opening("read"), back, closing()),
        ranks=RANKS,
        per_rank=True,
    )


def replay_recorded(tmp_path: Path, what: dict[str, Any], backend: str) -> tuple[Path, Path]:
    """Carry a pattern out under the recorder; the pattern's file and the trace."""
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    path, store, folder = tmp_path / "p.json", tmp_path / "store", tmp_path / "trace"
    path.write_text(json.dumps(what))
    store.mkdir()
    folder.mkdir()
    arguments = ["storage", "--pattern", str(path), "--backend", backend, "--dir", str(store)]
    run_core(*arguments, ranks=RANKS, LD_PRELOAD=str(RECORDER), WEIR_TRACE=str(folder)).ended(0)
    return path, folder


@pytest.mark.parametrize(("backend", "interface"), [("posix", "POSIX"), ("mpiio", "MPI-IO")])
@pytest.mark.parametrize(
    ("what", "kinds"),
    [(dumps(), {"open", "write", "sync", "close"}), (write_and_read(), {"write", "read"})],
    ids=["dumps", "in another order"],
)
def test_a_replay_does_the_operations_of_the_expansion(
    tmp_path: Path, backend: str, interface: str, what: Json, kinds: set[str]
) -> None:
    path, folder = replay_recorded(tmp_path, what, backend)
    found = recorded(folder, kinds, of_weir, interface)
    for rank in range(RANKS):
        assert found[rank] == expected(path, rank, kinds)


def replayed(folder: Path, what: Json, *options: str) -> str:
    """What `weir replay` prints of a pattern that it carries out, or plans, in this folder."""
    path = folder / "p.json"
    path.write_text(json.dumps(what))
    return weir_told("replay", path, "--dir", folder, *options)


def once(folder: Path, *more: str) -> tuple[str, ...]:
    """The options of one repetition into the run `run`."""
    return ("--repetitions", "1", "--out", str(folder / "run"), *more)


@pytest.mark.parametrize("backend", ["posix", "mpiio"])
def test_the_verb_makes_files_that_are_only_read(tmp_path: Path, backend: str) -> None:
    load = phase("load", opening("read"), access("read", ranks=RANKS), {"compute": {"time_s": 60}}, closing())
    what = {**pattern(load, ranks=RANKS), "scales": "weak"}
    options = ("--ranks", "1", "--gaps", "none", "--json")
    said = json.loads(replayed(tmp_path, what, *once(tmp_path, "--backend", backend), *options))
    assert (said["ranks"], said["made_first"], said["run"]) == (1, ["matrix"], str(tmp_path / "run"))
    (found,) = said["phases"]
    assert (found["phase"], found["bytes"], found["requests"], found["samples"]) == ("load", 4 * 4096, 4, 1)
    assert (tmp_path / "run" / "pattern.json").exists()


@pytest.mark.parametrize(("backend", "by_itself"), [("posix", ["write"]), ("mpiio", [])])
def test_collective_phases_go_through_every_backend(
    tmp_path: Path, backend: str, by_itself: list[str]
) -> None:
    write = phase("write", opening("create"), access("write", ranks=RANKS), closing(), collective=True)
    what, place = pattern(write, ranks=RANKS), once(tmp_path, "--backend", backend)
    words = "each rank for itself, since posix has no collective calls: write"
    assert (words in replayed(tmp_path, what, *place, "--dry-run")) == bool(by_itself)
    said = json.loads(replayed(tmp_path, what, *place, "--json"))
    assert (said["made_independent"], said["phases"][0]["requests"]) == (by_itself, 8)


@pytest.mark.parametrize(("backend", "synchronous"), [("posix", True), ("mpiio", False)])
def test_it_is_said_that_a_back_end_makes_no_asynchronous_access(
    tmp_path: Path, backend: str, synchronous: bool
) -> None:
    begun = access("write", ranks=RANKS)
    begun["access"]["asynchronous"] = True
    write = phase("write", opening("create"), begun, {"wait": {"file": 0}}, closing())
    words = (
        "asynchronous accesses of 'write' were made one after the other (the posix back-end returns from a "
        "request when it is made)."
    )
    said = replayed(tmp_path, pattern(write, ranks=RANKS), *once(tmp_path, "--backend", backend, "--all"))
    assert (words in said) == synchronous == ("! warnings about phases" in said)


def test_the_verb_says_what_it_did(tmp_path: Path) -> None:
    planned = replayed(tmp_path, write_and_read(), "--dry-run")
    assert "2 ranks, 6 repetitions" in planned
    assert "writes 64 KiB and reads 64 KiB" in planned
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]
    done = replayed(tmp_path, write_and_read(), *once(tmp_path, "--all"))
    for words in ("write", "64 KiB", "MiB/s", "checked: every word is right", f"run: {tmp_path / 'run'}"):
        assert words in done


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        (json.dumps(write_and_read()), ("--ranks", "4"), "it does not say how it scales"),
        ("{", (), "is not JSON"),
    ],
    ids=["ranks", "text"],
)
def test_a_pattern_that_cannot_be_replayed_is_refused(
    tmp_path: Path, text: str, options: tuple[str, ...], why: str
) -> None:
    (tmp_path / "p.json").write_text(text)
    done = weir_ended("replay", tmp_path / "p.json", "--dir", tmp_path, *options)
    assert done.returncode == 2 and why in done.stderr

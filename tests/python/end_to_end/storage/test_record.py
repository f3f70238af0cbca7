"""What the record tells beyond bandwidth: requests, ranks, hints, limits, directories."""

import json
from pathlib import Path

import pytest

from ..conftest import folder_with_store
from ..patterns import closing, opening, pattern, phase
from ..real_core import KIB, MIB, Done, names_in, run_cases, run_core, storage, write_cases

REQUESTS = 8
CASES = [
    storage("detailed", detail="requests", mixed=True, read_percent=25),
    storage("bounded", detail="requests", most_requests=3, latencies="none"),
    storage("limited", block=1 << 40, transfer=MIB, time_limit=0.2, wear_out=True, check=True, cache="drop"),
    storage("paced", think_time=0.01, warm_up=1, repetitions=2),
    storage("hinted", backend="mpiio", hint_file="hints.txt", hint=["cb_nodes=1"]),
    storage("spread", also_dir=["other"], layout="file-per-process", keep=True),
    storage("dealt", backend="mpiio", offsets="dealt", together=True, collective=True, check=True),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the cases run: two directories to measure, and a file of hints."""
    folder = folder_with_store(tmp_path_factory, "record")
    (folder / "other").mkdir()
    (folder / "hints.txt").write_text("cb_nodes 2  # overridden\nno_such_hint=7\n")
    return folder


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    """A launch of all cases on two ranks."""
    return run_core(write_cases(*CASES, folder=folder), ranks=2, cwd=folder).ended(0)


def test_every_request_is_told_where_asked(done: Done) -> None:
    rows = done.of("requests", "detailed")
    assert [(row["phase"], row["rank"]) for row in rows] == [
        (phase, rank) for phase in ("write", "read", "mixed") for rank in (0, 1)
    ]
    assert all(row["complete"] for row in rows)
    mixed = rows[-1]
    assert mixed["direction"].count("read") == REQUESTS * 25 // 100
    assert mixed["offset"] == [64 * KIB + 8 * KIB * turn for turn in range(REQUESTS)]
    (sample,) = done.samples("mixed", "detailed")
    told = [
        request
        for row in rows[-2:]
        for request in zip(row["direction"], row["length"], row["duration_s"], strict=True)
    ]
    assert sample["bytes_read"] == sum(length for direction, length, _ in told if direction == "read")
    slowest = max(duration for direction, _, duration in told if direction == "write")
    assert sample["latency"]["write"]["max_s"] == pytest.approx(slowest)
    assert [rank["operations"] for rank in sample["by_rank"]] == [REQUESTS, REQUESTS]
    assert sum(sample["timeline"]["bytes"]) == sample["bytes"]


def test_no_more_requests_are_told_than_asked_for(done: Done) -> None:
    rows = done.of("requests", "bounded")
    assert {len(row["start_s"]) for row in rows} <= {0, 3}
    assert not any(row["complete"] for row in rows)


def test_what_was_written_in_the_time_can_be_read(done: Done) -> None:
    write, read, check = done.of("sample", "limited")
    limit = write["limit"]
    assert limit["reached"] and 0 < limit["bytes"] <= write["bytes"]
    assert limit["fewest_requests"] <= limit["most_requests"]
    assert read["bytes_read"] == check["bytes_read"] == write["bytes_written"]
    assert check["verification"]["wrong"] == 0
    assert write["first_done_s"] <= write["last_done_s"]


def test_a_rank_pauses_after_each_request_and_warming_up_is_not_told(done: Done) -> None:
    samples = done.samples("write", "paced")
    assert [sample["repetition"] for sample in samples] == [0, 1]
    assert all(sample["times"]["pause"]["min_s"] >= 0.01 * (REQUESTS - 1) * 0.99 for sample in samples)


def test_hints_come_from_a_file_and_their_state_is_told(done: Done) -> None:
    (sample,) = done.samples("write", "hinted")
    states = {one["hint"]: (one["value"], one["state"]) for one in sample["hints_asked"]}
    assert states["cb_nodes"][0] == "1"
    # No library can have an invented hint in force.
    assert states["no_such_hint"][1] in ("ignored", "unproven")
    assert not any("weir" in hint for hint in [*states, *sample["hints"]])


def test_files_are_spread_over_directories(done: Done, folder: Path) -> None:
    assert names_in(folder / "store") == [".weir-data.00000000.kept", "weir-data.00000000"]
    assert names_in(folder / "other") == [".weir-data.00000001.kept", "weir-data.00000001"]


def test_a_further_directory_must_be_there(place: Path) -> None:
    done = run_cases(storage("nowhere", also_dir=["missing"]), code=2, ranks=2)
    assert "'missing'" in done.failure("nowhere")["problem"]
    assert names_in("store") == []


def test_all_pieces_of_a_rank_are_one_request(done: Done) -> None:
    write, _, check = done.of("sample", "dealt")
    assert write["operations"] == 2
    assert check["verification"] == {"words": 2 * 64 * KIB // 8, "wrong": 0}


def test_a_pattern_finds_its_lists_beside_it(place: Path) -> None:
    (place / "deep").mkdir()
    words = [2, 0, 2, 3, 0, 4096, 65536, 512, 4096, 61440]
    (place / "deep" / "mesh.lists").write_bytes(
        b"WEIRLIST" + b"".join(word.to_bytes(8, "little") for word in words)
    )
    lists = {"file": 0, "ranks": {"first": 0, "count": 2, "step": 1}, "lists_file": "mesh.lists"}
    lists |= {"order": {"kind": "sequential"}, "sync_each": False}
    phases = [
        phase(verb, opening(mode), {"access": {"verb": verb, **lists}}, closing())
        for verb, mode in (("write", "create"), ("check", "read"))
    ]
    text = pattern(*phases, ranks=2, file="mesh")
    (place / "deep" / "mesh.json").write_text(json.dumps(text))
    case = {"id": "mesh", "benchmark": "storage", "options": {"pattern": "deep/mesh.json", "dir": "store"}}
    done = run_cases(case, ranks=2)
    assert done.samples("check")[0]["verification"] == {"words": 66048 // 8, "wrong": 0}
    assert done.samples("write")[0]["operations"] == 3

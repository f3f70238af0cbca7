"""The pattern's types against what weir-core writes and takes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from weir.core.client import find_core
from weir.pattern import (
    Access,
    Extent,
    Level,
    Open,
    Order,
    Pattern,
    RankSet,
    Repeat,
    Step,
    phase_of,
    steps_of,
    with_steps,
)
from weir.replay.prepare import without_collectives

OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (3, {"check": True, "preallocate": True, "segments": 4}),
    (2, {"mixed": True, "read": False, "read_percent": 30}),
    (4, {"offsets": "dealt", "think_time": 0.001}),
    (4, {"time_limit": 1, "wear_out": True, "tail_limit": 2, "reorder": "node"}),
    (2, {"layout": "file-per-process", "sync": "write"}),
    (2, {"timed": "transfer", "overwrite": True, "divided": True}),
]
CASES: list[dict[str, Any]] = [
    *({"benchmark": "storage", "ranks": ranks, "options": options} for ranks, options in OPTIONS),
    {"benchmark": "cloud", "ranks": 8, "options": {"cells": "16x16x16", "steps": 4, "dump_every": 2}},
]


def prepared(folder: Path, pattern: Pattern) -> bytes:
    """What weir-core makes of a pattern."""
    file = folder / "pattern.json"
    file.write_bytes(msgspec.json.encode(pattern))
    return subprocess.run([find_core(), "prepare", file], capture_output=True, check=True).stdout


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_patterns_come_through_unchanged(case: dict[str, Any], tmp_path: Path) -> None:
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"schema": 1, "cases": [{"id": "one", **case}]}))
    answer = subprocess.run([find_core(), "describe", cases], capture_output=True, check=True).stdout
    raw = json.loads(answer)
    assert raw["kind"] == "description", raw
    typed = msgspec.convert(raw["pattern"], Pattern)
    assert json.loads(msgspec.json.encode(typed)) == raw["pattern"]
    made = prepared(tmp_path, typed)
    assert json.loads(made).get("kind") != "failure", made


def test_arrays_and_partitions_come_through_unchanged(tmp_path: Path) -> None:
    members = [{"name": "step", "element": "i4", "offset": 0}, {"name": "time", "element": "f8", "offset": 8}]
    arrays = [
        {"name": "density", "element": "f8", "shape": [6, 4], "offset": 24},
        {"name": "scalars", "element": {"bytes": 16, "members": members}, "shape": [], "offset": 0},
        {"name": "unit", "element": "S3", "shape": [1], "attribute_of": "density"},
        {"name": "unit", "element": "S3", "shape": [], "attribute_of": ""},
    ]
    everyone = {"first": 0, "count": 4, "step": 1}
    access_to = {"verb": "write", "file": 0, "ranks": everyone, "array": 0, "partition": 1}
    access_to["collective"] = True
    steps = [{"open": {"file": 0, "mode": "create"}}, {"access": access_to}, {"close": {"file": 0}}]
    raw = {
        "weir_pattern": 1,
        "name": "array",
        "ranks": 4,
        "inexact": ["2 requests are taken as one piece each", "3 calls are only counted"],
        "files": [{"name": "data", "per_rank": False, "arrays": arrays}],
        "partitions": [{}, {"counts": [1, 2], "cycle": True}],
        "phases": [msgspec.to_builtins(phase_of("write", [])) | {"steps": steps}],
    }
    made = prepared(tmp_path, msgspec.convert(raw, Pattern))
    assert msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(made, type=Pattern))) == raw


def access() -> Access:
    return Access(
        verb="write",
        file=0,
        ranks=RankSet(first=0, count=1, step=1),
        rank_levels=[],
        extent=Extent(start=0, levels=[Level(count=2, stride=8)], length=8),
        order=Order(kind="sequential"),
        sync_each=False,
    )


def test_what_says_nothing_is_left_out_and_what_is_unknown_refused() -> None:
    text = msgspec.json.encode(Step(access=access()))
    assert b"together" not in text
    assert b"advance" not in text
    with pytest.raises(msgspec.ValidationError, match="togther"):
        msgspec.json.decode(text.replace(b'"file"', b'"togther":true,"file"'), type=Step)


def test_without_collectives_no_open_waits_for_one() -> None:
    collective = msgspec.structs.replace(access(), collective=True)
    opened = Step(open=Open(file=0, mode="create", collective=True))
    steps = [opened, Step(repeat=Repeat(count=2, steps=[Step(access=collective)]))]
    phases = [phase_of("write", steps, collective=True)]
    pattern = Pattern(weir_pattern=1, name="p", ranks=1, files=[], phases=phases)
    assert b'"collective":true' not in msgspec.json.encode(without_collectives(pattern))


def test_accesses_within_repeats_are_found_and_changed() -> None:
    nested = [Step(repeat=Repeat(count=3, steps=[Step(access=access())])), Step(access=access())]
    changed = with_steps(nested, lambda _: Step(access=msgspec.structs.replace(access(), file=7)))
    assert [step.access.file for step in steps_of(changed) if step.access] == [7, 7]
    assert changed[0].repeat
    assert changed[0].repeat.count == 3
    assert [step.access.file for step in steps_of(nested) if step.access] == [0, 0]

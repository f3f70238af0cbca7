"""The gas cloud's methods in turns, with launches that are made up."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from peers.cloud import METHODS, MIB, CloudCase, append_samples, show_taken, take_turns
from peers.launch import LaunchFailed

from sample_lines import metrics

CASE = CloudCase("128x128x64", 4, Path("/dev/shm/x"))
SPEEDS = {"two-phase": 300.0, "rank0": 100.0, "independent": 50.0}

Launch = Callable[[str], Sequence[Mapping[str, Any]]]


def launching(asked: list[str], failing: str = "", after: int = 0) -> Launch:
    """Runs as fast as they are told to be, half as fast in reading; one method fails after so many."""

    def launch(method: str) -> list[dict[str, Any]]:
        asked.append(method)
        if method == failing and asked.count(method) > after:
            raise LaunchFailed("no room")
        speed = SPEEDS[method] * MIB
        return [
            {"phase": "read", "metrics": metrics(bandwidth_bytes_per_s=speed / 2)},
            {"phase": "write", "metrics": metrics(bandwidth_bytes_per_s=speed)},
            {"phase": "run", "metrics": metrics(elapsed_s=1.0)},
        ]

    return launch


def test_every_method_runs_once_a_round_and_who_begins_changes() -> None:
    asked: list[str] = []
    taken = take_turns(launching(asked), 6)
    rounds = [asked[i : i + 3] for i in range(0, len(asked), 3)]
    assert len(rounds) == 6 and all(sorted(one) == sorted(METHODS) for one in rounds)
    assert {one[0] for one in rounds} == set(METHODS)
    assert taken.of("rank0", "read") == [50.0 * MIB] * 6
    faster = taken.times_faster("two-phase", "write")
    assert faster is not None
    assert (faster.count, faster.median, faster.low, faster.high) == (6, 3.0, 3.0, 3.0)


def test_a_method_that_fails_is_out_and_the_others_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []
    taken = take_turns(launching(asked, "independent", after=2), 7)
    assert asked.count("independent") == 3 and asked.count("rank0") == 7
    assert taken.failed == {"independent": "no room"} and taken.of("independent", "write") == []
    show_taken("a case", taken)
    said = capsys.readouterr().out
    assert "a case: independent FAILED: no room" in said
    (row,) = (line for line in said.splitlines() if line.startswith("two-phase"))
    for cell in ("300 [300, 300]", "3.00 [3.00, 3.00]", "150 [150, 150]"):
        assert cell in row


def test_without_what_was_replaced_there_is_no_ratio() -> None:
    taken = take_turns(launching([], "rank0"), 7)
    assert taken.times_faster("two-phase", "write") is None


def test_samples_are_kept(tmp_path: Path) -> None:
    taken = take_turns(launching([], "independent"), 7)
    append_samples(tmp_path / "all", CASE, 8, taken)
    lines = [json.loads(line) for line in (tmp_path / "all").read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["sample"] * 2 * 2 * 7 + ["failure"]
    assert {line["cells"] for line in lines} == {"128x128x64"}


def test_a_case_is_the_run_without_its_computing() -> None:
    options = CASE.options("rank0")
    assert options["steps"] == 4 * options["dump_every"]
    assert (options["physics"], options["restarted"], options["keep"]) == (False, True, False)

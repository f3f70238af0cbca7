"""What the time of a phase contains, with the real core."""

from pathlib import Path

import pytest

from ..real_core import KIB, names_in, run_cases, storage

RANKS = 2
BACKENDS = ["posix", "mpiio"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_only_transfers_and_syncs_are_timed(place: Path, backend: str) -> None:
    asked = {"timed": "transfer", "overwrite": True, "files": 2, "check": True, "backend": backend}
    done = run_cases(storage("one", **asked), ranks=RANKS)
    assert [sample["phase"] for sample in done.of("sample")] == ["write", "read", "check"]
    for sample in done.of("sample"):
        assert sample["bytes"] == 2 * RANKS * 64 * KIB
        assert sample["times"]["open"]["max_s"] == sample["times"]["close"]["max_s"] == 0
        assert set(sample["calls"]) <= {"write", "read", "sync"}
    assert done.samples("check")[0]["verification"] == {"words": 2 * RANKS * 8 * KIB, "wrong": 0}
    assert names_in("store") == []


@pytest.mark.parametrize("pointer", ["explicit", "individual", "shared"])
def test_requests_without_bytes_have_a_rate_and_no_bandwidth(place: Path, pointer: str) -> None:
    empty = {"block": 0, "transfer": 0, "segments": 10, "timed": "transfer"}
    cases = [
        storage(str(collective), **empty, backend="mpiio", pointer=pointer, collective=collective)
        for collective in (False, True)
    ]
    done = run_cases(*cases, ranks=RANKS)
    for sample in done.of("sample"):
        assert (sample["bytes"], sample["operations"]) == (0, 10 * RANKS)
        assert [metric["key"] for metric in sample["metrics"]] == ["operations_per_s"]
    assert len(done.of("sample")) == 4

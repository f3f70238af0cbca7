"""How a case goes: which ranks take part, how often, when, and for how long."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ..real_core import KIB, Line, run_cases, storage

ENDLESS = {
    "block": 1 << 30,
    "transfer": 8,
    "sync": "never",
}  # of which a fraction of a second writes 1 MiB or so


def began(sample: Line) -> datetime:
    return datetime.fromisoformat(sample["started_at"]).astimezone(UTC)


def test_ranks_without_a_task_sleep(place: Path) -> None:
    done = run_cases(storage("two", tasks=2), storage("four", tasks=4), code=2, ranks=3)
    assert [sample["ranks"] for sample in done.of("sample", "two")] == [2, 2]
    assert {sample["bytes"] for sample in done.of("sample", "two")} == {2 * 64 * KIB}
    assert done.of("launch")[0]["ranks"] == 3
    failure = done.failure()
    assert (failure["case"], failure["exit_code"]) == ("four", 2)
    assert "tasks = 4 is more than the 3 ranks" in failure["problem"]


def test_repetitions_are_numbered_and_an_interval_lies_between(place: Path) -> None:
    interval = 0.3
    done = run_cases(storage("thrice", repetitions=3, interval=interval))
    samples = done.of("sample")
    order = [(sample["repetition"], sample["phase"]) for sample in samples]
    assert order == [(i, phase) for i in range(3) for phase in ("write", "read")]
    for before, after in zip(samples[1::2], samples[2::2], strict=False):
        pause = (began(after) - began(before)).total_seconds() - before["elapsed_s"]
        assert interval - 0.002 <= pause < 10 * interval


@pytest.mark.parametrize("backend", ["posix", "mpiio"])
def test_a_time_limit_ends_writing_and_what_was_not_written_is_not_read(place: Path, backend: str) -> None:
    limit = 0.5  # opening counts, and takes long where other tests run beside this one
    limited = {**ENDLESS, "backend": backend, "time_limit": limit, "check": True}
    patient = {"wear_out": True, "tail_limit": 60.0}  # a rank may lose its core for longer than the limit
    cases = [storage("ends", **limited), storage("wears-out", **patient, **limited)]
    if backend == "mpiio":
        cases.append(storage("together", collective=True, **limited))
    done = run_cases(*cases, ranks=2)
    for case in cases:
        name = case["id"]
        write, read, check = done.of("sample", name)
        assert limit <= write["elapsed_s"] < 100 * limit
        assert 2 <= write["operations"] < 2 * ENDLESS["block"] // ENDLESS["transfer"]
        assert write["operations"] == read["operations"] == check["operations"]
        assert check["verification"] == {"words": write["bytes"] // 8, "wrong": 0}
        if name != "ends":
            assert write["operations"] % 2 == 0

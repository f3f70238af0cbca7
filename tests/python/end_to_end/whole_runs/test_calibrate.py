"""`weir calibrate` with the real core: it finds the cliff that a memory limit sets."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from running import ended

from ..conftest import WEIR, in_mount_namespace
from .control_group import memory_limited_to

MIB = 1 << 20
LIMIT = 160 * MIB


def calibrate(before: Sequence[str], *more: str, code: int = 0) -> dict[str, Any]:
    """The calibration of the directory `store`, as its JSON has it."""
    command = [*before, *WEIR.split(), "calibrate", "store", "--ranks", "1", "--json", *more]
    done = ended(*command)
    assert done.returncode in (0, code), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def plausible(size: int) -> bool:
    """Can the cache end there, where a control group limits memory?"""
    return LIMIT / 2 < size < 3 * LIMIT


@pytest.fixture
def store(on_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory on a device, and a place of our own for what is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(on_disk / "state"))
    if os.statvfs(on_disk).f_bavail * os.statvfs(on_disk).f_frsize < 2**30:
        pytest.skip(f"less than 1 GiB is free in '{on_disk}'")
    return on_disk / "store"


def test_finds_the_cliff_that_a_memory_limit_sets(store: Path) -> None:
    with memory_limited_to(LIMIT) as before:
        # Other work on the machine can spoil a calibration, and mostly it says so; not three times in a row.
        for _ in range(3):
            found = calibrate(before, code=5)
            if found["verdict"] == "found" and plausible(found["read"]["size_bytes"]):
                break
    assert found["memory"]["total"] == LIMIT
    if found["verdict"] != "found":
        assert found["verdict"] == "inconclusive" and found["why"]
        pytest.skip(f"this machine's storage is too unsteady to tell: {found['why']}")
    read = found["read"]
    assert read["falls"], "what fits into memory is read faster"
    assert read["below_bytes"] < LIMIT, "files that do not fit cannot come from memory"
    assert plausible(read["size_bytes"])
    assert found["node_bytes"] >= read["size_bytes"]
    # Where noise hides the answer, it goes on beyond a third of that.
    assert found["written_bytes"] <= found["exhaustive_bytes"]
    assert Path(found["path"]).exists() and list(store.iterdir()) == []


def test_the_end_of_the_cache_is_not_claimed_where_it_was_not_seen(store: Path) -> None:
    found = calibrate([], "--most", "64MiB", code=5)
    assert found["verdict"] == "inconclusive" and found["block_bytes"] is None
    assert "--most 64 MiB" in found["why"]
    assert max(size["bytes"] for size in found["read"]["sizes"]) <= 64 * MIB


def test_a_quota_met_on_the_way_is_said(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The free space is told before; what stops it on the way is a limit on the size of files.
    monkeypatch.setenv("XDG_STATE_HOME", str(place / "state"))
    done = ended("sh", "-c", f"ulimit -f 1024; exec {WEIR} calibrate store --ranks 1 --json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["exit_code"] == 3
    assert list((place / "store").iterdir()) == []


def test_a_directory_in_memory_has_no_device_to_find(place: Path) -> None:
    done = in_mount_namespace(f"cd {place} && mount -t tmpfs none store || exit 99; {WEIR} calibrate store")
    if done.returncode == 99:
        pytest.skip("tmpfs cannot be mounted here")
    assert done.returncode == 2
    assert "lives in memory (tmpfs)" in done.stderr and "Traceback" not in done.stderr

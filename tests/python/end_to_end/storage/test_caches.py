"""What the page cache does to a read, on a directory that a disk stands behind."""

import tempfile
from pathlib import Path

import pytest

from weir.machine.mount_table import mount_of, parse_mounts

from ..real_core import MIB, Line, run_cases, storage

LARGE = {"block": 4 * MIB, "transfer": MIB}


def test_a_kept_cache_is_suspect_and_a_dropped_one_is_not(on_disk: Path) -> None:
    kept, dropped = (storage(cache, cache=cache, **LARGE) for cache in ("keep", "drop"))
    done = run_cases(kept, dropped)

    def cache_of(case: str) -> Line:
        (sample,) = done.samples("read", case)
        return sample["cache"]

    assert cache_of("drop")["methods"] == ["drop"]
    assert cache_of("drop")["resident_before_share"] == 0
    assert cache_of("drop")["suspect"] is False
    assert cache_of("keep")["methods"] == []
    assert cache_of("keep")["resident_before_share"] == 1
    assert cache_of("keep")["suspect"] is True
    assert all(cache_of(case)["why"] for case in ("keep", "drop"))


def test_checking_is_judged_like_reading(on_disk: Path) -> None:
    done = run_cases(storage("drop", cache="drop", read=False, check=True, **LARGE))
    (sample,) = done.samples("check")
    assert (sample["cache"]["resident_before_share"], sample["cache"]["suspect"]) == (0, False)


def test_memory_is_suspect_even_with_a_dropped_cache(place: Path) -> None:
    memory = Path("/dev/shm")
    mount = mount_of(memory, parse_mounts(Path("/proc/self/mountinfo").read_text()))
    if mount is None or mount.type != "tmpfs":
        pytest.skip("/dev/shm is no tmpfs here")
    folder = Path(tempfile.mkdtemp(prefix="weir-test-", dir=memory))
    try:
        done = run_cases(storage("drop", cache="drop", dir=str(folder)))
        assert done.samples("read")[0]["cache"]["suspect"] is True
        assert list(folder.iterdir()) == []
    finally:
        folder.rmdir()

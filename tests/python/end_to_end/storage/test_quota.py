"""A quota that is used up while a case writes: btrfs in a file, whose quotas hold for root too."""

from typing import Any

import pytest

from ..conftest import need_real_programs
from ..real_core import MIB, Done, run_core_after, storage, write_cases

LIMITED = " && ".join(
    [
        "truncate -s 128M disk.img",
        "mkfs.btrfs -q disk.img >/dev/null",
        "mkdir -p disk",
        "mount -o loop disk.img disk",
        "btrfs quota enable disk",
        "btrfs subvolume create disk/part >/dev/null",
        "btrfs qgroup limit 4M disk/part",
        "mount --bind disk/part store",
    ]
)
BIG = {"block": 8 * MIB, "transfer": MIB // 2}
WAYS: dict[str, dict[str, Any]] = {
    "posix": {"backend": "posix"},
    "independent": {"backend": "mpiio"},
    "collective": {"backend": "mpiio", "collective": True},
}


@pytest.fixture(scope="module")
def used_up(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A launch that uses up the quota in each way; after each, a case that stays within it."""
    need_real_programs()
    folder = tmp_path_factory.mktemp("quota")
    (folder / "store").mkdir()
    cases = []
    for way, options in WAYS.items():
        cases += [storage(way, **options, **BIG), storage(f"{way} small", **options)]
    return run_core_after(LIMITED, write_cases(*cases, folder=folder), ranks=2, cwd=folder)


@pytest.mark.parametrize("way", WAYS)
def test_a_write_beyond_the_quota_is_a_failure(used_up: Done, way: str) -> None:
    assert used_up.of("sample", way) == []
    failure = used_up.failure(way)
    assert failure["exit_code"] == 3
    assert "quota" in failure["reason"] + failure["suggestion"]


@pytest.mark.parametrize("way", WAYS)
def test_the_files_are_gone_and_the_next_case_runs(used_up: Done, way: str) -> None:
    assert [sample["phase"] for sample in used_up.of("sample", f"{way} small")] == ["write", "read"]
    assert used_up.others == []

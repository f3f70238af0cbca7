"""A disk that fills up while a case writes: no sample of that write, whatever the library pretends."""

from typing import Any

import pytest

from ..conftest import need_real_programs
from ..real_core import MIB, Done, run_core_on, storage, write_cases

DISK = "-t tmpfs -o size=4m"
BIG = {"block": 3 * MIB, "transfer": MIB // 4}  # on two ranks: half as much again as there is room for
WRITES: dict[str, dict[str, Any]] = {
    "posix": {"backend": "posix"},
    "posix-unsynced": {"backend": "posix", "sync": "never"},
    "independent": {"backend": "mpiio"},
    "independent-file-per-process": {"backend": "mpiio", "layout": "file-per-process"},
    "collective": {"backend": "mpiio", "collective": True},
    "collective-strided": {"backend": "mpiio", "collective": True, "offsets": "strided"},
    "collective-file-view": {"backend": "mpiio", "collective": True, "file_view": True},
    "template": {"backend": "template"},
}
RESERVES: dict[str, dict[str, Any]] = {
    "reserved": {"preallocate": True, "backend": "posix"},
    "reserved-file-per-process": {"preallocate": True, "backend": "posix", "layout": "file-per-process"},
    "reserved-mpiio": {"preallocate": True, "backend": "mpiio"},
    "reserved-collective": {"preallocate": True, "backend": "mpiio", "collective": True},
}
WAYS = WRITES | RESERVES


@pytest.fixture(scope="module", params=[2, 4])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A launch that fills the disk in each way; after each, a case for which there is room."""
    need_real_programs()
    folder = tmp_path_factory.mktemp("full")
    (folder / "store").mkdir()
    cases = []
    for way, options in WAYS.items():
        cases += [storage(way, **options, **BIG), storage(f"{way} small", **options)]
    return run_core_on(DISK, write_cases(*cases, folder=folder), ranks=request.param, cwd=folder)


@pytest.mark.parametrize("way", WAYS)
def test_a_write_that_finds_no_room_is_a_failure(filled: Done, way: str) -> None:
    assert filled.of("sample", way) == []
    failure = filled.failure(way)
    assert failure["exit_code"] == 3
    assert "space" in failure["reason"] + failure["suggestion"]


@pytest.mark.parametrize("way", WAYS)
def test_the_ranks_are_in_step_and_the_space_is_free_afterwards(filled: Done, way: str) -> None:
    assert [sample["phase"] for sample in filled.of("sample", f"{way} small")] == ["write", "read"]


def test_the_launch_ends_with_one_message_each_and_no_file(filled: Done) -> None:
    assert filled.code == 3, filled.talk
    assert filled.of("end")[0]["exit_code"] == 3
    assert len(filled.errors) == len(WAYS)
    assert filled.others == []

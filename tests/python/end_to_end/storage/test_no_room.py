"""A disk that fills up while a case writes, or a quota that is used up: no sample of that write, whatever the
library pretends, and the launch goes on."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ..conftest import folder_with_store
from ..real_core import KIB, MIB, Done, run_core_after, storage, write_cases
from .test_formats import need_backends

Ways = dict[str, dict[str, Any]]
DISK = "mount -t tmpfs -o size=4m none store"
# Quotas of btrfs hold for root too; it lives in a file.
QUOTA = " && ".join(
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
BYTES: Ways = {
    "posix": {"backend": "posix"},
    "posix-unsynced": {"backend": "posix", "sync": "never"},
    "independent": {"backend": "mpiio"},
    "independent-file-per-process": {"backend": "mpiio", "layout": "file-per-process"},
    "collective": {"backend": "mpiio", "collective": True},
    "collective-strided": {"backend": "mpiio", "collective": True, "offsets": "strided"},
    "collective-file-view": {"backend": "mpiio", "collective": True, "file_view": True},
    "template": {"backend": "template"},
    "reserved": {"preallocate": True, "backend": "posix"},
    "reserved-file-per-process": {"preallocate": True, "backend": "posix", "layout": "file-per-process"},
    "reserved-mpiio": {"preallocate": True, "backend": "mpiio"},
    "reserved-collective": {"preallocate": True, "backend": "mpiio", "collective": True},
}
OF_EACH_FORMAT: Ways = {
    "": {},
    "-segments": {"datasets": "segment"},
    "-unsynced": {"sync": "never"},
    "-synced": {"sync": "write"},
    "-file-per-process": {"layout": "file-per-process"},
    "-collective": {"collective": True},
    "-preallocated": {"preallocate": True},
}
FORMATS: Ways = {
    **{
        f"{backend}{way}": {"backend": backend, **options}
        for backend in ("hdf5", "pnetcdf")
        for way, options in OF_EACH_FORMAT.items()
    },
    "hdf5-segments-collective": {"backend": "hdf5", "datasets": "segment", "collective": True},
    "hdf5-chunked": {"backend": "hdf5", "chunk": 16 * KIB},
    "hdf5-chunked-collective": {"backend": "hdf5", "chunk": 16 * KIB, "collective": True},
    "pnetcdf-posted": {"backend": "pnetcdf", "nonblocking": 3},
    "pnetcdf-posted-collective": {"backend": "pnetcdf", "nonblocking": 3, "collective": True},
}


@dataclass(frozen=True)
class Limit:
    """A shell command that puts too little storage at `store`, a case that is on two ranks at least half as
    large again, the ways to write it, and what is said of that, as a pattern."""

    preparation: str
    big: dict[str, Any]
    ways: Ways
    said: str
    ranks: tuple[int, ...] = (2, 4)


LIMITS = {
    "bytes": Limit(DISK, {"block": 3 * MIB, "transfer": MIB // 4}, BYTES, "space"),
    "formats": Limit(
        DISK,
        {"block": MIB, "transfer": MIB // 4, "segments": 3},
        FORMATS,
        r"^No space left on device: .*Free space",
    ),
    "quota": Limit(
        QUOTA,
        {"block": 8 * MIB, "transfer": MIB // 2},
        {way: BYTES[way] for way in ("posix", "independent", "collective")},
        "quota",
        ranks=(2,),
    ),
}
LAUNCHES = [(name, ranks) for name, limit in LIMITS.items() for ranks in limit.ranks]
Launch = Callable[[str, int], Done]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Launch:
    """A launch that meets the limit in each way; after each, a case for which there is room."""

    @functools.cache
    def launch(name: str, ranks: int) -> Done:
        folder, limit = folder_with_store(tmp_path_factory, name), LIMITS[name]
        if limit.ways is FORMATS:
            need_backends("hdf5", "pnetcdf")
        cases = []
        for way, options in limit.ways.items():
            cases += [storage(way, **limit.big, **options), storage(f"{way} small", **options)]
        return run_core_after(limit.preparation, write_cases(*cases, folder=folder), ranks=ranks, cwd=folder)

    return launch


@pytest.mark.parametrize(
    ("name", "ranks", "way"), [(*launch, way) for launch in LAUNCHES for way in LIMITS[launch[0]].ways]
)
def test_a_write_that_finds_no_room_is_a_failure_and_leaves_the_ranks_in_step(
    filled: Launch, name: str, ranks: int, way: str
) -> None:
    done = filled(name, ranks)
    assert done.of("sample", way) == []
    failure = done.failure(way)
    assert failure["exit_code"] == 3
    assert re.search(LIMITS[name].said, f"{failure['reason']}: {failure['suggestion']}")
    assert [sample["phase"] for sample in done.of("sample", f"{way} small")] == ["write", "read"]


@pytest.mark.parametrize(("name", "ranks"), LAUNCHES)
def test_the_launch_ends_with_one_message_each_and_no_file(filled: Launch, name: str, ranks: int) -> None:
    done = filled(name, ranks).ended(3)
    assert done.of("end")[0]["exit_code"] == 3
    assert len(done.errors) == len(LIMITS[name].ways)
    assert done.others == []

"""A disk that fills up while a case writes, or a quota that is used up: no sample of that write, whatever the
library pretends, and the launch goes on."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..conftest import folder_with_store
from ..real_core import KIB, MIB, Done, run_core, run_core_after, run_core_on, storage, write_cases
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
            cases += [
                storage(way, **limit.big, **options, check_space=False),
                storage(f"{way} small", **options),
            ]
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


def write_20_mib(*options: str, ranks: int = 1) -> Done:
    """Run storage where there are 20 MiB."""
    return run_core_on("-t tmpfs -o size=20m", "storage", "--dir", "store", *options, ranks=ranks)


@pytest.mark.parametrize(
    ("ranks", "options"),
    [
        (1, ("--block", "300MiB")),
        (2, ("--block", "12MiB")),
        (2, ("--block", "12MiB", "--layout", "file-per-process")),
        (1, ("--block", "3MiB", "--files", "9")),
        (1, ("--block", "300MiB", "--keep")),
    ],
)
def test_what_cannot_find_room_is_refused_before_a_byte_is_written(
    place: Path, ranks: int, options: tuple[str, ...]
) -> None:
    done = write_20_mib(*options, ranks=ranks).ended(3)
    failure = done.failure()
    assert failure["problem"] == "not enough space in 'store'"
    assert "and 20.0 MiB are" in failure["reason"]
    assert done.of("sample") == [] and done.others == []
    touched = done.of("launch")[0]["first_touch"]
    assert ranks == 2 or touched is None or touched["bytes"] <= 64 * MIB


def test_no_memory_is_touched_for_what_cannot_fit(place: Path) -> None:
    for options in (["--block", "1000TiB"], ["--block", "1TiB", "--transfer", "1TiB", "--no-check-space"]):
        done = run_core("storage", "--dir", "store", *options).ended(3)
        touched = done.of("launch")[0]["first_touch"]
        assert touched is None or touched["bytes"] <= 64 * MIB
    assert done.failure()["problem"] == "this does not fit into memory"
    assert list(Path("store").iterdir()) == []


def test_files_that_are_there_need_no_more_room(place: Path) -> None:
    """Neither to be read, nor to be replaced by others of the size."""
    mount = "mount -t tmpfs -o size=20m none store"
    case = storage("kept", block=12 * MIB, keep=True, check=True)
    cases = [case, {**case, "id": "replaced"}, storage("read", block=12 * MIB, write=False)]
    done = run_core_after(mount, write_cases(*cases)).ended(0)
    assert {line["case"] for line in done.of("sample")} == {"kept", "replaced", "read"}


def test_whoever_knows_better_may_try(place: Path) -> None:
    failure = write_20_mib("--block", "24MiB", "--no-check-space").ended(3).failure()
    assert failure["reason"] == "No space left on device"
    write_20_mib("--block", "300MiB", "--time-limit", "1ms", "--transfer", "64KiB").ended(0)

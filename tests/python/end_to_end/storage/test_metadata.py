"""The benchmark metadata with the real core: file systems that are full, ways to open, interrupts."""

import os
from pathlib import Path
from typing import Any

import pytest

from ..interrupting import Patience, interrupted
from ..real_core import Done, names_in, run_cases, run_core, run_core_on, write_cases

LAYOUTS = ["shared-directory", "private-directory", "common-file"]


def metadata(case: str, **options: object) -> dict[str, Any]:
    """A case of the benchmark metadata in the directory `store`."""
    return {"id": case, "benchmark": "metadata", "options": {"files": 100, "dir": "store", **options}}


def fill(mount: str, **options: object) -> Done:
    """Cases of all layouts that the mount has no room for; after each, one that it has room for."""
    cases = []
    for layout in LAYOUTS:
        cases += [metadata(layout, layout=layout, **options)]
        cases += [metadata(f"{layout} few", layout=layout, **{**options, "files": 2})]
    return run_core_on(f"-t tmpfs -o {mount}", write_cases(*cases), ranks=2)


@pytest.mark.parametrize(
    ("mount", "options", "advice"),
    [("nr_inodes=40", {}, "inode"), ("size=256k", {"file_bytes": 8192}, "Free space")],
)
def test_a_file_system_without_room(place: Path, mount: str, options: dict[str, object], advice: str) -> None:
    done = fill(mount, **options).ended(3)
    assert done.others == []  # nothing stays
    assert len(done.errors) == len(LAYOUTS)
    for layout in LAYOUTS:
        failure = done.failure(layout)
        assert "No space left" in failure["reason"]
        assert advice in failure["suggestion"]
        assert done.of("sample", f"{layout} few")


def test_mpi_io_says_that_there_is_no_room(place: Path) -> None:
    done = fill("nr_inodes=40", interface="mpiio").ended(3)
    assert done.others == []
    assert [done.failure(layout)["exit_code"] for layout in LAYOUTS] == [3, 3, 3]


@pytest.mark.parametrize("component", ["ompio", "romio321"])
def test_who_really_opens_a_common_file(place: Path, component: str) -> None:
    options = {"layout": "common-file", "interface": "mpiio", "files": 2}
    cases = [
        metadata(way, opening=way, **options)
        for way in ("independent", "collective", "one-rank", "broadcast")
    ]
    done = run_core(write_cases(*cases), ranks=2, OMPI_MCA_io=component).ended(0)
    opened = {line["case"]: line["opened_by_ranks"] for line in done.samples("open")}
    assert opened["independent"] == 2
    assert opened["broadcast"] == 1
    asked = done.samples("open", "one-rank")[0]["hints_asked"]
    assert [hint["hint"] for hint in asked] == ["cb_nodes", "romio_no_indep_rw"]
    launch = done.of("launch")[0]["mpi"]["io"]
    if launch == component == "romio321":
        assert opened["one-rank"] == 1  # deferred open
    elif launch == component == "ompio":
        assert opened["one-rank"] == 2  # the hint is ignored
    assert names_in("store") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_may_not_be_written(place: Path) -> None:
    Path("store").chmod(0o555)
    done = run_cases(metadata("closed"), code=3, ranks=2)
    assert "Permission denied" in done.failure()["reason"]


def test_contradictions_are_refused_before_anything_is_made(place: Path) -> None:
    done = run_cases(metadata("odd", opening="collective"), code=2, ranks=2)
    assert "contradicts layout" in done.failure()["problem"]
    assert names_in("store") == []


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_interrupt_removes_the_files(place: Path, layout: str, ranks: int) -> None:
    case = metadata("long", layout=layout, files=1000, repetitions=100_000)
    done = interrupted(
        write_cases(case),
        ranks=ranks,
        begun=lambda: names_in("store") != [],
        patience=Patience(begin_s=20, before_s=0.2, end_s=10),
    )
    assert done.code != 0
    assert "interrupted" in done.talk
    assert names_in("store") == []


def test_a_description_counts_inodes_and_blocks(place: Path) -> None:
    case = {**metadata("c", layout="private-directory", file_bytes=10), "ranks": 4}
    done = run_core("describe", write_cases(case))
    totals = done.of("description")[0]["totals"]
    assert totals["files"] == 405
    assert totals["bytes_on_disk"] == 400 * 4096
    assert totals["bytes_written"] == totals["bytes_read"] == 4000

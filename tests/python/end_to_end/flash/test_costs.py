"""What each dataset costs: the samples of `flash-io` divide the time of a file by cause."""

from pathlib import Path
from typing import Any

import pytest

from ..real_core import run_core
from ..storage.test_formats import need_backends
from .test_flash_io import FILES, UNKNOWNS

HEADER = ["file creation time", "FLASH version", "simulation parameters", "unknown names"]
TREE = ["refine level", "node type", "gid", "coordinates", "block size", "bounding box"]
CHECKPOINT = [*HEADER, *TREE, *(name.ljust(4) for name in UNKNOWNS)]
CAUSES = ["create_s", "attribute_s", "pack_s", "library_s", "request_s"]


def costs(backend: str, *options: str, ranks: int = 2, steps: int = 1) -> dict[str, dict[str, Any]]:
    """Of each file, by phase, with `elapsed_s` of the phase; consistent with it."""
    need_backends(backend)
    shape = ("--block", "4", "--blocks", "3", "--steps", str(steps), "--dump-every", "1")
    done = run_core("flash-io", "--dir", "store", "--backend", backend, *shape, *options, ranks=ranks).ended(
        0
    )
    found = {}
    for phase in FILES:
        (sample,) = done.samples(phase)
        whole = sample["costs"]
        (found[phase],) = whole["files"]
        check_sums(whole, sample["elapsed_s"], ranks)
    assert done.samples("write")[0].get("costs") is None, "its parts have them"
    return found


def check_sums(whole: dict[str, Any], elapsed_s: float, ranks: int) -> None:
    (file,) = whole["files"]
    times = [file["open_s"], file["sync_s"], file["close_s"]]
    times += [time for cause in CAUSES for time in file["arrays"][cause] or []]
    assert min(times) >= 0
    assert whole["other_s"] >= 0
    assert sum(times) + whole["other_s"] == pytest.approx(whole["ranks_s"])
    assert whole["ranks_s"] <= ranks * elapsed_s * (1 + 1e-9)
    assert file["open_s"] > 0 and file["close_s"] > 0


@pytest.mark.parametrize("method", ["independent", "auto"])
def test_hdf5_creates_each_dataset_and_writes_it_in_a_request_of_each_rank(method: str, place: Path) -> None:
    file = costs("hdf5", "--method", method)["checkpoint"]
    arrays = file["arrays"]
    assert file["file"] == "flash_io_test_hdf5_chk_0000"
    assert arrays["name"] == CHECKPOINT
    assert sum(arrays["bytes"]) == 196 + 7 * (164 + 192 * 4**3)
    assert arrays["bytes"][-1] == 7 * 8 * 4**3
    assert arrays["creates"] == [2] * 34, "all ranks create each of them together"
    assert arrays["attributes"] == [0] * 34
    by_rank_0, by_all = [1] * 4, [2] * 30
    assert arrays["packs"] == arrays["writes"] == arrays["requests"] == by_rank_0 + by_all
    assert min(arrays["create_s"]) > 0 and min(arrays["request_s"]) > 0
    assert min(arrays["pack_s"]) > 0 and min(arrays["library_s"]) > 0


def test_all_dumps_and_files_are_counted(place: Path) -> None:
    found = costs("hdf5", ranks=3, steps=2)
    assert {phase: len(file["arrays"]["name"]) for phase, file in found.items()} == {
        "checkpoint": 34,
        "plot": 14,
        "corner": 14,
    }
    for file in found.values():
        assert set(file["arrays"]["creates"]) == {6}
        assert file["arrays"]["writes"][-4:] == [6] * 4
        assert file["file"].endswith("_0001")


def test_pnetcdf_defines_variables_and_writes_attributes(place: Path) -> None:
    file = costs("pnetcdf")["plot"]
    arrays = file["arrays"]
    assert arrays["name"][0] == "file_creation_time" and arrays["name"][-1] == "f1__"
    assert arrays["creates"] == [0] * 8 + [2] * 10
    assert arrays["attributes"] == [4] * 8 + [0] * 10, "each is defined, and written"
    assert arrays["writes"] == [0] * 8 + [2] * 10
    assert min(arrays["requests"][8:]) > 0
    assert min(arrays["attribute_s"][:8]) > 0


@pytest.mark.parametrize("backend", ["posix", "mpiio", "twophase"])
def test_without_a_library_calls_are_the_requests(backend: str, place: Path) -> None:
    arrays = costs(backend, "--sync")["checkpoint"]["arrays"]
    assert arrays["library_s"] is None and arrays["writes"] is None
    assert arrays["creates"] == [0] * 34
    assert len(arrays["requests"]) == 34 and sum(arrays["requests"]) > 0
    if backend == "posix":
        assert arrays["requests"] == [1] * 4 + [2] * 30
    assert min(arrays["request_s"]) > 0


def test_a_dump_without_parts_has_the_costs_of_all_its_files(place: Path) -> None:
    need_backends("hdf5")
    options = ("--cells", "16x16x16", "--steps", "2", "--dump-every", "1", "--backend", "hdf5")
    (sample,) = run_core("cloud", "--dir", "store", *options, ranks=2).ended(0).samples("write")
    files = sample["costs"]["files"]
    assert len(files) > 1
    assert all(file["arrays"]["writes"] for file in files)
    assert 0 <= sample["costs"]["other_s"] < sample["costs"]["ranks_s"]

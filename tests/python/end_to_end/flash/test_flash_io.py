"""The benchmark `flash-io`: its files have the sizes and the values of the originals'."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verbs import weir_here

from .. import read_by_others
from ..real_core import Done, run_cases, run_core, run_core_after, run_core_on
from ..storage.test_formats import need_backends

UNKNOWNS = ["dens", "velx", "vely", "velz", "pres", "ener", "temp", "gamc", "game", "enuc", "gpot"]
UNKNOWNS += [f"f{species}" for species in range(1, 14)]
PLOTTED = ["dens", "temp", "pres", "f1"]
FILES = {"checkpoint": "chk", "plot": "plt_cnt", "corner": "plt_crn"}
REPLAY = {"id": "replay", "benchmark": "storage", "options": {"pattern": "flash.json", "dir": "store"}}


def run(*options: str, ranks: int = 2) -> Done:
    return run_core("flash-io", "--dir", "store", *options, ranks=ranks).ended(0)


def sizes(infix: str = "hdf5", end: str = "") -> list[int]:
    return [Path(f"store/flash_io_test_{infix}_{kind}_0000{end}").stat().st_size for kind in FILES.values()]


# By M. Zingale's program of 2001 with HDF5 1.10.8: blocks of 8 cells a side, 80 and rank mod 3 more.
ORIGINAL = {
    1: [7_893_312, 673_280, 951_040],
    2: [15_868_444, 1_346_656, 1_905_648],
    3: [23_943_136, 2_027_140, 2_870_836],
}


@pytest.mark.parametrize("ranks", ORIGINAL)
@pytest.mark.parametrize("method", ["independent", "auto"])
def test_files_have_the_sizes_of_the_original(ranks: int, method: str, place: Path) -> None:
    need_backends("hdf5")
    done = run("--method", method, ranks=ranks)
    if library_is_1_10():
        assert sizes() == ORIGINAL[ranks]
    for (phase, kind), size in zip(FILES.items(), sizes(), strict=True):
        (sample,) = done.samples(phase)
        assert sample["file_bytes"] == size, kind
        assert sample["calls"]["open"]["count"] == sample["calls"]["close"]["count"] == ranks
        assert sample["calls"]["write"]["count"] == 4 + (30 if phase == "checkpoint" else 10) * ranks


def test_files_with_one_dataset_for_all_unknowns_are_refused_for_what_they_are(place: Path) -> None:
    need_backends("hdf5")
    pytest.importorskip("h5py")
    run("--datasets", "one", "--blocks", "2")
    for kind in FILES.values():
        done = weir_here("show", f"store/flash_io_test_hdf5_{kind}_0000")
        assert done.exit_code == 2 and "all variables in one dataset, 'unknowns'" in done.stderr


def library_is_1_10() -> bool:
    """Other versions have other metadata."""
    (schema,) = run_core("schema").lines
    return any(one["name"] == "hdf5" and "1.10." in str(one.get("library")) for one in schema["backends"])


def test_aligned_files_have_the_holes_of_the_original(place: Path) -> None:
    need_backends("hdf5")
    h5py = pytest.importorskip("h5py")
    run("--alignment", "256KiB", "--alignment-threshold", "512KiB")
    assert sizes()[0] == 19_009_536
    if library_is_1_10():
        assert sizes()[1:] == ORIGINAL[2][1:]
    with h5py.File("store/flash_io_test_hdf5_chk_0000") as file:
        offsets = {name: file[name].id.get_offset() for name in file}
    for name in UNKNOWNS:
        assert offsets[name.ljust(4)] % 262_144 == 0, name
    assert any(offsets[name] % 262_144 for name in ("gid", "coordinates")), "smaller ones are not aligned"


def test_hints_reach_the_library_and_are_recorded(place: Path) -> None:
    need_backends("hdf5", "mpiio")
    Path("hints.txt").write_text("cb_buffer_size = 65536  # too small\naccess_style write_once\n")
    for backend in ("hdf5", "mpiio"):
        files = ("--backend", backend, "--block", "2", "--blocks", "3")
        done = run(*files, "--hint-file", "hints.txt", "--hint", "cb_buffer_size=4194304")
        for phase in FILES:
            (sample,) = done.samples(phase)
            assert sample["hints"]["cb_buffer_size"] == "4194304"
            asked = {hint["hint"]: hint["value"] for hint in sample["hints_asked"]}
            assert asked == {"cb_buffer_size": "4194304", "access_style": "write_once"}


@pytest.mark.parametrize("backend", ["hdf5", "mpiio", "posix"])
def test_a_full_disk_leaves_no_broken_checkpoint(backend: str, place: Path) -> None:
    need_backends(backend)
    asked = ("flash-io", "--backend", backend, "--dir", "store")
    done = run_core_on("-t tmpfs -o size=4m", *asked, "--no-check-space", ranks=2)
    assert "No space left on device" in done.ended(3).failure()["reason"]
    assert not [name for name in done.others if "chk" in name]


def test_a_disk_that_is_full_from_the_start_is_no_other_runs(place: Path) -> None:
    full = "mount -t tmpfs -o size=1m none store && { head -c 2M /dev/zero > store/all || true; }"
    done = run_core_after(full, "flash-io", "--dir", "store").ended(2)
    assert done.failure()["problem"] == "nothing can be written into 'store'"
    assert "No space left on device" in done.failure()["reason"]
    assert [name for name in done.others if name.startswith(".")] == [], "no lock is left"


@pytest.mark.parametrize("values", ["number", "random"])
def test_chunks_are_compressed_in_parallel(values: str, place: Path) -> None:
    need_backends("hdf5")
    h5py = pytest.importorskip("h5py")
    shape = ("--block", "4", "--blocks", "9", "--values", values)
    run(*shape, ranks=3)
    plain = read_by_others.read_hdf5(Path("store/flash_io_test_hdf5_chk_0000"))
    run(*shape, "--chunk-rows", "10", "--deflate", "6", "--tree-collective", ranks=3)
    with h5py.File("store/flash_io_test_hdf5_chk_0000") as file:
        assert (file["dens"].chunks, file["dens"].compression) == ((10, 4, 4, 4), "gzip")
        for name in UNKNOWNS:
            assert (file[name.ljust(4)][...] == plain[name.ljust(4)]).all(), name
        stored, whole = file["dens"].id.get_storage_size(), file["dens"].size * 8
    assert stored < whole / 10 if values == "number" else stored > whole / 2


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--deflate", "4"], "deflate compresses chunks"),
        (["--chunk-rows", "4", "--deflate", "4"], "deflate contradicts the independent writes"),
        (
            ["--chunk-rows", "4", "--deflate", "4", "--tree-collective", "--method", "independent"],
            "deflate contradicts the independent writes",
        ),
        (["--alignment-threshold", "1MiB"], "alignment_threshold is of an alignment"),
        (["--page-buffer", "1MiB"], "page_buffer is not possible with HDF5"),
        (["--subfiling"], "subfiling is not possible with HDF5"),
        (["--chunk", "1MiB"], "chunk contradicts a file of arrays"),
    ],
)
def test_options_that_hdf5_cannot_follow_are_refused(options: list[str], problem: str, place: Path) -> None:
    need_backends("hdf5")
    shape = ("--block", "4", "--blocks", "9")
    done = run_core("flash-io", "--dir", "store", *shape, *options, ranks=2).ended(2)
    assert problem in done.failure()["problem"]
    assert list(Path("store").iterdir()) == [], "it is refused before anything is made"


@pytest.mark.parametrize(("ranks", "blocks"), [(1, 80), (2, 161), (4, 323)])
def test_netcdf_files_have_the_sizes_of_the_version_for_pnetcdf(ranks: int, blocks: int, place: Path) -> None:
    need_backends("pnetcdf")
    netcdf = pytest.importorskip("netCDF4")
    run("--backend", "pnetcdf", ranks=ranks)
    plots = [1536 + blocks * (116 + 16 * side**3) for side in (8, 9)]
    assert sizes("ncmpi", ".nc") == [3072 + blocks * (164 + 192 * 8**3), *plots]
    with netcdf.Dataset("store/flash_io_test_ncmpi_plt_crn_0000.nc") as file:
        assert (file.total_blocks, file.nxb, file.time) == (blocks, 9, 0)
        assert set(file.variables) >= {"dens", "f1__", "lrefine", "bndbox"}


def test_values_are_those_of_the_benchmark(place: Path) -> None:
    need_backends("hdf5")
    run("--block", "4", "--blocks", "2", ranks=3)
    blocks = 2 + 3 + 4
    for phase, names, side, real in (
        ("checkpoint", UNKNOWNS, 4, "f8"),
        ("plot", PLOTTED, 4, "f4"),
        ("corner", PLOTTED, 5, "f4"),
    ):
        found = read_by_others.read_hdf5(Path(f"store/flash_io_test_hdf5_{FILES[phase]}_0000"))
        assert len(found) == 10 + len(names)
        for name in names:
            array = found[name.ljust(4)]
            assert (array.shape, array.dtype) == ((blocks, side, side, side), np.dtype(real))
            assert (array == 1 + UNKNOWNS.index(name)).all(), name
        assert [name.decode() for name in found["unknown names"].ravel()] == [name.ljust(4) for name in names]
        header = found["simulation parameters"][0]
        assert (header["total blocks"], header["nxb"], header["time"]) == (blocks, side, 0)
        assert header.dtype["time"] == np.dtype(real)
        assert (found["gid"] == -1).all() and found["gid"].shape == (blocks, 15)
        assert (found["block size"] == 0.5).all() and (found["bounding box"] == 0).all()


def test_one_dataset_has_the_same_values(place: Path) -> None:
    need_backends("hdf5")
    shape = ("--block", "2", "--blocks", "1", "--values", "random")
    run(*shape, ranks=3)
    (Path("store")).rename("apart")
    Path("store").mkdir()
    run(*shape, "--datasets", "one", "--memory", "separate", ranks=3)
    for kind in FILES.values():
        name = f"flash_io_test_hdf5_{kind}_0000"
        one = read_by_others.read_hdf5(Path("store") / name)["unknowns"]
        apart = read_by_others.read_hdf5(Path("apart") / name)
        names = UNKNOWNS if kind == "chk" else PLOTTED
        for place_of, unknown in enumerate(names):
            assert (one[:, place_of] == apart[unknown.ljust(4)]).all(), unknown


def test_plain_bytes_are_the_same_through_any_back_end(place: Path) -> None:
    found: dict[str, Any] = {}
    for backend in ("posix", "mpiio", "twophase"):
        need_backends(backend)
        done = run("--backend", backend, "--block", "2", "--blocks", "3", "--values", "random")
        assert done.samples("checkpoint")[0]["file_bytes"] == 196 + 7 * (164 + 192 * 8)
        found[backend] = [
            Path(f"store/flash_io_test_raw_{kind}_0000").read_bytes() for kind in FILES.values()
        ]
    assert found["posix"] == found["mpiio"] == found["twophase"]


def test_the_pattern_has_the_requests_of_the_run(place: Path) -> None:
    need_backends("hdf5", "posix")
    shape = ("--block", "2", "--blocks", "3")
    independent = ("--method", "independent")
    pattern = run("--emit-pattern", *shape, *independent).lines[0]
    assert [phase["name"] for phase in pattern["phases"]] == list(FILES)
    accesses = [sum("access" in step for step in phase["steps"]) for phase in pattern["phases"]]
    assert accesses == [34, 14, 14]
    Path("flash.json").write_text(json.dumps(pattern))
    replayed = run_cases(REPLAY, ranks=2)
    done = run("--backend", "posix", *shape)
    for phase in FILES:
        assert replayed.samples(phase)[0]["bytes_written"] == done.samples(phase)[0]["bytes_written"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--block", "7"], "block = 7 is odd"),
        (["--restart", "somewhere"], "this application begins with no restart"),
        (["--restarted"], "this application begins with no restart"),
        (["--backend", "posix", "--hint", "cb_nodes=1"], "hint contradicts backend = posix"),
        (["--backend", "twophase", "--hint-file", "any"], "hint_file contradicts backend = twophase"),
        (["--backend", "mpiio", "--hint", "cb_nodes"], "hint 'cb_nodes' is not key=value"),
    ],
)
def test_contradictory_options_are_refused(options: list[str], problem: str, place: Path) -> None:
    done = run_core("flash-io", "--dir", "store", *options).ended(2)
    assert done.failure()["problem"] == problem
    assert list(Path("store").iterdir()) == []

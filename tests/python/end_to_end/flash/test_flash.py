"""The application `flash`: yt reads its files, runs continue bit for bit, broken files are refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verbs import weir_here

from .. import read_by_others
from ..real_core import Done, names_in, run_cases, run_core, run_core_on
from ..storage.test_formats import need_backends

SMALL = {"--levels": "3", "--dump-every": "4", "--adapt-every": "2", "--steps": "8"}
STATE = ["dens", "velx", "vely", "velz", "pres"]


def run(changes: dict[str, str] | None = None, *flags: str, ranks: int = 2, folder: str = "store") -> Done:
    """`flash` with options that make it quick, but for these changes."""
    options = [word for pair in {**SMALL, **(changes or {})}.items() for word in pair]
    return run_core("flash", "--dir", folder, *options, *flags, ranks=ranks)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run with two dumps, on two ranks."""
    need_backends("hdf5")
    pytest.importorskip("h5py")
    folder = tmp_path_factory.mktemp("flash")
    run({"--levels": "4", "--steps": "24", "--dump-every": "12"}, folder=str(folder)).ended(0)
    return folder


@pytest.fixture
def dumped(made: Path, place: Path) -> Path:
    """A copy of it, the current folder's `store`."""
    shutil.rmtree("store")
    shutil.copytree(made, "store")
    return place / "store"


def test_dumps_have_the_names_of_flash_and_blocks_that_change(dumped: Path) -> None:
    kinds = ["chk", "plt_cnt", "plt_crn"]
    assert names_in(dumped) == [
        ".weir-flash.made",
        *(f"flash_hdf5_{k}_000{n}" for k in kinds for n in (0, 1)),
    ]
    h5py = pytest.importorskip("h5py")
    with (
        h5py.File(dumped / "flash_hdf5_chk_0000") as first,
        h5py.File(dumped / "flash_hdf5_chk_0001") as second,
    ):
        assert first["dens"].shape != second["dens"].shape
        for name in ("dens", "pres", "velx"):
            values = second[name][...]
            attributes = second[name].attrs
            assert attributes["minimum"][0] == values.min() and attributes["maximum"][0] == values.max()
        owners = second["processor number"][...]
        assert list(np.unique(owners)) == [0, 1] and (np.diff(owners) >= 0).all()


def test_a_run_without_steps_has_a_time_of_computing_and_no_rate(place: Path) -> None:
    (sample,) = run({"--steps": "0"}).ended(0).samples("run")
    assert sample["details"]["steps"] == 0
    assert sample["compute_s"] > 0 and sample["cell_updates_per_s"] is None


@pytest.mark.parametrize("kind", ["chk", "plt_cnt"])
def test_yt_finds_what_h5py_does(kind: str, dumped: Path) -> None:
    yt = pytest.importorskip("yt")
    yt.set_log_level(50)
    path = dumped / f"flash_hdf5_{kind}_0001"
    found = read_by_others.read_hdf5(path)
    leaves = found["node type"] == 1
    levels = found["refine level"]
    data = yt.load(str(path))
    cells = data.all_data()
    assert data.index.num_grids == len(leaves) and data.index.max_level == levels.max() - 1
    assert cells["index", "cell_volume"].size == leaves.sum() * 8**3
    assert float(cells["index", "cell_volume"].sum()) == 1
    for name in ("dens", "pres", "velx"):
        expected = np.sort(found[name][leaves].ravel())
        assert (np.sort(np.asarray(cells["flash", name])).astype(expected.dtype) == expected).all()
    # Where a value is: at the centre of the densest leaf's cell.
    block = np.argmax(
        np.where(leaves[:, None, None, None], found["dens"], 0).reshape(len(leaves), -1).max(axis=1)
    )
    low, high = found["bounding box"][block].T
    k, j, i = np.unravel_index(np.argmax(found["dens"][block]), (8, 8, 8))
    centre = low + (np.array([i, j, k]) + 0.5) * (high - low) / 8
    assert float(data.point(centre)["flash", "dens"][0]) == found["dens"][block, k, j, i]


def test_corners_are_means_of_the_cells_around(dumped: Path) -> None:
    cells = read_by_others.read_hdf5(dumped / "flash_hdf5_chk_0001")["dens"]
    corners = read_by_others.read_hdf5(dumped / "flash_hdf5_plt_crn_0001")["dens"]
    assert corners.shape == (len(cells), 9, 9, 9)
    inner = sum(cells[:, k : k + 7, j : j + 7, i : i + 7] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8
    assert np.allclose(corners[:, 1:8, 1:8, 1:8], inner, rtol=1e-6, atol=0)


def test_corners_between_blocks_are_means_of_cells_of_both(dumped: Path) -> None:
    found = read_by_others.read_hdf5(dumped / "flash_hdf5_chk_0001")
    corners = read_by_others.read_hdf5(dumped / "flash_hdf5_plt_crn_0001")["pres"]
    for axis in range(3):
        block = np.flatnonzero(found["gid"][:, 2 * axis + 1] > 0)
        beside = found["gid"][block, 2 * axis + 1] - 1
        cells, on_faces = (np.moveaxis(values, 3 - axis, 1) for values in (found["pres"], corners))
        both = cells[block, 7] + cells[beside, 0]
        means = sum(both[:, j : j + 7, i : i + 7] for j in (0, 1) for i in (0, 1)) / 8
        for faces in (on_faces[block, 8], on_faces[beside, 0]):
            assert np.allclose(faces[:, 1:8, 1:8], means, rtol=1e-6, atol=0), axis


def test_all_variables_follow_from_the_state(dumped: Path) -> None:
    found = read_by_others.read_hdf5(dumped / "flash_hdf5_chk_0001")
    dens, velx, vely, velz, pres = (found[name] for name in STATE)
    internal = pres / (0.4 * dens)
    moving = (velx**2 + vely**2 + velz**2) / 2
    assert all(speed.any() for speed in (velx, vely, velz))
    expected = {"temp": pres / dens, "eint": internal, "ener": internal + moving, "gamc": 1.4, "game": 1.4}
    for name, values in expected.items():
        assert np.allclose(found[name], values, rtol=1e-12, atol=0), name
    plotted = read_by_others.read_hdf5(dumped / "flash_hdf5_plt_cnt_0001")
    for name in ("dens", "pres", "temp", "velx"):
        assert (plotted[name] == found[name].astype("f4")).all(), f"{name} is not rounded"


def test_places_of_blocks_agree(dumped: Path) -> None:
    for kind in ("chk", "plt_cnt"):
        found = read_by_others.read_hdf5(dumped / f"flash_hdf5_{kind}_0001")
        box = found["bounding box"]
        assert (found["block size"] == np.diff(box)[..., 0]).all()
        assert (found["coordinates"] == box.mean(axis=2)).all()


def test_weir_finds_its_files_sound(dumped: Path) -> None:
    """Trees, domains, and the ranges that attributes state."""
    box = {"--roots": "1x2x1", "--boundary": "reflecting", "--centre": "0.4,1.2,0.5", "--levels": "2"}
    Path("box").mkdir()
    run({**box, "--steps": "1", "--dump-every": "1"}, folder="box").ended(0)
    paths = sorted(path for folder in ("store", "box") for path in Path(folder).glob("flash_hdf5_*"))
    assert len(paths) == 9
    for path in paths:
        done = weir_here("show", path)
        assert done.exit_code == 0, done.output
    parameters = read_by_others.read_hdf5(Path("box/flash_hdf5_chk_0000"))["string runtime parameters"]
    types = {row["name"].split()[0]: row["value"].strip(b" \0") for row in parameters}
    for side in ("xl", "xr", "yl", "yr", "zl", "zr"):
        assert types[f"{side}_boundary_type".encode()] == b"reflecting"


@pytest.mark.parametrize(("ranks", "backend"), [(1, "hdf5"), (3, "hdf5"), (3, "posix")])
def test_a_run_continues_bit_for_bit_on_other_ranks(ranks: int, backend: str, place: Path) -> None:
    need_backends("hdf5", "posix")
    infix = "hdf5" if backend == "hdf5" else "raw"
    options = {"--backend": backend, "--dump-every": "3"}
    run({**options, "--steps": "6"}).ended(0)
    Path("again").mkdir()
    first = f"store/flash_{infix}_chk_0000"
    run({**options, "--steps": "3", "--restart": first}, ranks=ranks, folder="again").ended(0)
    assert Path(f"again/flash_{infix}_chk_0001").exists(), "its number follows"
    if backend == "hdf5":
        for kind, names in (("chk", STATE), ("plt_cnt", ["dens", "temp"]), ("plt_crn", ["pres"])):
            one, other = (
                read_by_others.read_hdf5(Path(f"{d}/flash_hdf5_{kind}_0001")) for d in ("store", "again")
            )
            for name in [*names, "gid", "refine level", "bounding box"]:
                assert (one[name] == other[name]).all(), name
            for name in ("real scalars", "integer scalars"):
                assert (one[name] == other[name]).all(), name
    else:
        sizes = {Path(f"{d}/flash_raw_chk_0001").stat().st_size for d in ("store", "again")}
        assert len(sizes) == 1
        one, other = (np.fromfile(f"{d}/flash_raw_plt_cnt_0001", "f4")[-4096:] for d in ("store", "again"))
        assert (one == other).all()


def named(rows: Any) -> dict[str, Any]:
    """A list of FLASH's by its names."""
    return {row["name"].decode().strip(" \0"): row["value"] for row in rows}


def test_files_have_what_paramesh_and_setup_leave(dumped: Path) -> None:
    found = read_by_others.read_hdf5(dumped / "flash_hdf5_chk_0001")
    blocks = len(found["gid"])
    assert found["bflags"].shape == (blocks, 1) and not found["bflags"].any()
    around = found["gsurr_blks"]
    assert around.shape == (blocks, 3, 3, 3, 2)
    assert (around[:, 1, 1, 1, 0] == np.arange(1, blocks + 1)).all()
    assert (around[:, 1, 1, 1, 1] == found["node type"]).all()
    faces = [(1, 1, 0), (1, 1, 2), (1, 0, 1), (1, 2, 1), (0, 1, 1), (2, 1, 1)]
    for face, place in enumerate(faces):
        assert (around[(slice(None), *place, 0)] == found["gid"][:, face]).all()
    (info,) = found["sim info"]
    assert info["setup call"].startswith(b"weir-core flash --problem sedov --block 8 --levels 4")
    assert info["file creation time"].startswith(b"20")
    reals = named(found["real runtime parameters"])
    assert reals["sim_rinit"] == 3.5 / (8 * 2**3), "a length"


def run_details(changes: dict[str, str]) -> dict[str, Any]:
    (whole,) = run({"--dump-every": "0", **changes}).ended(0).samples("run")
    return dict(whole)


@pytest.mark.parametrize(("gamma", "constant"), [("1.2", 0.89723), ("1.6667", 1.15168), ("2", 1.26233)])
def test_the_exact_radius_is_that_of_the_gas(gamma: str, constant: float, place: Path) -> None:
    details = run_details({"--gamma": gamma, "--levels": "4", "--steps": "30", "--energy": "2"})
    expected = constant * (2 * details["time"] ** 2) ** 0.2
    assert details["exact_radius"] == pytest.approx(expected, rel=1e-5)


def test_a_blast_at_an_open_edge_has_no_exact_radius_and_tells_what_comes_in(place: Path) -> None:
    edge = {"--centre": "0,0.5,0.5", "--levels": "3", "--steps": "20"}
    done = run({"--dump-every": "0", **edge}).ended(0)
    (whole,) = done.samples("run")
    assert whole["exact_radius"] is None
    (warning,) = whole["warnings"]
    assert warning["code"] == "inflow" and "gained energy" in warning["problem"]
    assert "has gained energy" in done.talk
    totals = whole["totals"]
    gained = {of: totals["after"][of] - totals["before"][of] for of in ("mass", "energy")}
    assert gained["energy"] > 0.1 * totals["before"]["energy"]
    for of in ("mass", "energy"):
        assert gained[of] + totals["outflow"][of] == pytest.approx(0, abs=1e-10 * totals["before"][of])
        assert abs(totals["drift"][of]) < 1e-10
    walls = run_details({**edge, "--boundary": "reflecting"})
    assert walls["warnings"] == [] and walls["exact_radius"] is None


def test_a_shock_tube_continues_from_its_checkpoint(place: Path) -> None:
    tube = {"--problem": "sod", "--roots": "4x1x1", "--boundary": "reflecting", "--levels": "2"}
    details = dict(run(tube).ended(0).samples("run")[0])
    assert details["exact_radius"] is None and details["radius"] is None
    reals = named(read_by_others.read_hdf5(Path("store/flash_hdf5_chk_0000"))["real runtime parameters"])
    assert reals["sim_rholeft"] == 1 and reals["sim_pright"] == 0.1 and reals["sim_posn"] == 0.5
    Path("again").mkdir()
    run({**tube, "--steps": "4", "--restart": CHECKPOINT}, folder="again").ended(0)
    one, other = (
        read_by_others.read_hdf5(Path(f"{d}/flash_hdf5_chk_0001"))["dens"] for d in ("store", "again")
    )
    assert (one == other).all()


def edit(path: Path, change: Callable[[Any], None]) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "r+") as file:
        change(file)


def lose_a_neighbour(file: Any) -> None:
    file["gid"][7, 2] = 9999


def be_of_another_version(file: Any) -> None:
    info = file["sim info"][...]
    info["file format version"] = 8
    file["sim info"][...] = info


def be_of_no_time(file: Any) -> None:
    scalars = file["real scalars"][...]
    scalars["value"][[name.strip() == b"time" for name in scalars["name"]]] = -1
    file["real scalars"][...] = scalars


def have_no_lists(file: Any) -> None:
    del file["real scalars"]


def move_a_block(file: Any) -> None:
    file["coordinates"][5] = 0.999


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lose_a_neighbour, "block 8"),
        (be_of_another_version, "its file format version is 8, and 9 is read"),
        (have_no_lists, "cannot open the dataset 'real scalars'"),
        (be_of_no_time, "of time -1, step 12"),
        (move_a_block, "block"),
    ],
)
def test_broken_checkpoints_are_refused(change: Callable[[Any], None], words: str, dumped: Path) -> None:
    path = dumped / "flash_hdf5_chk_0000"
    edit(path, change)
    before = path.read_bytes()
    done = run({"--levels": "4", "--restart": str(path)}).ended(2)
    told = done.failure()
    assert words in told["problem"] + told["reason"], told
    assert path.name in told["problem"] and path.read_bytes() == before


@pytest.mark.parametrize(("variable", "value"), [("dens", np.nan), ("pres", -1.0), ("pres", np.inf)])
def test_a_checkpoint_without_gas_is_refused(variable: str, value: float, dumped: Path) -> None:
    def lose_it(file: Any) -> None:
        file[variable][9, 0, 0, 0] = value

    edit(dumped / "flash_hdf5_chk_0000", lose_it)
    no_dumps = {"--levels": "4", "--dump-every": "100"}
    told = run({**no_dumps, "--restart": CHECKPOINT}).ended(2).failure()
    assert told["problem"] == "block 9 of the restart holds no gas"


@pytest.mark.parametrize("options", [("--roots", "300x300x300"), ("--levels", "12", "--block", "64")])
def test_blocks_that_do_not_fit_into_memory_are_refused(options: tuple[str, str], place: Path) -> None:
    done = run_core("flash", *options, "--dir", "store").ended(3)
    assert "blocks do not fit into memory" in done.failure()["problem"]


CHECKPOINT = "store/flash_hdf5_chk_0000"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"--restart": "store/flash_hdf5_plt_cnt_0000"}, "plot files have single precision"),
        ({"--restart": CHECKPOINT, "--block": "16"}, "another block size"),
        ({"--restart": CHECKPOINT, "--levels": "3"}, "has 4 levels"),
        ({"--restart": CHECKPOINT, "--gamma": "1.3"}, "another gamma"),
        ({"--restart": CHECKPOINT, "--centre": "0.5,0.5,0.5"}, "another centre"),
        ({"--restart": CHECKPOINT, "--energy": "2"}, "another energy"),
        ({"--restart": CHECKPOINT, "--problem": "sod"}, "another problem"),
        ({"--restart": "store/nothing"}, "cannot be opened"),
        ({"--levels": "1"}, "2 ranks are more than there are blocks"),
        ({"--centre": "0.5,0.5"}, "centre = "),
        ({"--centre": "0.5,0.5,7"}, "outside"),
        ({"--block": "9"}, "block = 9 is odd"),
    ],
)
def test_what_cannot_be_run_is_refused(options: dict[str, str], words: str, dumped: Path) -> None:
    before = names_in(dumped)
    told = run({"--levels": "4", **options}).ended(2).failure()
    assert words in told["problem"] + (told["reason"] or ""), told
    assert names_in(dumped) == before


def test_a_restart_that_no_run_leaves_is_refused(place: Path) -> None:
    assert "restarted contradicts" in run({}, "--restarted").ended(2).failure()["problem"]


@pytest.mark.parametrize(("backend", "infix"), [("posix", "raw"), ("hdf5", "hdf5")])
def test_the_pattern_of_dumps_after_a_restart_is_refused(backend: str, infix: str, place: Path) -> None:
    need_backends(backend)
    made = {"--backend": backend, "--steps": "4"}
    run(made).ended(0)
    on = {**made, "--restart": f"store/flash_{infix}_chk_0000"}
    told = run(on, "--emit-pattern").ended(2).failure()
    assert told["problem"] == "emit_pattern contradicts restart"
    for ranks in (1, 2):
        (pattern,) = run({**on, "--steps": "3"}, "--emit-pattern", ranks=ranks).ended(0).lines
        assert [phase["name"] for phase in pattern["phases"]] == ["restart"], "no dump is due"


def test_a_full_disk_leaves_the_previous_checkpoint_whole(dumped: Path) -> None:
    first, second = (((dumped / f"flash_hdf5_chk_000{n}").stat().st_size) for n in (0, 1))
    shutil.rmtree(dumped)
    dumped.mkdir()
    room = f"-t tmpfs -o size={(first + second // 2) // 1024}k"
    options = "--levels 4 --steps 24 --dump-every 12 --adapt-every 2 --files checkpoint --dir store"
    options += " --no-check-space"
    done = run_core_on(room, "flash", *options.split(), ranks=2).ended(3)
    assert "No space left on device" in done.failure()["reason"]
    assert [name for name in done.others if "chk" in name] == ["flash_hdf5_chk_0000"]
    assert done.samples("checkpoint")[0]["file_bytes"] == first, "what was measured before is kept"


def test_the_pattern_is_that_of_the_run(place: Path) -> None:
    need_backends("hdf5")
    changes = {"--levels": "4", "--steps": "4", "--dump-every": "2", "--adapt-every": "1"}
    done = run(changes).ended(0)
    pattern = run(changes, "--emit-pattern").ended(0).lines[0]
    kinds = ["checkpoint", "plot", "corner"]
    assert [phase["name"] for phase in pattern["phases"]] == [f"{k} {n:04}" for n in (0, 1) for k in kinds]
    written = sum(done.samples(kind)[0]["bytes_written"] for kind in kinds)
    arrays = {file["name"]: file["arrays"] for file in pattern["files"]}
    sizes = {name: sum(bytes_of(array) for array in arrays[name]) for name in arrays}
    made = [name for name in sizes if "part" in name or "plt" in name]
    assert sum(sizes[name] for name in made) == written


def test_a_replay_of_the_pattern_keeps_all_files(place: Path) -> None:
    need_backends("hdf5")
    pattern = run({"--steps": "8"}, "--emit-pattern").ended(0).lines[0]
    Path("flash.json").write_text(json.dumps(pattern))
    options = {"pattern": "flash.json", "backend": "hdf5", "dir": "store", "keep": True}
    run_cases({"id": "replay", "benchmark": "storage", "options": options}, ranks=2).ended(0)
    kept = [name for name in names_in("store") if name.startswith("weir-")]
    assert {
        f"weir-flash_hdf5_{kind}_000{n}" for kind in ("chk", "plt_cnt", "plt_crn") for n in (0, 1)
    } <= set(kept)


def bytes_of(array: dict[str, Any]) -> int:
    element = array["element"]
    size = element["bytes"] if isinstance(element, dict) else int(element[1:])
    return int(size * np.prod(array["shape"], dtype=np.int64))

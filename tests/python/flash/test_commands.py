"""Files of FLASH, shown and drawn, from the outside."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from flash.made_file import Recipe, slope, write_file, write_flash_io
from flash.made_tree import of_blocks
from pictures import drawing, expect_advice_without_what_draws, expect_refused, hide
from verbs import weir_here as weir
from weir.extras import how_to_install
from weir.flash.survey import Stored, alignment


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    return write_file(tmp_path, Recipe())


def told(path: Path, code: int = 0) -> dict[str, Any]:
    done = weir("show", path, "--json")
    assert done.exit_code == code, done.output
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_show_tells_what_is_in_a_checkpoint(checkpoint: Path) -> None:
    done = weir("show", checkpoint)
    assert done.exit_code == 0
    for words in (
        "blast_hdf5_chk_0000: checkpoint, file format 9",
        "time 0.05 (scaled units), 123 steps",
        "17 blocks of 8 x 8 x 8 cells, 15 leaves",
        "domain: x 0 to 1, y 0 to 1, z 0 to 1",
        "2 ranks, with 8 to 9 blocks each",
        "dens (density)",
        "2 variables contiguous, uncompressed",
        "sound: neighbours, parents and children agree, and the leaves' volumes add up to the domain's",
    ):
        assert words in done.stdout


def test_show_tells_programs_the_same(checkpoint: Path) -> None:
    data = told(checkpoint)
    assert data["levels"] == [
        {"level": 1, "blocks": 1, "leaves": 0},
        {"level": 2, "blocks": 8, "leaves": 7},
        {"level": 3, "blocks": 8, "leaves": 8},
    ]
    ends = [slope(*[at] * 3) for at in (1 / 64, 31 / 32)]
    assert data["variables"]["dens"] == {"type": "f64", "minimum": ends[0], "maximum": ends[1]}
    assert data["faults"] == [] and data["leaf_volume"] == 1
    sizes = data["bytes"]
    assert sizes["file"] == checkpoint.stat().st_size == sum(sizes.values()) - sizes["file"]
    assert sizes["variables"] == 2 * 17 * 8**3 * 8
    assert sizes["lists"] == sum(one["bytes"] for one in data["datasets"]) - sizes["variables"]


@pytest.mark.parametrize(("kind", "real"), [("plot", "f32"), ("corner plot", "f32")])
def test_kinds_are_told_apart(tmp_path: Path, kind: str, real: str) -> None:
    data = told(write_file(tmp_path, Recipe(cells=4, kind=kind)))
    assert (data["kind"], data["cells"], data["variables"]["dens"]["type"]) == (kind, [4, 4, 4], real)


def test_the_benchmarks_own_layout_is_read(tmp_path: Path) -> None:
    data = told(write_flash_io(tmp_path / "flash_io_test_hdf5_chk_0000"))
    assert (data["layout"], data["kind"], data["cells"], data["domain"]) == (
        *("FLASH-IO", "checkpoint"),
        [4, 4, 4],
        None,
    )
    assert [one["maximum"] for one in data["variables"].values()] == [1, 2, 3, 4]
    assert data["faults"] == [] and data["leaf_volume"] is None
    corners = write_flash_io(tmp_path / "flash_io_test_hdf5_plt_crn_0000", corners=True)
    assert (told(corners)["kind"], told(corners)["cells"]) == ("corner plot", [4, 4, 4])
    assert "no tree: the bounding boxes are all zeros" in weir("show", corners).stdout


def test_a_record_of_corners_that_counts_cells_is_read_too(tmp_path: Path) -> None:
    path = write_file(tmp_path, Recipe(cells=4, kind="corner plot"))
    with h5py.File(path, "r+") as file:
        rows = file["integer scalars"][()]
        rows["value"][:3] = 5
        file["integer scalars"][...] = rows
    assert (told(path)["kind"], told(path)["cells"]) == ("corner plot", [4, 4, 4])


@pytest.mark.parametrize(
    ("storage", "words"),
    [
        ({"chunks": (1, 8, 8, 8)}, "in chunks of 1 x 8 x 8 x 8, uncompressed"),
        ({"chunks": (4, 8, 8, 8), "compression": "gzip"}, "in chunks of 4 x 8 x 8 x 8, deflate"),
    ],
)
def test_the_way_of_storage_is_told(tmp_path: Path, storage: dict[str, Any], words: str) -> None:
    assert words in weir("show", write_file(tmp_path, Recipe(storage=storage))).stdout


def test_the_alignment_of_data_is_told(tmp_path: Path, checkpoint: Path) -> None:
    aligned = tmp_path / "aligned"
    with (
        h5py.File(checkpoint) as old,
        h5py.File(aligned, "w", alignment_threshold=1 << 14, alignment_interval=1 << 16) as new,
    ):
        for name in old:
            old.copy(name, new)
    assert told(aligned)["alignment_bytes"] % (1 << 16) == 0
    assert "the data begin at multiples of 65,536 bytes" in weir("show", aligned).stdout
    assert told(checkpoint)["alignment_bytes"] < 1 << 16


def test_the_alignment_is_the_greatest_power_of_two() -> None:
    found = [Stored("dens", "f64", (1,), 8, None, (), (at << 16,)) for at in (3, 6, 9)]
    assert alignment(found) == 1 << 16


def change(path: Path, name: str, where: Any, value: Any) -> None:
    with h5py.File(path, "r+") as file:
        file[name][where] = value


def test_a_damaged_tree_is_told_and_the_rest_shown(checkpoint: Path) -> None:
    change(checkpoint, "gid", (1, 1), 12)
    done = weir("show", checkpoint)
    assert done.exit_code == 4
    assert "wrong: block 2 has another neighbour at +x than the block that lies there" in done.stdout
    assert "dens (density)" in done.stdout and "sound" not in done.stdout
    assert told(checkpoint, 4)["faults"]
    drawn = weir("picture", checkpoint)
    assert drawn.exit_code == 4 and "weir show" in drawn.stderr
    assert len(drawn.stderr.splitlines()) == 1


def test_values_that_are_none_are_told(checkpoint: Path) -> None:
    for block in (16, 4):
        change(checkpoint, "dens", (block, 0, 0, 0), np.nan)
        assert told(checkpoint, 4)["faults"] == [
            f"dens has values that are no finite numbers, first in block {block + 1}"
        ]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_variable_without_a_number_has_no_range(checkpoint: Path, value: float) -> None:
    change(checkpoint, "dens", slice(None), value)
    data = told(checkpoint, 4)
    assert data["faults"][0] == "dens has values that are no finite numbers, first in block 1"
    assert data["variables"]["dens"]["minimum"] is data["variables"]["dens"]["maximum"] is None


def test_a_range_that_is_not_that_of_the_values_is_told(checkpoint: Path) -> None:
    for block in (16, 4):
        change(checkpoint, "dens", (block, 0, 0, 0), 1e6)
        assert told(checkpoint, 4)["faults"] == [
            "dens has another range than its attributes minimum and maximum say, "
            f"first outside it in block {block + 1}"
        ]


def test_a_range_wider_than_that_of_the_values_is_told(checkpoint: Path) -> None:
    with h5py.File(checkpoint, "r+") as file:
        file["dens"].attrs["maximum"] = 1e6
    assert told(checkpoint, 4)["faults"] == [
        "dens has another range than its attributes minimum and maximum say, no block reaches it"
    ]


def test_the_range_shown_is_that_of_the_leaves(checkpoint: Path) -> None:
    range_of_leaves = told(checkpoint)["variables"]["dens"]
    change(checkpoint, "dens", (0, 0, 0, 0), 1e6)
    data = told(checkpoint)
    assert (data["variables"]["dens"], data["faults"]) == (range_of_leaves, [])


def test_blocks_are_found_in_every_part_that_is_read(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weir.flash.survey._BLOCK_BYTES", 1)
    change(checkpoint, "dens", (16, 0, 0, 0), np.nan)
    change(checkpoint, "pres", (4, 0, 0, 0), 1e6)
    dens, pres = told(checkpoint, 4)["faults"]
    assert dens.endswith("first in block 17") and pres.endswith("in block 5")


def test_equal_shares_of_ranks_are_told_once(tmp_path: Path) -> None:
    one = weir("show", write_file(tmp_path, Recipe(ranks=1), "one")).stdout
    assert "1 rank, with 17 blocks\n" in one
    each = weir("show", write_file(tmp_path, Recipe(ranks=17), "each")).stdout
    assert "17 ranks, with 1 block each\n" in each


def test_a_domain_that_the_blocks_do_not_fill_is_told(checkpoint: Path) -> None:
    with h5py.File(checkpoint, "r+") as file:
        rows = file["real runtime parameters"][()]
        rows["value"][[name.startswith(b"zmax") for name in rows["name"]]] = 2
        file["real runtime parameters"][...] = rows
    assert told(checkpoint, 4)["faults"] == [
        "the blocks fill another domain than the run's parameters xmin to zmax say"
    ]


def refusals(folder: Path) -> dict[str, Path]:
    """Files that are refused, by words of the refusal."""
    whole = write_file(folder, Recipe(), "whole")
    cut, text, netcdf, empty, other = (folder / name for name in ("cut", "text", "cdf", "empty", "other"))
    cut.write_bytes(whole.read_bytes()[:-1000])
    text.write_text("no file of HDF5")
    netcdf.write_bytes(b"CDF\x05" + bytes(100))
    empty.touch()
    with h5py.File(other, "w") as file:
        file["values"] = np.ones(3)
    short = Path(shutil.copy(whole, folder / "short"))
    with h5py.File(short, "r+") as file:
        for name in ("dens", "pres"):
            del file[name]
            file[name] = np.ones((16, 8, 8, 8))
    missing = Path(shutil.copy(whole, folder / "missing"))
    with h5py.File(missing, "r+") as file:
        del file["gid"]
    headless = Path(shutil.copy(whole, folder / "headless"))
    with h5py.File(headless, "r+") as file:
        del file["sim info"]
        file.create_dataset("simulation parameters", (0,), "f8")
    flat, joined = write_file(folder, Recipe(), "flat"), write_file(folder, Recipe(), "joined")
    with h5py.File(flat, "r+") as file:
        rows = file["integer scalars"][()]
        rows["value"][[name.startswith(b"dimensionality") for name in rows["name"]]] = 2
        file["integer scalars"][...] = rows
    with h5py.File(joined, "r+") as file:
        file["unknowns"] = np.stack([file["dens"], file["pres"]], axis=1)
        del file["dens"], file["pres"]
    linked = Path(shutil.copy(whole, folder / "linked"))
    with h5py.File(linked, "r+") as file:
        del file["dens"]
        file["dens"] = h5py.ExternalLink("whole", "dens")
    return {
        "is truncated": cut,
        "is no dump that Weir knows. Name": text,
        "is a file of netCDF": netcdf,
        "it is empty": empty,
        "is no dump that Weir knows (it is a file of HDF5 with 'values')": other,
        "format 8": write_file(folder, Recipe(version=8), "eight"),
        "and there are 17 blocks": short,
        "it has no dataset 'gid'": missing,
        "said to be of 2 dimensions, and blocks have 8 x 8 x 8 values": flat,
        "has all variables in one dataset, 'unknowns'": joined,
        "index 0 is out of bounds": headless,
        "it has no dataset 'dens'": linked,
    }


def test_files_that_cannot_be_read_are_refused_in_one_line(tmp_path: Path) -> None:
    for words, path in refusals(tmp_path).items():
        for verb in ("show", "picture"):
            done = weir(verb, path)
            assert (done.exit_code, done.stdout) == (2, ""), words
            assert words in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
        assert json.loads(weir("show", path, "--json").stdout)["error"]["exit_code"] == 2


def test_what_a_dataset_claims_to_be_is_bounded(tmp_path: Path) -> None:
    """A terabyte that is not in the file is not read."""
    path = write_file(tmp_path, Recipe())
    with h5py.File(path, "r+") as file:
        del file["dens"]
        file.create_dataset("dens", (1 << 20, 64, 64, 64), "f8")
    assert "is said to have 2,199,023,255,552 bytes" in weir("show", path).stderr


@drawing
@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_a_picture_is_drawn(checkpoint: Path, tmp_path: Path, ending: str, begins: bytes) -> None:
    out = tmp_path / f"slice.{ending}"
    done = weir("picture", checkpoint, "--variable", "dens", "--axis", "z", "--at", "0.25", "--out", out)
    assert done.exit_code == 0 and done.stdout == f"{out}\n"
    assert out.read_bytes().startswith(begins)


@drawing
def test_the_picture_says_what_it_shows(checkpoint: Path, tmp_path: Path) -> None:
    out = tmp_path / "slice.svg"
    weir("picture", checkpoint, "--at", "0.25", "-o", out)
    text = out.read_text()
    for words in (
        "Density at z = 0.25; time 0.05 (scaled units), step 123",
        "blast_hdf5_chk_0000: 17 blocks of 8 x 8 x 8 cells, 15 leaves on levels 2 to 3",
        "borders of the 7 leaves that the plane crosses",
        "density (scaled units)",
        "x (scaled units)",
    ):
        assert words in text
    assert text.count("data:image/png;base64,") == 1
    path = next(line for line in text.split("<path ") if 'stroke="#ffffff"' in line and "M" in line)
    assert path.count("M") == path.count("L") == 8


@drawing
def test_a_name_of_any_bytes_is_drawn(checkpoint: Path) -> None:
    named = checkpoint.rename(os.fsdecode(os.fsencode(checkpoint) + b"\xff\x1b"))
    out = checkpoint.with_name("slice.svg")
    done = weir("picture", named, "-o", out)
    assert done.exit_code == 0, done.output
    assert "blast_hdf5_chk_0000\\xff\\x1b: 17 blocks" in out.read_text()


@drawing
def test_levels_are_drawn_with_their_names(checkpoint: Path) -> None:
    done = weir("picture", checkpoint, "--colour", "level", "--json")
    data = json.loads(done.stdout)
    assert data["picture"] == str(checkpoint.with_name(f"{checkpoint.name}-level-z.png"))
    assert data["variable"] is None and data["levels"] == [2]
    assert (data["axis"], data["at"], data["leaves_cut"], data["pixels"]) == ("z", 0.5, 4, [16, 16])
    out = checkpoint.with_name("levels.svg")
    weir("picture", checkpoint, "--colour", "level", "-o", out, "--at", "0.1")
    assert "#440154" in out.read_text() and "#fde725" in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--variable", "densy"), "it has dens, pres"),
        (("--variable", "dens", "--variable", "pres"), "in one picture (of a file of flash at most 1)"),
        (
            ("--cell", "3", "--step", "1"),
            "no use for --cell and --step (it takes --variable, --axis, --at, --colour)",
        ),
        (("--axis", "w"), "use x, y or z"),
        (("--at", "1.5"), "the domain reaches from 0 to 1"),
        (("--colour", "blue"), "use variable or level"),
        (("--colour", "level", "--variable", "dens"), "leave one of the two away"),
        (("-o", "slice.bmp"), "use .png, .svg, .pdf, .html"),
        (("-o", "nowhere/slice.png"), "choose another --out"),
    ],
)
@drawing
def test_wrong_wishes_are_refused_in_one_line(
    checkpoint: Path, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkpoint.parent)
    expect_refused(checkpoint, arguments, said)


@drawing
def test_a_pipe_that_nobody_reads_is_refused(checkpoint: Path) -> None:
    out = checkpoint.with_name("slice.png")
    os.mkfifo(out)
    done = weir("picture", checkpoint, "-o", out)
    assert done.exit_code == 2 and "it is a pipe that nobody reads" in done.stderr


@drawing
def test_blocks_without_a_place_are_not_drawn(tmp_path: Path) -> None:
    done = weir("picture", write_flash_io(tmp_path / "flash_io_test_hdf5_chk_0000"))
    assert done.exit_code == 2 and "fills their bounding boxes with zeros" in done.stderr


@drawing
def test_values_that_are_none_are_not_drawn(checkpoint: Path) -> None:
    change(checkpoint, "dens", (16, slice(None), 0, 0), np.nan)
    done = weir("picture", checkpoint, "--at", "0.9")
    assert done.exit_code == 4 and "dens is nan in a cell of this plane" in done.stderr


def test_without_the_package_that_reads_it_says_what_to_install(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide("h5py", monkeypatch)
    for verb in ("show", "picture"):
        done = weir(verb, checkpoint)
        assert done.exit_code == 2 and how_to_install("aquifer,flash") in done.stderr


def test_without_the_package_that_draws_it_says_what_to_install(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect_advice_without_what_draws(checkpoint, monkeypatch)


def test_a_sound_file_of_all_leaves_at_one_level(tmp_path: Path) -> None:
    assert told(write_file(tmp_path, Recipe(of_blocks(73), cells=2)))["leaves"] == 64

"""Files of one and two dimensions, as FLASH writes them: shown, checked and drawn."""

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from flash.made_file import Recipe, write_file
from flash.made_tree import MadeTree, refined
from verbs import weir_here
from weir.flash.file import open_flash
from weir.flash.slice import Plane, slice_of


def refined_at_the_origin(dimensions: int, roots: tuple[int, int, int] = (1, 1, 1)) -> MadeTree:
    def wanted(box: np.ndarray, level: int) -> bool:
        return level < 4 and not box[:, 0].any()

    return refined(wanted, roots, dimensions)


def of_xy(x: Any, y: Any, z: Any) -> Any:
    return 1 + x + 10 * y


TREES = {
    "a line": refined_at_the_origin(1),
    "a plane": refined_at_the_origin(2),
    "three roots": refined_at_the_origin(1, (3, 1, 1)),
    "three times two roots": refined_at_the_origin(2, (3, 2, 1)),
}
LAYOUTS = ["as FLASH 4", "without a dimensionality", "boxes of its axes only"]


def file_of(folder: Path, tree: MadeTree, layout: str = LAYOUTS[0], kind: str = "checkpoint") -> Path:
    recipe = Recipe(tree, {"dens": of_xy}, cells=4, kind=kind, dimensionality="without" not in layout)
    path = write_file(folder, recipe)
    if "axes only" in layout:
        with h5py.File(path, "r+") as file:
            boxes = file["bounding box"][:, : tree.dimensions]
            del file["bounding box"]
            file["bounding box"] = boxes
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["checkpoint", "plot", "corner plot"])
@pytest.mark.parametrize("name", TREES)
def test_such_files_are_shown_and_sound(name: str, kind: str, layout: str, tmp_path: Path) -> None:
    tree = TREES[name]
    path = file_of(tmp_path, tree, layout, kind)
    done = weir_here("show", path)
    assert done.exit_code == 0, done.output
    assert f"{tree.dimensions} dimension" in done.stdout and "sound" in done.stdout
    told = json.loads(weir_here("show", path, "--json").stdout)
    assert told["dimensions"] == tree.dimensions and told["leaf_volume"] == 1
    assert told["cells"] == [4] * tree.dimensions
    assert told["domain"] == [[0.0, float(count)] for count in tree.roots[: tree.dimensions]]
    assert told["leaves"] == sum(map(tree.is_leaf, tree.blocks))


@pytest.mark.parametrize("entry", range(9))
def test_a_changed_relative_is_found_in_a_plane_too(entry: int, tmp_path: Path) -> None:
    path = file_of(tmp_path, TREES["a plane"])
    with h5py.File(path, "r+") as file:
        file["gid"][1, entry] = 5 if file["gid"][1, entry] != 5 else 6
    assert weir_here("show", path).exit_code == 4


@pytest.mark.parametrize("kind", ["checkpoint", "corner plot"])
def test_a_plane_is_drawn_whole(kind: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, TREES["three times two roots"], kind=kind)
    with open_flash(path) as file:
        found = slice_of(file, Plane("z", 0.5), "dens")
    rows, columns = found.values.shape
    assert columns * 2 == rows * 3 and (found.right, found.up) == ("x", "y")
    x = (np.arange(columns) + 0.5) / columns * 3
    y = (np.arange(rows) + 0.5) / rows * 2
    exact = of_xy(x[None, :], y[:, None], 0.0)
    coarse_cell = 1 / 4
    assert np.abs(found.values - exact).max() <= 11 * coarse_cell / 2 + 1e-9
    if kind == "corner plot":
        assert np.allclose(found.values, exact), "between corners it is linear"


def test_a_picture_of_a_plane_needs_no_place(tmp_path: Path) -> None:
    path = file_of(tmp_path, TREES["a plane"])
    done = weir_here("picture", path, "--out", tmp_path / "p.svg", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["dimensions"] == 2 and told["at"] is None
    for more in (("--axis", "x"), ("--at", "0.2")):
        refused = weir_here("picture", path, *more)
        assert refused.exit_code == 2 and "is of two dimensions" in refused.output


def test_a_line_is_not_drawn(tmp_path: Path) -> None:
    refused = weir_here("picture", file_of(tmp_path, TREES["a line"]))
    assert refused.exit_code == 2 and "is of one dimension" in refused.output


@pytest.mark.parametrize("name", ["a plane", "three times two roots"])
def test_yt_finds_the_same(name: str, tmp_path: Path) -> None:
    yt = pytest.importorskip("yt")
    yt.set_log_level(50)
    path = file_of(tmp_path, TREES[name])
    data = yt.load(str(path))
    with open_flash(path) as file:
        leaves = int(file.tree.leaves.sum())
    assert data.dimensionality == 2
    assert data.all_data()["flash", "dens"].size == leaves * 4 * 4

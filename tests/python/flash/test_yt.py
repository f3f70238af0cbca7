"""A client of FLASH's users, yt, finds in files of format 9 what was written: fields, tree and volume."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray

from flash.made_file import TIME, Recipe, slope, write_file
from flash.made_tree import of_blocks


@dataclass(frozen=True)
class Written:
    """A file, one of its variables, and what that was made from where it is a formula."""

    path: Path
    variable: str = "dens"
    formula: Callable[..., NDArray[np.float64]] | None = None


Writer = Callable[[Path, str], Written]
"""Writes a file of a kind, checkpoint or plot, to a folder."""


def _made(blocks: int, *, particles: bool, **recipe: Any) -> Writer:
    def write(folder: Path, kind: str) -> Written:
        wanted = Recipe(of_blocks(blocks), kind=kind, particles=particles, **recipe)
        return Written(write_file(folder, wanted), formula=slope)

    return write


WRITERS: dict[str, Writer] = {
    "17 blocks": _made(17, particles=True),
    "17 blocks, no particles": _made(17, particles=False),
    "73 blocks in compressed chunks, no particles": _made(
        73, particles=False, cells=4, storage={"chunks": (1, 4, 4, 4), "compression": "gzip"}
    ),
}


@pytest.fixture(scope="module")
def yt() -> Any:
    """Imported here, and not by all processes that only look for tests: that takes seconds."""
    pytest.importorskip("yt", reason="yt, a client of such files, is not installed")
    module = importlib.import_module("yt")
    module.set_log_level(50)
    return module


@pytest.fixture(scope="module", params=["checkpoint", "plot"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=WRITERS)
def written(request: pytest.FixtureRequest, kind: str, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return WRITERS[request.param](tmp_path_factory.mktemp("files"), kind)


@pytest.fixture(scope="module")
def opened(yt: Any, written: Written) -> Any:
    return yt.load(str(written.path))


@dataclass(frozen=True)
class Contents:
    """What is in the file, read without yt."""

    levels: NDArray[np.int64]
    is_leaf: NDArray[np.bool_]
    boxes: NDArray[np.float64]
    values: NDArray[np.float64]
    time: float


@pytest.fixture(scope="module")
def contents(written: Written) -> Contents:
    with h5py.File(written.path) as file:
        scalars = {row["name"].strip(): row["value"] for row in file["real scalars"][()]}
        return Contents(
            file["refine level"][()],
            file["node type"][()] == 1,
            file["bounding box"][()].astype(float),
            file[written.variable][()].astype(float),
            scalars[b"time"],
        )


def test_the_tree_has_its_blocks_and_levels(opened: Any, contents: Contents) -> None:
    index = opened.index
    assert index.num_grids == len(contents.levels)
    assert index.max_level == contents.levels.max() - 1
    np.testing.assert_array_equal(index.grid_levels[:, 0], contents.levels - 1)
    np.testing.assert_array_equal(index.grid_left_edge.d, contents.boxes[:, :, 0])
    np.testing.assert_array_equal(index.grid_right_edge.d, contents.boxes[:, :, 1])
    assert opened.current_time.d == contents.time


def test_the_leaves_fill_the_domain(opened: Any, contents: Contents) -> None:
    volume = opened.all_data()["index", "cell_volume"].d
    assert volume.sum() == np.prod(opened.domain_width.d)
    assert volume.size == contents.is_leaf.sum() * contents.values[0].size


def test_every_block_has_its_values(opened: Any, written: Written, contents: Contents) -> None:
    for block, grid in enumerate(opened.index.grids):
        found = grid["flash", written.variable].d
        np.testing.assert_array_equal(found.T, contents.values[block])
        assert (not grid.Children) == contents.is_leaf[block]


def test_the_leaf_cells_have_the_field_at_their_places(opened: Any, written: Written) -> None:
    if written.formula is None:
        pytest.skip("the file was not made from a formula")
    cells = opened.all_data()
    x, y, z = (cells["index", axis].d for axis in "xyz")
    np.testing.assert_array_equal(cells["flash", written.variable].d, written.formula(x, y, z))


def test_the_time_is_that_of_the_run(opened: Any, written: Written) -> None:
    if written.formula is None:
        pytest.skip("another program's run has another time")
    assert opened.current_time.d == TIME

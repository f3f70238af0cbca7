"""Columns, slices and ranges of known fields."""

from pathlib import Path

import numpy as np
import pytest

from cloud.made_dump import centres, write_state
from weir.cloud import fields as module
from weir.cloud.dump import Dump, open_dump
from weir.cloud.fields import check_plane, slice_of, survey
from weir.errors import WeirError

CELLS = (8, 6, 4)
AXIS = {"x": 0, "y": 1, "z": 2}


@pytest.fixture
def dump(tmp_path: Path) -> Dump:
    x, y, z = centres(*CELLS)
    return open_dump(write_state(tmp_path / "restart", {"rho": 1 + x + 8 * y + 64 * z}))


def rho(dump: Dump) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return dump.arrays["rho"].T.astype(float)


@pytest.mark.parametrize("block_cells", [1, 100, 2**20])
@pytest.mark.parametrize("along", AXIS)
def test_columns_are_sums_along_the_axis(
    dump: Dump, along: str, block_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK_CELLS", block_cells)
    whole, axis = rho(dump), AXIS[along]
    seen = survey(dump, "density", along)
    np.testing.assert_allclose(seen.columns, whole.sum(axis).T, rtol=1e-12)
    assert seen.mean == pytest.approx(whole.mean(), rel=1e-12)
    assert (seen.least, seen.most) == (whole.min(), whole.max())
    others = tuple({0, 1, 2} - {axis})
    np.testing.assert_array_equal(seen.highest, whole.max(others))
    np.testing.assert_array_equal(seen.lowest, whole.min(others))
    assert (seen.plane_of_least(), seen.plane_of_most()) == (0, CELLS[axis] - 1)


@pytest.mark.parametrize("along", AXIS)
def test_a_slice_is_the_plane_of_its_cell(dump: Dump, along: str) -> None:
    for at in range(CELLS[AXIS[along]]):
        plane = slice_of(dump, "density", along, at)
        np.testing.assert_array_equal(plane, rho(dump).take(at, AXIS[along]).T)
        assert check_plane(dump, along, at) == at


@pytest.mark.parametrize("at", [-1, 6])
def test_a_plane_outside_the_box_is_refused(dump: Dump, at: int) -> None:
    with pytest.raises(WeirError, match=r"no cell -?\d along y \(there are 6 cells\)\. Use 0 to 5"):
        check_plane(dump, "y", at)


def test_of_equal_planes_the_middle_one_is_taken(tmp_path: Path) -> None:
    field = np.zeros(CELLS)
    field[2:7] = 1
    dump = open_dump(write_state(tmp_path / "restart", {"rho": field}))
    assert survey(dump, "density", "x").plane_of_most() == 4


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_cell_that_is_no_number_is_refused_with_its_place(tmp_path: Path, value: float) -> None:
    field = np.ones(CELLS)
    field[5, 3, 2] = value
    dump = open_dump(write_state(tmp_path / "restart", {"p": field}))
    assert survey(dump, "density").mean == 1
    with pytest.raises(WeirError, match=rf"pressure is {value} in cell \(5, 3, 2\)"):
        survey(dump, "pressure")

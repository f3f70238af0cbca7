"""Slices: the right layer, with the right values at the right places."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from aquifer.made_file import PRESSURE, TRACER, Recipe, even, fields, write_file
from weir.aquifer import slice as module
from weir.aquifer.file import open_aquifer, time_in
from weir.aquifer.names import Quantity
from weir.aquifer.slice import Plane, layer_of, plane_in, raster_of
from weir.errors import WeirError
from weir.figures.image import Values

SHAPES = [(1, 1, 1), (2, 3, 1), (1, 5, 2), (7, 5, 3), (13, 2, 11)]
UNEVEN = (np.array([0.0, 1, 3, 7]), np.array([0.0, 10, 11]), np.array([-4.0, -1, 0, 0.5, 2]))


def cut(
    path: Path, axis: str | None, at: float | None = None, cell: int | None = None
) -> tuple[Plane, Values]:
    with open_aquifer(path) as file:
        plane = plane_in(file, axis, at, cell)
        return plane, layer_of(file.output(file.times[-1]), Quantity(PRESSURE), plane)


@pytest.mark.parametrize("cells", SHAPES)
def test_each_layer_across_each_axis_has_its_values(tmp_path: Path, cells: tuple[int, int, int]) -> None:
    path = write_file(tmp_path / "a.h5", Recipe(cells))
    whole = fields(even(cells), 1.5)[PRESSURE]
    for number, axis in enumerate("xyz"):
        for cell in range(cells[number]):
            plane, found = cut(path, axis, cell=cell)
            np.testing.assert_array_equal(found, np.take(whole, cell, number).T)
            assert plane.cell == cell


@pytest.mark.parametrize(
    ("at", "cell"), [(0, 0), (0.99, 0), (1, 1), (2.9, 1), (3, 2), (6, 2), (7, 2), (None, 2)]
)
def test_a_place_belongs_to_the_cell_behind_it(tmp_path: Path, at: float | None, cell: int) -> None:
    path = write_file(tmp_path / "a.h5", Recipe((3, 2, 4), edges=UNEVEN))
    plane, found = cut(path, "x", at)
    assert (plane.cell, plane.ends) == (cell, (UNEVEN[0][cell], UNEVEN[0][cell + 1]))
    np.testing.assert_array_equal(found, fields(UNEVEN, 1.5)[PRESSURE][cell].T)


@pytest.mark.parametrize(
    ("cells", "axis"),
    [((4, 4, 4), "y"), ((4, 4, 3), "z"), ((1, 4, 4), "x"), ((1, 1, 4), "y"), ((1, 1, 1), "y")],
)
def test_the_usual_slice_is_vertical_unless_there_are_few_layers(
    tmp_path: Path, cells: tuple[int, int, int], axis: str
) -> None:
    plane, _ = cut(write_file(tmp_path / "a.h5", Recipe(cells)), None)
    assert plane.axis == axis


@pytest.mark.parametrize(
    ("axis", "at", "cell", "said"),
    [
        ("w", None, None, "use x, y or z"),
        ("z", 20.5, None, "reaches from 0 to 20 m"),
        ("z", float("nan"), None, "reaches from 0 to 20 m"),
        ("x", None, 7, "they are 0 to 6"),
        ("x", None, -1, "they are 0 to 6"),
    ],
)
def test_planes_that_are_not_there_are_refused(
    tmp_path: Path, axis: str, at: float | None, cell: int | None, said: str
) -> None:
    with pytest.raises(WeirError, match=f"(?i){said}"):
        cut(write_file(tmp_path / "a.h5"), axis, at, cell)


def test_uneven_cells_have_as_many_pixels_as_they_are_long(tmp_path: Path) -> None:
    with open_aquifer(write_file(tmp_path / "a.h5", Recipe((3, 2, 4), edges=UNEVEN))) as file:
        raster = raster_of(file, plane_in(file, "y", None, None), 700)
    assert np.bincount(raster.columns).tolist() == [100, 200, 400]
    assert np.bincount(raster.rows).tolist() == [300, 100, 50, 150]
    assert raster.pixels == (1, 1) and raster.stretch == 1 and not raster.thinned
    layer = np.arange(12.0).reshape(4, 3)
    image = raster.image(layer)
    assert image.shape == (600, 700) and image[299, 99] == 0 and image[300, 100] == 4 and image[-1, -1] == 11


@pytest.mark.parametrize(
    ("cells", "lengths", "stretch"),
    [
        ((20, 3, 20), (10, 1, 10), 1),
        ((135, 4, 8), (1350, 40, 8), 50),
        ((10, 4, 10), (1000, 40, 100), 5),
        ((5, 4, 50), (1, 4, 100), 1 / 50),
    ],
)
def test_flat_planes_are_stretched_as_is_said(
    tmp_path: Path, cells: tuple[int, int, int], lengths: tuple[float, float, float], stretch: float
) -> None:
    path = write_file(tmp_path / "a.h5", Recipe(cells, edges=even(cells, lengths)))
    with open_aquifer(path) as file:
        raster = raster_of(file, plane_in(file, "y", None, None), 1200)
    width, height = raster.pixels[0] * cells[0], raster.pixels[1] * cells[2]
    assert raster.stretch == pytest.approx((height / lengths[2]) / (width / lengths[0]))
    assert raster.stretch == pytest.approx(stretch, rel=0.02)
    assert 700 <= max(width, height) <= 1400


def test_where_cells_are_smaller_than_pixels_some_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    with open_aquifer(write_file(tmp_path / "a.h5")) as file:
        raster = raster_of(file, plane_in(file, "z", None, None), 100)
    assert raster.thinned and raster.columns.tolist() == [1, 3, 5] and len(raster.rows) == 3


def test_values_that_are_no_finite_numbers_are_gaps(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5")
    with h5py.File(path, "r+") as file:
        data = file[f"Time:  1.50000E+00 d/{PRESSURE}"]
        data[2, :, 1], data[3, :, 1] = np.nan, np.inf
    _, found = cut(path, "y")
    assert np.argwhere(np.isnan(found)).tolist() == [[1, 2], [1, 3]]


def test_the_slice_is_that_of_the_chosen_time(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5", times=(10, 2, 0))
    with open_aquifer(path) as file:
        assert [time.value for time in file.times] == [0, 2, 10]
        assert time_in(file, None, None)[0] == 2 and time_in(file, 2.00001, None)[0] == 1
        for number, time in enumerate(file.times):
            assert time_in(file, None, number) == time_in(file, time.value, None) == (number, time)
            found = layer_of(file.output(time), Quantity(TRACER), plane_in(file, "z", None, 1))
            np.testing.assert_array_equal(found, fields(even((7, 5, 4)), time.value)[TRACER][:, :, 1].T)


def test_times_of_several_units_are_in_order(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5", times=(1,))
    with h5py.File(path, "r+") as file:
        for name in ("Time:  2.00000E+00 h", "Time:  1.00000E+00 y", "Time:  3.00000E+01 s"):
            file.copy("Time:  1.00000E+00 d", name)
    with open_aquifer(path) as opened:
        assert list(map(str, opened.times)) == ["30 s", "2 h", "1 d", "1 y"]
    with h5py.File(path, "r+") as file:
        file.create_group("Time:  1.00000E+00 m")
    with pytest.raises(WeirError, match="'m' is not known"), open_aquifer(path):
        pass

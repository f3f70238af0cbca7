"""Where the edge of the periodic box is drawn."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cloud.made_dump import write_scaled, write_state
from weir.cloud.dump import open_dump
from weir.cloud.image import ColourScale
from weir.cloud.panel import Panel, Side, moved, start_of
from weir.cloud.picture import Picture, View, as_data, picture_of

CELLS = (16, 12, 8)


def clump(at: tuple[int, ...], cells: tuple[int, ...] = CELLS) -> NDArray[np.float64]:
    """Thin gas, and a clump of three cells across around a cell, also beyond the box's edges."""
    field = np.full(cells, 0.1)
    offsets = np.array(list(np.ndindex(3, 3, 3))) - 1
    for place in (np.array(at) + offsets) % cells:
        field[tuple(place)] = 10
    return field


def drawn(folder: Path, field: NDArray[np.float64], wish: View | None = None) -> Picture:
    return picture_of(open_dump(write_state(folder / "restart", {"rho": field})), wish or View())


@pytest.mark.parametrize("along", ["x", "y", "z"])
def test_a_clump_at_the_edge_is_drawn_as_one(tmp_path: Path, along: str) -> None:
    picture = drawn(tmp_path, clump((0, 11, 0)), View(along=along))
    for panel in (picture.columns, picture.slice):
        rows, columns = np.nonzero(panel.values == panel.values.max())
        assert np.ptp(rows) == np.ptp(columns) == 2
    assert as_data(picture)["drawn_from"] == picture.start
    assert all(picture.start.values())


def test_as_stored_it_begins_at_cell_0(tmp_path: Path) -> None:
    picture = drawn(tmp_path, clump((0, 11, 0)), View(as_stored=True))
    assert picture.start == {"x": 0, "y": 0}
    assert set(np.nonzero(picture.slice.values > 1)[1]) == {0, 1, 15}


def test_a_clump_inside_stays_where_it_is(tmp_path: Path) -> None:
    picture = drawn(tmp_path, clump((8, 6, 4)))
    assert picture.start == {"x": 0, "y": 0}
    assert picture.columns.right.start == 0


def test_the_edge_goes_where_it_cuts_the_least() -> None:
    columns = np.array([[9.0, 2, 8, 3, 1, 9]])
    assert start_of(columns) == (0, 4)  # between the 3 and the 1
    panel = Panel("title", "quantity", columns, ColourScale.of(columns), Side("x", 6), Side("y", 1))
    assert moved(panel, (0, 4), 1).values.tolist() == [[1, 9, 9, 2, 8, 3]]
    assert start_of(np.ones((3, 4))) == (0, 0)


def test_the_axes_tell_places_in_the_box(tmp_path: Path) -> None:
    picture = drawn(tmp_path, clump((0, 6, 0)))
    cells = picture.start["x"]
    axis = picture.columns.spec()["layer"][1]["encoding"]["x"]
    assert axis["scale"]["domain"] == [cells / 16, 1 + cells / 16]
    assert "datum.value - 1" in axis["axis"]["labelExpr"]
    assert "labelExpr" not in picture.columns.spec()["layer"][1]["encoding"]["y"]["axis"]


def test_every_field_is_drawn_from_where_its_gas_is_whole(tmp_path: Path) -> None:
    field = clump((0, 11, 0))
    expected = drawn(tmp_path, field).start
    assert drawn(tmp_path, field, View(field="speed")).start == expected
    deep = (255 - 25 * field).astype(np.uint8)
    assert picture_of(open_dump(write_scaled(tmp_path / "potential-000005", deep)), View()).start == expected

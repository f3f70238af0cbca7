"""From cells to pixels: orientation, colours, scales."""

import base64
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cloud.images import chunks
from cloud.made_dump import write_scaled, write_state
from weir.cloud.dump import open_dump
from weir.cloud.edge import moved, start_of
from weir.cloud.picture import Picture, View, as_data, picture_of
from weir.figures.image import SHADES, VIRIDIS, ColourScale, coarser, enlarged, palette, png
from weir.figures.panel import Panel, Side

PURPLE, YELLOW = (0x44, 0x01, 0x54), (0xFD, 0xE7, 0x25)


def decoded(image: bytes) -> NDArray[np.uint8]:
    """Colours (rows from the top, columns, 3) of an image as Weir writes them."""
    found = chunks(image)
    assert list(found) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height = struct.unpack_from(">II", found[b"IHDR"])
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return np.frombuffer(found[b"PLTE"], np.uint8).reshape(-1, 3)[lines[:, 1:]]


def image_of(panel: Panel) -> NDArray[np.uint8]:
    url = panel.spec()["layer"][0]["encoding"]["url"]["value"]
    return decoded(base64.b64decode(url.removeprefix("data:image/png;base64,")))


def panel(values: NDArray[np.float64]) -> Panel:
    rows, columns = values.shape
    scale = ColourScale.of(values)
    return Panel(
        "title", "quantity", values, scale, Side("x", "x (m)", 1), Side("y", "y (m)", rows / columns)
    )


def test_columns_go_to_the_right_and_rows_upwards() -> None:
    values = np.zeros((4, 8))
    values[1, 6] = 1
    pixels = image_of(panel(values))
    height, width, _ = pixels.shape
    assert width == 2 * height == 840
    marked = (pixels == YELLOW).all(axis=2)
    rows, columns = np.nonzero(marked)
    size = height // 4
    assert (rows.min(), rows.max() + 1) == (2 * size, 3 * size)
    assert (columns.min(), columns.max() + 1) == (6 * size, 7 * size)
    assert (pixels[~marked] == PURPLE).all()


def test_axes_span_the_box_and_the_drawn_image() -> None:
    spec = panel(np.ones((4, 8))).spec()
    mark = spec["layer"][0]["mark"]
    assert (mark["width"], mark["height"]) == (spec["width"], spec["height"])
    encoding = spec["layer"][1]["encoding"]
    assert encoding["x"]["scale"]["domain"] == [0, 1]
    assert encoding["y"]["scale"]["domain"] == [0, 0.5]
    assert encoding["y"]["title"] == "y (m)"


def test_a_thin_box_is_drawn_wide_enough_to_see() -> None:
    spec = panel(np.arange(512.0).reshape(1, 512)).spec()
    assert 2.9 < spec["width"] / spec["height"] < 3.1


def test_a_large_box_is_drawn_as_means() -> None:
    values = np.arange(35.0).reshape(5, 7)
    assert coarser(values, 10) is not values or (coarser(values, 10) == values).all()
    small = coarser(values, 3)
    assert small.shape == (3, 3)
    assert small[0, 0] == values[:2, :3].mean() and small[2, 2] == values[4, 6]


def test_the_palette_is_what_the_colour_bar_shows() -> None:
    colours = palette()
    assert colours.shape == (SHADES, 3)
    assert tuple(colours[0]) == PURPLE and tuple(colours[-1]) == YELLOW
    brightness = colours @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(brightness) > -0.5).all()
    scale = ColourScale(1, 1000, True).vega()
    assert scale["range"] == list(VIRIDIS) and len(scale["domain"]) == len(VIRIDIS)


@pytest.mark.parametrize(
    ("values", "logarithmic"),
    [
        ([1, 9], False),
        ([1, 11], True),
        ([0, 1000], False),
        ([-5, -0.001], False),
        ([3, 3], False),
        ([0, 0], False),
    ],
)
def test_colours_are_logarithmic_where_the_range_asks_for_it(values: list[float], logarithmic: bool) -> None:
    scale = ColourScale.of(np.array(values, float))
    assert scale.logarithmic is logarithmic
    assert scale.low < scale.high


def test_equal_values_have_the_colour_of_the_middle() -> None:
    values = np.array([2.0, 2.0 + 1e-9])
    assert set(ColourScale.of(values).shades(values).tolist()) <= {SHADES // 2 - 1, SHADES // 2}


def test_shades_follow_the_scale() -> None:
    values = np.array([1.0, 10.0, 100.0])
    assert ColourScale(1, 100, True).shades(values).tolist() == [0, 128, 255]
    assert ColourScale(1, 100, False).shades(values).tolist() == [0, 23, 255]


def test_an_image_holds_the_shades() -> None:
    shades = np.array([[0, 255], [7, 9]], np.uint8)
    pixels = decoded(png(enlarged(shades, 2, 3)))
    assert pixels.shape == (4, 6, 3)
    np.testing.assert_array_equal(pixels[0, :, :], palette()[[7, 7, 7, 9, 9, 9]])
    np.testing.assert_array_equal(pixels[3, 0], PURPLE)


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
    panel = Panel("title", "quantity", columns, ColourScale.of(columns), Side("x", "", 6), Side("y", "", 1))
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

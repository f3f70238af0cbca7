"""Slices: every pixel has the value of the leaf cell that it lies in, and borders are where blocks end."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from flash.made_file import Recipe, slope, write_file
from flash.made_tree import MadeTree, of_blocks, refined
from flash.test_tree import corner
from weir.errors import WeirError
from weir.figures.levels import Levels
from weir.flash import slice as module
from weir.flash.file import open_flash
from weir.flash.picture import picture_of, spec_of
from weir.flash.slice import Slice, plane_in, slice_of

N = 4


def cut(path: Path, axis: str, at: float | None, variable: str | None = "dens") -> Slice:
    with open_flash(path) as file:
        return slice_of(file, plane_in(file, axis, at), variable)


def by_hand(made: MadeTree, axis: str, at: float, shape: tuple[int, int]) -> NDArray[np.float64]:
    """The field at the centre of the leaf cell that each pixel's centre lies in."""
    others = [number for number in range(3) if "xyz"[number] != axis]
    points = np.full((*shape, 3), at)
    for number, pixels, pixel in zip(others, shape[::-1], np.indices(shape)[::-1], strict=True):
        points[..., number] = (pixel + 0.5) / pixels * made.roots[number]
    values = np.full(shape, np.nan)
    for place in filter(made.is_leaf, made.blocks):
        box = made.box(place)
        edge = (box[0, 1] - box[0, 0]) / N
        inside = ((box[:, 0] <= points) & (points < box[:, 1])).all(-1)
        centres = box[:, 0] + (np.floor((points[inside] - box[:, 0]) / edge) + 0.5) * edge
        values[inside] = slope(*centres.T)
    return values


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("at", [0.0, 0.26, 0.5, 0.9375])
def test_each_pixel_has_the_value_of_its_cell(tmp_path: Path, axis: str, at: float) -> None:
    made = of_blocks(17)
    found = cut(write_file(tmp_path, Recipe(made, cells=N)), axis, at)
    finest = 3 if at < 0.5 else 2
    assert found.values.shape == (N << (finest - 1),) * 2
    np.testing.assert_array_equal(found.values, by_hand(made, axis, at, found.values.shape))
    assert found.levels == tuple(range(2, finest + 1))


def test_a_domain_of_several_roots_is_drawn_whole(tmp_path: Path) -> None:
    made = refined(corner, (3, 1, 2))
    found = cut(write_file(tmp_path, Recipe(made, cells=N)), "y", 0.0)
    assert (found.right, found.up) == ("x", "z") and found.values.shape == (2 * N * 16, 3 * N * 16)
    np.testing.assert_array_equal(found.values, by_hand(made, "y", 0.0, found.values.shape))


def test_the_end_of_the_domain_belongs_to_the_last_cell(tmp_path: Path) -> None:
    path = write_file(tmp_path, Recipe(cells=N))
    np.testing.assert_array_equal(cut(path, "z", 1).values, cut(path, "z", 0.99).values)


def test_without_a_variable_it_has_levels(tmp_path: Path) -> None:
    levels = cut(write_file(tmp_path, Recipe(cells=N)), "z", 0.25, None).values
    assert (levels[:8, :8] == 3).all() and (levels[8:] == 2).all() and (levels[:, 8:] == 2).all()


def test_borders_are_those_of_leaves_each_drawn_once(tmp_path: Path) -> None:
    found = cut(write_file(tmp_path, Recipe(cells=N)), "z", 0.25)
    fine = 0.25
    expected = {((0, at), (1, at)) for at in (0, 0.5, 1)} | {((0, fine), (0.5, fine))}
    expected |= {(start[::-1], end[::-1]) for start, end in expected}
    assert set(found.borders) == expected and len(found.borders) == len(expected)
    assert found.leaves == 7


def test_corner_values_are_linear_in_between(tmp_path: Path) -> None:
    """So a linear field comes out as it is, in every pixel."""
    found = cut(write_file(tmp_path, Recipe(cells=N, kind="corner plot")), "x", 0.3)
    rows, columns = found.values.shape
    y, z = (np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows
    np.testing.assert_allclose(found.values, slope(0.3, y[None, :], z[:, None]), rtol=1e-6)


def test_where_cells_are_smaller_than_pixels_some_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 8)
    made = of_blocks(17)
    found = cut(write_file(tmp_path, Recipe(made, cells=N)), "z", 0.1)
    assert found.thinned and found.values.shape == (8, 8)
    np.testing.assert_array_equal(found.values, by_hand(made, "z", 0.1, (8, 8)))


def test_the_axes_of_a_picture_reach_over_the_domain(tmp_path: Path) -> None:
    with open_flash(write_file(tmp_path, Recipe(refined(corner, (3, 1, 2)), cells=N))) as file:
        encoding = spec_of(picture_of(file, "dens", "x", None))["layer"][1]["encoding"]
    assert [encoding[channel]["scale"]["domain"] for channel in "xy"] == [[0, 1], [0, 2]]


def test_levels_have_the_colours_of_those_of_leaves(tmp_path: Path) -> None:
    with open_flash(write_file(tmp_path, Recipe(cells=N))) as file:
        assert picture_of(file, None, "z", 0.25).scale == Levels(2, 3)


@pytest.mark.parametrize(
    ("axis", "at", "said"),
    [
        ("w", 0.5, "Use x, y or z"),
        ("z", 1.5, "the domain reaches from 0 to 1"),
        ("z", -0.01, "the domain reaches from 0 to 1"),
        ("z", float("nan"), "the domain reaches from 0 to 1"),
    ],
)
def test_planes_that_are_not_there_are_refused(tmp_path: Path, axis: str, at: float, said: str) -> None:
    with pytest.raises(WeirError, match=said):
        cut(write_file(tmp_path, Recipe(cells=2)), axis, at)

"""Contours lie where the values are theirs, and flow lines follow the velocity."""

import numpy as np
import pytest

from weir.aquifer.contours import contours, step_for
from weir.aquifer.flow import Flow

X, Y = np.linspace(0.5, 9.5, 10), np.linspace(0.25, 4.75, 10)
STEP = 5 / 16 / 5
ENDS = ((0.0, 10.0), (0.0, 5.0))


@pytest.mark.parametrize(("span", "step"), [(8, 1), (1, 0.1), (400, 50), (150_000, 20_000), (2.9, 0.5)])
def test_steps_are_plain_numbers(span: float, step: float) -> None:
    assert step_for(np.array([[7.0, 7 + span]])) == pytest.approx(step)


def test_even_values_have_no_contours() -> None:
    assert step_for(np.full((2, 2), 101325.0)) is None
    assert step_for(np.zeros((2, 2))) is None
    assert step_for(np.array([[np.nan, 1.0]])) is None


def test_contours_of_a_linear_field_are_where_it_has_their_values() -> None:
    values = 3 * X[None, :] + 2 * Y[:, None]
    lines = contours(values, X, Y, 5)
    assert len(lines) == len(range(5, int(values.max()) + 1, 5))
    levels = set()
    for line in lines:
        (level,) = {round(3 * x + 2 * y, 9) for x, y in line}
        levels.add(level)
    assert levels == {5, 10, 15, 20, 25, 30, 35}


def test_contours_end_at_cells_without_a_number() -> None:
    values = 3 * X[None, :] + 0 * Y[:, None]
    values[5] = np.nan
    assert all((y <= Y[4]) or (y >= Y[6]) for line in contours(values, X, Y, 5) for _, y in line)


def test_one_row_of_cells_has_no_contours() -> None:
    assert contours(X[None, :], X, Y[:1], 1) == []


def flow(u: object, v: object, aspect: float = 2.0) -> Flow:
    zero = np.zeros((10, 10))
    return Flow(ENDS, X, Y, zero + u, zero + v, aspect)


@pytest.mark.parametrize("aspect", [0.5, 2, 4])
@pytest.mark.parametrize(("u", "v"), [(1, 0), (0, -1), (3, 1)])
def test_even_flow_has_straight_lines_along_it(u: float, v: float, aspect: float) -> None:
    lines = flow(u, v, aspect).lines()
    assert len(lines) > 20
    for line, arrow in zip(lines[::2], lines[1::2], strict=True):
        steps = np.diff(np.array(line), axis=0)
        np.testing.assert_allclose(steps[:, 0] * v, steps[:, 1] * u, atol=1e-9)
        assert (steps @ [u, v] > 0).all()
        stem = np.array(arrow[1]) - (np.array(arrow[0]) + arrow[2]) / 2
        assert stem @ [u, v] > 0
        assert all(-1e-9 <= x <= 10 + 1e-9 and -1e-9 <= y <= 5 + 1e-9 for x, y in line)


def test_flow_around_a_point_goes_in_circles() -> None:
    lines = flow(-(Y[:, None] - 2.5), X[None, :] - 5).lines()[::2]
    inside = [np.array(line) for line in lines]
    radii = [np.hypot(line[:, 0] - 5, line[:, 1] - 2.5) for line in inside]
    whole = [radius for radius in radii if radius.max() < 2.2]
    assert whole
    assert all(radius.std() < 0.01 * radius.mean() for radius in whole)


def test_lines_keep_their_distance() -> None:
    lines = flow(1, 0).lines()[::2]
    heights = sorted({round(line[0][1], 6) for line in lines})
    assert min(np.diff(heights)) > 0.9 * 5 / 16


def test_nothing_flows_where_there_is_no_velocity() -> None:
    assert flow(0, 0).lines() == []
    assert flow(np.nan, 1).lines() == []
    one = np.ones((1, 10))
    assert Flow(ENDS, X, Y[:1], one, one, 2).lines() == []


def test_lines_end_where_nothing_flows() -> None:
    still = np.where(X[None, :] > 5, 0.0, 1.0)
    lines = flow(still, 0).lines()[::2]
    assert lines and max(x for line in lines for x, _ in line) <= 5.5 + STEP

"""What a paper prints, and how far simulated numbers are off."""

import pytest

from weir.simulate.paper import FIT, PREDICTION, Cell, Errors, Printed, errors


def cell(simulated: float, value: float | None, use: str) -> Cell:
    return Cell("toy", Printed("table 1", "a", "time", value, use), simulated)


def test_fits_and_predictions_are_judged_apart_and_without_sign() -> None:
    cells = [
        cell(1.5, 1.0, FIT),
        cell(0.9, 1.0, FIT),
        cell(2.0, 2.0, FIT),
        cell(1.0, 4.0, PREDICTION),
        cell(3.0, None, PREDICTION),
    ]
    assert cells[3].error == -0.75
    assert cells[4].error is None, "it is not printed"
    assert errors(cells, FIT) == Errors(3, pytest.approx(0.1), pytest.approx(0.5))
    assert errors(cells, PREDICTION) == Errors(1, 0.75, 0.75)
    assert errors(cells[:3], PREDICTION) is None

"""How `weir reproduce` spells numbers, words and places of points, and counts them."""

from weir.cli.reproduce import _off, _row, _summary
from weir.simulate.paper import FIT, GAIN, PREDICTION, PROCESSORS, Cell, Claim, Errors, Printed, Said


def cell_of(
    simulated: float, printed: float | None, quantity: str, use: str, said: Said | None = None
) -> Cell:
    return Cell("Bassi", Printed("5.5", "row", quantity, printed, use, said), simulated)


CELLS = [
    cell_of(2.2e6, 2e6, "written", FIT),
    cell_of(512, 256, PROCESSORS, PREDICTION),
    cell_of(64, 64, PROCESSORS, PREDICTION),
    cell_of(64, 256, PROCESSORS, PREDICTION),
    cell_of(0.5, None, GAIN, PREDICTION, Said("far behind", at_most=0.5)),
    cell_of(0.9, None, GAIN, PREDICTION, Said("better", at_least=1)),
    cell_of(3e6, None, "written", PREDICTION),
]


def test_each_number_has_its_own_error() -> None:
    errors = [_row(cell)[5] for cell in CELLS]
    assert errors == ["+10 %", "+1 doubling", "same", "-2 doublings", "holds", "misses", ""]
    assert _row(CELLS[1])[3:5] == ["256 ranks", "512 ranks"]
    assert _row(CELLS[4])[3] == "far behind"


def test_summaries_keep_fits_and_predictions_apart() -> None:
    assert list(_summary(CELLS, [], FIT, Errors(1, 0.1, 0.1))) == [
        "fit: median error 10 %, worst 10 % of 1 number"
    ]
    claims = [Claim("5", "higher"), Claim("6", "lower", 0.1, "at 8"), Claim("7", "near", use=FIT)]
    assert list(_summary(CELLS, claims, PREDICTION, None)) == [
        "prediction: of 3 points of curves 1 at the printed place, 2 within one doubling",
        "prediction: of 2 findings in words 1 hold",
        "prediction: of 2 claims on several numbers 1 hold",
    ]


def test_what_the_paper_says_nothing_of_is_compared_with_nothing() -> None:
    assert [cell.is_compared for cell in CELLS] == [True] * 6 + [False]


def test_a_worst_error_is_no_less_than_that_of_its_number() -> None:
    assert _off(Errors(2, 0.047, 1.347)) == "median error 4.7 %, worst 135 % of 2 numbers"

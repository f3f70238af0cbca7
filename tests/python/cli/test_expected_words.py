"""How far off a forecast is to be expected, as `weir predict` says it."""

from weir.cli._expected_error import error_data, error_words
from weir.predict.expected_error import Expected

FOUND = Expected(0.03, -0.2, 0.25, 0.9, 19, of_kind=False)


def test_it_is_an_interval_with_its_probability() -> None:
    assert error_words(FOUND) == "expected error -20 % to +25 % (90 %, n = 19 programs)"
    assert error_words(None) == "expected error not known"


def test_as_data() -> None:
    ends = {"error": 0.03, "low": -0.2, "high": 0.25}
    assert error_data(FOUND) == {**ends, "probability": 0.9, "programs": 19, "of_kind": False}
    assert error_data(None) is None

"""What `weir predict` says of a forecast that is off."""

from dataclasses import replace

import pytest

from weir.analyse.paired import ratio_of_neighbours
from weir.analyse.statistics import estimate_median
from weir.cli.predict import NOT_IN_CALLS, _off_words, _show_calls
from weir.predict.calls import Calls
from weir.predict.expected_error import Expected
from weir.predict.forecast import Error, Row


def off(ratios: list[float]) -> Row:
    """A row with the error that these ratios of its pairs give."""
    ratio = ratio_of_neighbours(
        {(at, 0): one for at, one in enumerate(ratios)}, {(at, 0): 1.0 for at in range(9)}
    )
    one = estimate_median([1.0])
    assert ratio
    assert one
    return Row("dump", "write", 8, "synced", one, one, one, Error(ratio), 0.5, ("sizes differ",))


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([1.5, 1.4], "sizes differ (may be chance: there is no interval)"),
        ([1.5, 0.5, 1.4, 0.7, 1.3, 1.2, 1.6], "sizes differ (may be chance: the interval contains 0)"),
        ([1.5, 1.4, 1.5, 1.6, 1.5, 1.4, 1.5], "sizes differ"),
        ([1.01, 1.0, 1.0, 1.01, 1.0, 1.0, 1.0], ""),
    ],
)
def test_it_says_what_differs_and_why_it_may_be_chance(ratios: list[float], said: str) -> None:
    row = off(ratios)
    assert _off_words(row) == said
    assert _off_words(replace(row, causes=())) == said.replace("sizes differ", "nothing")
    assert _off_words(replace(row, phase=None)) == ""


def test_times_in_calls_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    all_, opens, real, error = (estimate_median([one] * 6) for one in (2.0, 0.5, 1.6, 1.25))
    assert all_ and opens and real and error
    expected = Expected(0.0, -0.2, 0.25, 0.9, 20, of_kind=False)
    _show_calls(Calls({"open": opens}, all_, real, error), expected)
    rows = [line.split("  ") for line in capsys.readouterr().out.splitlines()[2:]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells == [
        ["all", "2.00 s", "2.00 s … 2.00 s", "6"],
        ["opens", "500 ms", "500 ms … 500 ms", "6"],
        ["the program, in 90 % of cases", "1.60 s … 2.50 s", "20 programs"],
        ["measured", "1.60 s", "1.60 s … 1.60 s", "6"],
        ["forecast over measured: +25.0 %", "6"],
        [NOT_IN_CALLS],
    ]

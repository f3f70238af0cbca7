"""Numbers as papers print them, and the study's copies of them against their own arithmetic."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from weir.results.printed import Printed, as_printed, printed_of

STUDY = Path(__file__).parents[3] / "studies" / "sp-paragon.toml"
TOTAL_DIGITS = 1.5e-3
"""Printed numbers have three or four digits, and some are cut, not rounded."""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (31.35, "31.35"),
        (0.5, "0.500"),
        (48.0, "48.00"),
        (1533, "1,533"),
        (358.5, "358.5"),
        (0.002, "0.002"),
        (0, "0.000"),
    ],
)
def test_four_digits_and_at_most_three_decimals(value: float, text: str) -> None:
    assert as_printed(value) == text


def test_what_is_not_printed_is_null() -> None:
    printed = Printed("m", "s", "calls", ("operation", "count"), (("open", 3),))
    assert printed.number("open", "count") == 3
    assert printed.number("close", "count") is None
    assert printed.number("open", "total_s") is None


def comparisons() -> list[dict[str, Any]]:
    return [part for part in tomllib.loads(STUDY.read_text())["comparison"] if part.get("printed")]


@pytest.mark.parametrize("comparison", comparisons(), ids=lambda part: str(part["name"]))
def test_the_averages_are_the_totals_by_the_ranks_or_a_note_says_otherwise(
    comparison: dict[str, Any],
) -> None:
    for printed in (table for table in printed_of(comparison) if table.table == "calls"):
        for operation, _, total, average in printed.rows:
            expected = float(total) / comparison["fixed"]["ranks"]
            known = any(note.startswith(f"{operation}:") for note in printed.notes)
            assert (abs(expected - float(average)) <= max(1e-3, TOTAL_DIGITS * expected)) != known, operation


@pytest.mark.parametrize("comparison", comparisons(), ids=lambda part: str(part["name"]))
def test_the_bandwidths_are_the_data_by_the_average_times(comparison: dict[str, Any]) -> None:
    tables = printed_of(comparison)
    for requests in (table for table in tables if table.table == "requests"):
        calls = next(
            table for table in tables if table.table == "calls" and table.machine == requests.machine
        )
        for name in ("read", "write"):
            data, average = requests.number(name, "data_mib"), calls.number(name, "average_s")
            speed = requests.number(name, "bandwidth_mib_per_s")
            assert data and average and speed
            assert data / average == pytest.approx(speed, abs=0.011)
            sizes = sum(int(row[1]) + int(row[2]) + int(row[3]) for row in requests.rows if row[0] == name)
            assert sizes == calls.number(name, "count")

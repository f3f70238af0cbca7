"""The table of calls: known times, printed ones beside them, and counts that differ."""

from typing import Any

import pytest

from cloud_rows import run_row, runs
from cloud_runs import SMALL
from weir.io_account.tables.calls import calls
from weir.results.printed import Printed
from weir.tables.table import Table

COLUMNS = ("operation", "count", "total_s", "average_s")
SP_ROWS = (("open", 200, 31.35, 3.919), ("close", 200, 1.693, 0.217), ("communication", 5608, 83.39, 10.42))
SP = Printed("IBM SP", "table 1", "calls", COLUMNS, SP_ROWS, ("close: odd.",))
PARAGON_ROWS = (("open", 200, 90.37, 11.29), ("communication", 5608, 70.17, 8.771))
PARAGON = Printed("Paragon", "table 5", "calls", COLUMNS, PARAGON_ROWS)


def made(*printed: Printed, **changes: Any) -> Table:
    table = calls(run_row(runs(SMALL, **changes), *printed))
    assert table is not None
    return table


def row_of(table: Table, name: str) -> tuple[str, ...]:
    return next(row for row in table.rows if row[0] == name)


def test_here_and_printed_stand_side_by_side() -> None:
    table = made(SP, PARAGON, open=0.8)
    assert [column.heading for column in table.columns] == [
        "operation", "count", "here [95 % interval]", "IBM SP", "Paragon", "here", "IBM SP", "Paragon",
    ]  # fmt: skip
    assert row_of(table, "open") == (
        "open", "200", "0.800 [0.800, 0.800]", "31.35", "90.37", "0.100", "3.919", "11.29",
    )  # fmt: skip
    assert table.title == (
        "Calls of I/O: 128 x 128 x 64 cells, 8 ranks (2 x 2 x 2), 20 steps, 4 dumps, two-phase"
    )
    assert table.caption == (
        "Here: medians of n = 7 runs with 95 % intervals. IBM SP: table 1. Paragon: table 5."
    )


def test_what_is_not_printed_is_said_to_be_none() -> None:
    assert row_of(made(SP, PARAGON), "close")[4] == "none"


def test_the_operations_come_in_the_order_of_the_paper() -> None:
    names = [row[0] for row in made().rows]
    assert names == ["open", "close", "read", "write", "seek", "communication", "sync"]


def test_syncs_are_said_to_be_none_of_the_papers() -> None:
    assert "no call" not in row_of(made(SP), "sync")
    assert any(note.startswith("sync: of the restart file") for note in made(SP).notes)


def test_a_seek_takes_no_time_and_the_table_says_why() -> None:
    table = made(SP)
    assert row_of(table, "seek")[2] == "no call"
    assert any(note.startswith("seek: counted where") for note in table.notes)


def test_the_waiting_within_communication_is_told() -> None:
    table = made(SP, communication=2.0)
    note = next(note for note in table.notes if note.startswith("communication:"))
    assert "waiting: for messages on their way and for other ranks" in note
    assert note.endswith("The waiting is 1.50 [1.50, 1.50] s of its total.")
    assert table.data["operations"][5]["median_waiting_s"] == 1.5


def test_a_count_that_differs_is_marked_and_explained() -> None:
    table = made(SP, PARAGON)
    assert row_of(table, "communication")[1] == "3,368*"
    assert row_of(table, "open")[1] == "200"
    note = next(note for note in table.notes if note.startswith("* communication"))
    assert "3,368 here; 5,608 printed for the IBM SP and Paragon" in note
    assert "Counted as in the paper, these are 5,608, as printed" in note


def test_another_accounting_is_not_said_to_agree() -> None:
    other = Printed("X", "t", "calls", COLUMNS, (("communication", 7, 1.0, 1.0), ("open", 9, 1.0, 1.0)))
    notes = made(other).notes
    assert any("these are 5,608: with a call" in note for note in notes)
    assert "* open: 200 here; 9 printed for the X." in notes


def test_notes_of_the_study_name_their_machine() -> None:
    assert made(SP).notes[-1] == "IBM SP, close: odd."


@pytest.mark.parametrize(
    ("count", "words", "cell"),
    [(1, "a single run (n = 1), so no interval", "0.800"), (5, "n = 5 runs; no interval below 6", "0.800")],
)
def test_few_runs_have_no_interval(count: int, words: str, cell: str) -> None:
    table = made(SP, count=count)
    assert words in table.caption
    assert row_of(table, "open")[2] == cell


def test_the_data_are_plain_numbers_in_the_unit_of_their_key() -> None:
    data = made(SP).data
    assert (data["runs"], data["ranks"], data["cells"]) == (7, 8, [128, 128, 64])
    opened = data["operations"][0]
    assert (opened["operation"], opened["count"]) == ("open", 200)
    assert opened["median_total_s"] == pytest.approx(0.8)
    assert opened["median_average_s"] == opened["low_average_s"] == pytest.approx(0.1)
    assert opened["printed"] == {"IBM SP": {"count": 200, "total_s": 31.35, "average_s": 3.919}}
    assert data["operations"][4]["median_total_s"] is None

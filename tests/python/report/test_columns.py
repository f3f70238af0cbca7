"""The table of all cases has columns for what differs, and a sentence for what does not."""

from rows import row
from weir.findings.words import setting_words
from weir.report.columns import columns_of, data_cell

MIB = 1 << 20


def test_settings_that_differ_have_columns_and_the_others_a_sentence() -> None:
    rows = [row("write", 1, layout=layout) for layout in ("shared", "file-per-process")]
    columns = columns_of(rows)
    assert [column.heading for column in columns.shown] == ["layout"]
    assert [columns.cells(one) for one in rows] == [("shared file",), ("file per process",)]
    assert columns.shared == "All cases: POSIX and 1 MiB transfers."


def test_a_setting_that_only_some_rows_have_is_empty_for_the_others() -> None:
    rows = [row("write", 1), row("run", 1, transfer=None)]
    columns = columns_of(rows)
    assert [columns.cells(one) for one in rows] == [("1 MiB",), ("",)]


def test_what_is_left_to_the_library_is_no_setting() -> None:
    rows = [row("write", 1, method=method, backend="twophase") for method in ("auto", "list")]
    assert "auto" not in columns_of(rows[:1]).shared
    assert [columns_of(rows).cells(one) for one in rows] == [("",), ("list",)]
    assert [setting_words(one).rpartition(", ")[2] for one in rows] == ["two-phase library", "list"]


def test_what_has_no_such_settings_has_neither() -> None:
    columns = columns_of([row("dot", 1, transfer=None, layout=None, backend=None, data_bytes=None)])
    assert (columns.shown, columns.shared, columns.data) == ((), "", False)
    assert columns_of([]).shown == ()


def test_data_stand_where_a_phase_says_how_much() -> None:
    assert columns_of([row("write", 1)]).data
    assert data_cell(row("write", 1, data_bytes=2 * MIB)) == "2 MiB"
    assert (data_cell(row("w", 1, data_bytes=0)), data_cell(row("w", 1, data_bytes=None))) == ("none", "")

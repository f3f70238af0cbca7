"""The list of all tables, and what a printed one must look like."""

import pytest

from rows import row
from weir.errors import WeirError
from weir.tables.table import Column, Table, check_printed, kind_of, make_tables

CALLS = ["operation", "count", "total_s", "average_s"]


def test_a_table_is_known_by_its_name() -> None:
    assert kind_of("calls").printed_columns == tuple(CALLS)
    with pytest.raises(WeirError, match="no table 'cals'"):
        kind_of("cals")


def test_rows_of_other_benchmarks_give_no_table() -> None:
    assert make_tables("calls", [row("write", 1000)]) == []


@pytest.mark.parametrize(
    ("columns", "rows", "words"),
    [
        (CALLS[:3], [["open", 1, 2.0]], "cannot have the columns"),
        ([*CALLS, "24B"], [["open", 1, 2.0, 3.0, 4]], "cannot have the columns"),
        (CALLS, [["open", 1, 2.0]], "does not fit"),
        (CALLS, [["open", "many", 2.0, 3.0]], "does not fit"),
        (CALLS, [[1, 1, 2.0, 3.0]], "does not fit"),
        (CALLS, [[]], "does not fit"),
    ],
)
def test_a_printed_table_has_the_columns_of_its_kind(
    columns: list[str], rows: list[list[object]], words: str
) -> None:
    with pytest.raises(WeirError, match=words):
        check_printed("calls", columns, rows)


def test_sizes_of_requests_are_columns_of_their_own() -> None:
    check_printed(
        "requests",
        ["operation", "24B", "1KiB", "data_mib", "bandwidth_mib_per_s"],
        [["read", 1, 0, 24, 48.0]],
    )
    with pytest.raises(WeirError, match="A size is written as"):
        check_printed("requests", ["operation", "24", "data_mib", "bandwidth_mib_per_s"], [])


def test_neighbours_of_one_group_are_counted() -> None:
    columns = (Column("a"), Column("b", "x"), Column("c", "x"), Column("d", "y"))
    assert Table("n", "", "", columns, (), (), {}).groups == [("", 1), ("x", 2), ("y", 1)]

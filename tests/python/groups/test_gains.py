"""The table of gains: against no groups, beside printed ones, and none of an analytic total."""

from pathlib import Path

import pytest

from grouped_samples import STUDY, case, rows_of, write_run
from weir.groups.tables.gains import gains
from weir.report.gather import gather
from weir.report.section import make_sections
from weir.store.run_directory import RunDirectory
from weir.tables.table import check_printed


def test_a_gain_is_the_time_without_groups_by_that_with_them() -> None:
    table = gains(rows_of([case(read_group=size, write_group=size) for size in ("1", "4")], noise=0))
    assert table is not None
    # 0.5 + 1.6 s over 0.5 + 0.4 s, 1 + 2.4 s over 1 + 0.6 s, and all of it over all of it.
    assert table.rows == (
        ("groups of 4", "12", "2.33 [2.33, 2.33]", "2.12 [2.12, 2.12]", "1.67 [1.67, 1.67]"),
    )
    (data,) = table.data["gains"]
    assert data["initialisation"]["times"] == pytest.approx(2.1 / 0.9) and data["total"]["pairs"] == 12


def test_the_total_of_an_analytic_model_is_none_with_the_reason() -> None:
    cases = [case(read_group=size, write_group=size, model="analytic") for size in ("1", "4")]
    table = gains(rows_of(cases))
    assert table is not None
    assert table.rows[0][-1] == "none*" and table.data["gains"][0]["total"] is None
    assert "its solve time is a fixed waiting time, not a computation" in table.notes[0]


def test_a_case_is_compared_with_the_default_of_its_own_setting() -> None:
    cases = [case(write_group=size, ranks=ranks) for size in ("1", "4") for ranks in (4, 8)]
    table = gains(rows_of(cases, noise=0))
    assert table is not None
    assert [line[0] for line in table.rows] == [
        "4 ranks: groups of 4 to write",
        "8 ranks: groups of 4 to write",
    ]
    assert [line[2][:4] for line in table.rows] == ["1.00", "1.00"]


def test_a_gain_is_the_same_among_few_and_many() -> None:
    sizes = ("1", "2", "4", "8", "16")
    rows = rows_of([case(read_group=size, write_group=size, ranks=16) for size in sizes], noise=0.2)
    few, many = gains(rows[:2]), gains(rows)
    assert few is not None and many is not None
    assert few.rows[0] == many.rows[0]


def test_without_a_default_there_is_none() -> None:
    assert gains(rows_of([case(write_group="2"), case(write_group="4")])) is None
    assert gains([]) is None


def test_few_samples_have_no_interval() -> None:
    table = gains(rows_of([case(write_group=size) for size in ("1", "4")], count=3))
    assert table is not None
    assert table.rows[0][3].endswith("(no interval)") and table.notes == (
        "3 gains have no interval: there are too few samples.",
    )


def test_printed_gains_are_the_last_row(tmp_path: Path) -> None:
    check_printed("gains", ["part", "times"], [["total", 5]])
    (section,) = make_sections(gather(RunDirectory(write_run(tmp_path, STUDY))))
    (table,) = section.tables
    assert table.rows[-1] == ("printed for Cray XT5", "", "25", "3", "5")
    assert "Cray XT5: conclusions; 65,536 cores." in table.caption
    assert len(table.rows) == 11

"""The tables of the report: of cases, of requests and of hints."""

from dataclasses import replace
from pathlib import Path

import synthetic_run
from rows import row
from weir.analyse.detail import Detail
from weir.report.build import build
from weir.report.cases import (
    case_lines,
    columns_of,
    common_flags,
    data_cell,
    distinguish,
    hint_lines,
    request_lines,
)
from weir.report.gather import gather
from weir.report.page import render
from weir.results.row import Row
from weir.results.words import setting_words
from weir.store.records import HintAsked
from weir.store.run_directory import RunDirectory

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


def test_rows_that_read_alike_say_how_they_differ_and_others_nothing() -> None:
    small, large, other = (
        replace(row("write", 1000), case=name, options={**row("write", 1000).options, "file_bytes": size})
        for name, size in (("a", 0), ("b", 4096), ("c", 0))
    )
    rows = [small, large, replace(other, ranks=7)]
    distinction = distinguish(rows, lambda one: one.ranks, {"ranks", "phase"})
    assert [distinction(one) for one in rows] == ["file 0 B", "file 4 KiB", ""]


def test_phases_of_one_case_are_not_distinguish_by_it() -> None:
    rows = [replace(row(phase, 1000), case="a") for phase in ("write", "read")]
    distinction = distinguish(rows, lambda one: one.ranks, set())
    assert [distinction(one) for one in rows] == ["", ""]


BUSY = "machine busy"


def busy(*speeds: float, quiet: int = 0) -> list[Row]:
    """Rows of which all but the last few were measured on a busy machine."""
    count = len(speeds) - quiet
    return [
        replace(row("write", speed, warnings=("busy",) if at < count else ()), case=f"c{at}")
        for at, speed in enumerate(speeds)
    ]


def test_what_holds_for_all_rows_is_said_once_and_in_none() -> None:
    rows = busy(1, 2, 3)
    common = common_flags(rows)
    assert common.words == "All 3 rows: machine busy."
    assert [line.flags for line in case_lines(rows, columns_of(rows), common)] == [(), (), ()]


def test_what_holds_for_most_rows_is_counted_and_the_others_are_marked() -> None:
    rows = busy(1, 2, 3, quiet=1)
    common = common_flags(rows)
    assert common.words == "Most rows: machine busy (2 of 3); the others say so."
    assert [common.of_row(one) for one in rows] == [(), (), ("without “machine busy”",)]


def test_what_holds_for_few_rows_stands_in_them() -> None:
    rows = busy(1, 2, 3, quiet=2)
    common = common_flags(rows)
    assert common.words == ""
    assert [common.of_row(one) for one in rows] == [(BUSY,), (), ()]
    assert common_flags(rows[:1]).of_row(rows[0]) == (BUSY,), "a single row is no table to speak of"


def test_a_missing_interval_is_said_once_in_a_row() -> None:
    few = row("write", 1000, spread=None, n=3)
    (line,) = case_lines([few], columns_of([few]), common_flags([few]))
    assert (line.result, line.width, line.flags) == ("1000 MiB/s (no interval: n = 3, below 6)", "", ())


def test_every_case_with_timed_requests_has_a_line(tmp_path: Path) -> None:
    report = build(gather(RunDirectory(synthetic_run.write_run(tmp_path))))
    assert len(report.requests) == len(report.lines)
    assert all(line.timed and line.done for line in report.requests)
    assert 'id="requests"' in render(report, None)


def test_an_older_run_has_no_such_table() -> None:
    assert list(request_lines([row("write", 1000)])) == []


def test_a_hint_stands_once_for_each_of_its_fates() -> None:
    asked = HintAsked("cb_nodes", "2", "1", "changed")
    lost = HintAsked("cb_nodes", "2", None, "ignored")
    rows = [row(phase, 1000, detail=Detail(hints=(asked,))) for phase in ("write", "read")]
    rows.append(row("write", 1000, ranks=4, detail=Detail(hints=(lost,))))
    lines = hint_lines(rows)
    assert [(line.state, line.in_force) for line in lines] == [("changed", "1"), ("ignored", "")]
    assert lines[0].settings == "2 ranks, 1 MiB transfers, shared file, POSIX"

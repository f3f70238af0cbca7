"""Cases that read alike in a table are told apart."""

from dataclasses import replace

from rows import row
from weir.report.apart import told_apart


def test_rows_that_read_alike_say_how_they_differ_and_others_nothing() -> None:
    small, large, other = (
        replace(row("write", 1000), case=name, options={**row("write", 1000).options, "file_bytes": size})
        for name, size in (("a", 0), ("b", 4096), ("c", 0))
    )
    rows = [small, large, replace(other, ranks=7)]
    apart = told_apart(rows, lambda one: one.ranks, {"ranks", "phase"})
    assert [apart(one) for one in rows] == ["file 0 B", "file 4 KiB", ""]


def test_phases_of_one_case_are_not_told_apart_by_it() -> None:
    rows = [replace(row(phase, 1000), case="a") for phase in ("write", "read")]
    apart = told_apart(rows, lambda one: one.ranks, set())
    assert [apart(one) for one in rows] == ["", ""]

"""The table of requests: sizes, data and bandwidth beside those printed."""

from typing import Any

from cloud_rows import records, run_row, runs
from cloud_runs import LARGE, SMALL, run_sample
from weir.io_account.tables.requests import requests
from weir.results.printed import Printed
from weir.tables.table import Table

COLUMNS = ("operation", "24B", "128KiB", "512KiB", "data_mib", "bandwidth_mib_per_s")
SP_ROWS = (("read", 1, 0, 48, 24, 48.0), ("write", 24, 128, 384, 208, 31.59))
SP = Printed("IBM SP", "table 2", "requests", COLUMNS, SP_ROWS)


def made(shape: dict[str, Any], *printed: Printed, **changes: Any) -> Table:
    table = requests(run_row(runs(shape, **changes), *printed))
    assert table is not None
    return table


def test_the_paper_s_own_times_give_the_paper_s_own_bandwidths() -> None:
    table = made(SMALL, SP, count=1, read=4.001, write=52.67, restart=2.0, dumps=10.0)
    assert table.rows == (
        ("read", "1", "0", "48", "24.0", "12.0", "48.0", "48.00"),
        ("write", "24", "128", "384", "208", "20.8", "31.6", "31.59"),
    )
    assert [column.heading for column in table.columns] == [
        "operation", "24 B", "128 KiB", "512 KiB", "MiB", "here", "here", "IBM SP",
    ]  # fmt: skip
    assert table.groups[-2:] == [
        ("MiB/s, slowest rank", 1),
        ("MiB/s, the paper's formula", 2),
    ]
    assert table.notes == ()


def test_the_large_case_too() -> None:
    table = made(LARGE, count=1, read=362.5, write=1533.0)
    assert [(row[-3], row[-1]) for row in table.rows] == [("192", "33.9"), ("416", "17.4")]


def test_sizes_and_data_that_differ_are_marked_and_said() -> None:
    table = made(LARGE, SP)
    assert table.rows[0][0] == "read*"
    assert "384 requests of 512 KiB here, 48 printed" in table.notes[0]
    assert "192 MiB here, 24.00 MiB printed" in table.notes[0]


def test_many_sizes_are_not_a_column_each() -> None:
    sample = run_sample("c", SMALL)
    sample["details"]["io"]["write_sizes"] = [[size, size] for size in (8, 16, 32, 64, 128)]
    table = requests(run_row(records(sample)))
    assert table is not None
    assert [column.heading for column in table.columns][1:5] == ["64 B", "128 B", "512 KiB", "others"]
    assert table.rows[1][1:5] == ("64", "128", "0", "56")
    assert table.rows[0][1:5] == ("0", "0", "48", "1")


def test_a_run_that_read_nothing_has_no_row_of_reads() -> None:
    sample = run_sample("c", SMALL)
    sample["details"]["io"] |= {"bytes_read": 0, "read_sizes": [], "read_bandwidth_bytes_per_s": None}
    table = requests(run_row(records(sample)))
    assert table is not None
    assert [row[0] for row in table.rows] == ["write"]


def without_elapsed(**changes: Any) -> dict[str, Any]:
    """A run of a version that did not record the slowest rank's time."""
    sample = run_sample("c", SMALL, **changes)
    for name in ("read_elapsed_s", "write_elapsed_s"):
        del sample["details"]["io"][name]
    return sample


def test_a_run_of_an_older_version_says_why_a_bandwidth_is_missing() -> None:
    table = requests(run_row(records(without_elapsed())))
    assert table is not None
    assert [row[-2:] for row in table.rows] == [("not recorded", "480"), ("not recorded", "1040")]
    assert [note.partition(":")[0] for note in table.notes] == ["read and write"]
    assert "an older version of Weir made the run" in table.notes[0]
    assert table.data["operations"][0]["median_bytes_per_s"] is None


def test_runs_of_two_versions_say_how_many_are_in_the_bandwidth() -> None:
    table = requests(run_row(records(without_elapsed(), run_sample("c", SMALL, repetition=1))))
    assert table is not None
    assert [row[-2] for row in table.rows] == ["48.0", "104"]
    assert table.notes[0].startswith("read (1 of 2) and write (1 of 2): ")


def test_the_data_are_plain_numbers() -> None:
    read = made(SMALL, SP).data["operations"][0]
    assert read["sizes"] == [{"bytes": 24, "requests": 1}, {"bytes": 524288, "requests": 48}]
    assert read["bytes"] == 25_165_848
    assert read["median_bytes_per_s"] == 25_165_848 / 0.5
    assert read["median_of_the_paper_bytes_per_s"] == 25_165_848 / (0.4 / 8)
    assert read["printed"]["IBM SP"]["bandwidth_mib_per_s"] == 48.0

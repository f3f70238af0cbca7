"""The table of repetitions: what one request of each rank takes, with hand-computed numbers."""

from dataclasses import replace

import pytest

from rows import row
from weir.results.row import Row
from weir.store.records import SampleRecord
from weir.tables.repetitions import repetitions


def measured(phase: str, *times_s: float, size: int = 1000, ranks: int = 2, count: int = 10) -> Row:
    """A row whose samples took these times for `count` repetitions of `size` bytes."""
    records = tuple(
        SampleRecord("one", phase, bytes=size * count, operations=ranks * count, ranks=ranks, elapsed_s=time)
        for time in times_s
    )
    return replace(row(phase, 100, ranks=ranks), records=records, cache_methods=())


def test_a_time_is_that_of_one_request_of_each_rank() -> None:
    table = repetitions([measured("write", *[0.001] * 12, size=1000)])
    assert table is not None
    # 1 ms over 10 repetitions; 1000 bytes in 100 µs.
    assert table.rows == (("write", "2", "1000", "10", "100 [100, 100]", "10.0 [10.0, 10.0]", "12"),)
    (data,) = table.data["repetitions"]
    assert data["time_s"] == pytest.approx(1e-4) and data["bandwidth_bytes_per_s"] == pytest.approx(1e7)


def test_the_fastest_time_is_the_highest_bandwidth() -> None:
    table = repetitions([measured("write", *[0.001, 0.002, 0.004] * 8)])
    assert table is not None
    (data,) = table.data["repetitions"]
    assert data["time_low_s"] < data["time_s"] < data["time_high_s"]
    assert data["bandwidth_high_bytes_per_s"] == pytest.approx(1000 / data["time_low_s"])
    assert data["bandwidth_low_bytes_per_s"] == pytest.approx(1000 / data["time_high_s"])


def test_few_samples_have_no_interval_and_no_bytes_no_bandwidth() -> None:
    table = repetitions([measured("write", 0.001, size=0)])
    assert table is not None
    assert table.rows[0][4:] == ("100 (no interval)", "none", "1")
    assert table.data["repetitions"][0]["bandwidth_bytes_per_s"] is None


def test_writes_come_first_by_ranks_and_size_and_cached_reads_are_noted() -> None:
    rows = [
        measured("read", 0.001),
        measured("write", 0.001, ranks=4),
        measured("write", 0.001, size=5000),
        measured("write", 0.001),
    ]
    table = repetitions(rows)
    assert table is not None
    assert [line[:3] for line in table.rows] == [
        ("write", "2", "1000"),
        ("write", "2", "5000"),
        ("write", "4", "1000"),
        ("read", "2", "1000"),
    ]
    assert table.notes == ("Reads come from the page cache: they are no rates of the storage.",)
    assert repetitions(rows[1:]) is not None and repetitions(rows[1:]).notes == ()  # type: ignore[union-attr]


def test_without_counts_there_is_none() -> None:
    assert repetitions([]) is None
    assert repetitions([row("write", 100)]) is None

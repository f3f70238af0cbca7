"""The table of what each array costs: means of a rank in a dump, arrays alike joined, unknown causes told."""

from dataclasses import replace
from typing import Any

import pytest

from rows import row
from weir.arrays.tables.arrays import arrays
from weir.results.row import Row
from weir.store.records import SampleRecord

LISTS: dict[str, Any] = {
    "name": ["header", "dens", "velx"],
    "bytes": [40, 4096, 4096],
    "create_s": [0.008, 0.016, 0.024],
    "attribute_s": [0.0, 0.0, 0.0],
    "pack_s": [0.0, 0.8, 0.8],
    "library_s": [0.4, 0.08, 0.08],
    "request_s": [0.08, 1.6, 1.6],
}


def made(samples: int = 7, **changes: Any) -> Row:
    """A checkpoint of two ranks, of four dumps."""
    file = {"file": "chk", "open_s": 0.8, "sync_s": 0.0, "close_s": 1.6, "arrays": LISTS | changes}
    details = {"dumps": 4, "costs": {"ranks_s": 9.0, "other_s": 0.4, "files": [file]}}
    records = [
        SampleRecord(case="c", phase="checkpoint", repetition=i, ranks=2, details=details)
        for i in range(samples)
    ]
    return replace(row("checkpoint", 1000, ranks=2), phase="checkpoint", records=tuple(records))


def test_arrays_of_one_size_are_joined_and_times_are_means_of_a_rank_in_a_dump() -> None:
    table = arrays(made())
    assert table is not None
    assert table.rows[:2] == (
        ("header", "10 B", "1.00", "0", "0", "50.0", "10.0", "61.0 [61.0, 61.0]"),
        ("dens to velx (2 arrays)", "2 KiB", "5.00", "0", "200", "20.0", "400", "625 [625, 625]"),
    )
    assert [line[0] for line in table.rows[2:]] == [
        "opening the file", "syncing it", "closing it", "all else",
    ]  # fmt: skip
    assert [line[-1] for line in table.rows[2:]] == [
        "100 [100, 100]", "0 [0, 0]", "200 [200, 200]", "50.0 [50.0, 50.0]",
    ]  # fmt: skip
    assert "medians of 7 samples" in table.caption
    assert "checkpoint, 2 ranks" in table.title
    assert table.data["arrays"][1]["median_pack_s"] == pytest.approx(0.2)
    assert table.data["close"]["median_s"] == pytest.approx(0.2)


def test_a_cause_that_cannot_be_told_apart_is_none() -> None:
    table = arrays(made(samples=1, library_s=None))
    assert table is not None
    assert table.rows[0][5:] == ("none", "10.0", "11.0")
    assert table.data["arrays"][0]["median_library_s"] is None


def test_times_are_medians_over_the_samples() -> None:
    slow = [made(samples=1, pack_s=[0.0, time, time]).records[0] for time in (0.8, 0.8, 8.0)]
    table = arrays(replace(made(), records=tuple(slow)))
    assert table is not None
    assert table.rows[1][4] == "200"


def test_attributes_count() -> None:
    table = arrays(made(samples=1, attribute_s=[0.8, 0.0, 0.0]))
    assert table is not None
    assert (table.rows[0][3], table.rows[0][-1]) == ("100", "161")


def test_a_dump_of_several_files_has_the_arrays_of_each() -> None:
    details = made(samples=1).records[0].details
    (file,) = details["costs"]["files"]
    plot = {**file, "file": "plt", "arrays": LISTS | {"pack_s": [0.4, 0.0, 0.0]}}
    both = details | {"costs": details["costs"] | {"files": [file, plot]}}
    record = SampleRecord(case="c", phase="checkpoint", ranks=2, details=both)
    table = arrays(replace(made(), records=(record,)))
    assert table is not None
    assert [line[4] for line in table.rows[:4]] == ["0", "200", "50.0", "0"]
    assert [line[-1] for line in table.rows[4:]] == ["200", "0", "400", "50.0"]


def test_samples_without_costs_give_no_table() -> None:
    assert arrays(row("write", 1000)) is None
    plain = made()
    (record, *_) = plain.records
    assert arrays(replace(plain, records=(SampleRecord(case="c", phase="checkpoint", ranks=2),))) is None
    for damaged in ({"name": ["header"]}, {"pack_s": [0.0, 0.8]}, {"request_s": None}):
        assert arrays(made(samples=1, **damaged)) is None
    other = made(samples=1, name=["header", "dens", "vely"]).records[0]
    assert arrays(replace(plain, records=(record, other))) is None, "of other arrays"

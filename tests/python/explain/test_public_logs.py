"""What stands out in Darshan's public logs: what was wrong there is known."""

import functools
import importlib.util
import os
from pathlib import Path

import pytest

from weir.explain.remark import nothing_stands_out, remarks_on
from weir.explain.summarise import tables_of
from weir.explain.summary import TraceSummary
from weir.explain.together import together

FOLDER = Path(os.environ.get("WEIR_TEST_DARSHAN", Path(__file__).parents[4] / "shared" / "data" / "darshan"))
EXPECTED = {
    # An application that opens pipes, and waits for the other end.
    "dxt": ["Opens, closes, seeks, stats and syncs take 99.99 %"],
    "example": [
        "99.99 % of 16,402 POSIX reads and writes in vpicio.hdf5",
        "Rank 1312 spends 85.5 s in MPI-IO",
    ],
    "ior_hdf5_example": ["Opens, closes, seeks, stats and syncs take 48 %"],
    "macsio": [
        "Rank 0 moves 98 % of 90 MiB",
        "In macsio_hdf5_000.h5, MPI-IO was asked to read 0 B and the system read 38 MiB",
        "Only 64 of 7,759 writes through MPI-IO are collective",
        "Opens, closes, seeks, stats and syncs take 32 %",
        "MPI-IO takes 13.9 s to read and write macsio_hdf5_000.h5",
    ],
    "noposix": [],
    "noposixopens": ["3722469739 is opened 3,034 times by 32 ranks"],
    "sample-badost": [
        "The files on 1 of 24 OSTs are slow: OST 14 (85 files, 0.468 MiB/s per rank, up to 12m 58s)",
        "Rank 1507 spends 12m 58s in POSIX calls and moves 256 MiB",
    ],
    "sample-dxt-simple": ["Opens, closes, seeks, stats and syncs take 99"],
    # The same application as sample-badost, on a healthy machine.
    "sample-goodost": [],
}

OVERLAPPING = ("macsio", "sample-badost")
"""Small writes, and the library's time for them; a slow target, and the rank that waits for it."""


@functools.cache
def tables(name: str) -> TraceSummary:
    path = FOLDER / f"{name}.darshan"
    if importlib.util.find_spec("darshan") is None:
        pytest.skip("the package darshan is not installed")
    if not path.exists():
        pytest.skip(f"{path} is not there: WEIR_TEST_DARSHAN names the folder with Darshan's public logs")
    return tables_of(path)[0]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_stands_out(name: str) -> None:
    found = remarks_on(tables(name))
    assert [
        next((one for one in EXPECTED[name] if remark.text.startswith(one)), remark.text) for remark in found
    ] == EXPECTED[name]
    assert all(remark.seconds is not None and remark.why and remark.advice for remark in found)


def test_where_nothing_stands_out_it_is_said_how_much_there_was() -> None:
    assert nothing_stands_out(tables("sample-goodost")) == "Nothing: I/O calls take 55 % of the run."


def test_the_bandwidth_is_what_the_job_got() -> None:
    (row,) = (row for row in tables("sample-badost").transfers if row.interface == "POSIX")
    assert row.slowest_exact and row.bytes_per_s is not None and row.mean_bytes_per_s is not None
    assert row.bytes_per_s / 2**20 == pytest.approx(674, abs=1), "512 GiB in 12m 58s"
    assert row.mean_bytes_per_s / 2**20 == pytest.approx(15_657, abs=10)


def test_no_record_hides_the_times_of_others() -> None:
    (row,) = (row for row in tables("dxt").operations if (row.interface, row.kind) == ("POSIX", "metadata"))
    assert row.total_s == pytest.approx(11_217.8, abs=0.1)


@pytest.mark.parametrize("name", EXPECTED)
def test_together_no_more_is_claimed_than_the_run(name: str) -> None:
    summary = tables(name)
    remarks = remarks_on(summary)
    found = together(summary, remarks)
    claimed = sum(remark.seconds or 0 for remark in remarks) if found is None else found.at_most_s
    assert claimed <= summary.head.run_s
    assert (found is not None) == (name in OVERLAPPING)

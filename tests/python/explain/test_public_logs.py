"""What stands out in Darshan's public logs: what was wrong there is known."""

import functools
import importlib.util
import os
from pathlib import Path

import pytest

from weir.answers.evidence import evidence_words
from weir.answers.words import reason_of
from weir.explain.rule import answers_on, nothing_stands_out
from weir.explain.summarise import tables_of
from weir.explain.summary import TraceSummary
from weir.explain.together import together

from .answers import seconds_of

FOLDER = Path(os.environ.get("WEIR_TEST_DARSHAN", Path(__file__).parents[4] / "shared" / "data" / "darshan"))
Expected = tuple[str, tuple[str, ...], str, dict[str, str]]
"""Question, subject, action, and some of the evidence as it is shown."""
EXPECTED: dict[str, list[Expected]] = {
    # An application that opens pipes, and waits for the other end.
    "dxt": [("metadata", ("pipe_1043744754",), "find-wait", {"share of time in I/O calls": "99.99 %"})],
    "example": [
        ("misaligned", ("vpicio.hdf5",), "align-shared",
            {"misaligned": "99.99 %", "reads and writes": "16,402"}),
        ("slow_ranks", ("rank 1312", "vpicio.hdf5"), "find-slow-part", {"its MPI-IO calls": "85.5 s"}),
    ],
    "ior_hdf5_example": [("metadata", ("test123.h5",), "open-fewer", {"share of time in I/O calls": "48 %"})],
    "macsio": [
        ("few_writers", ("rank 0", "macsio_hdf5_000.h5"), "more-writers",
            {"its share of the data": "98 %", "data of all ranks": "90 MiB"}),
        ("read_modify_write", ("MPI-IO", "macsio_hdf5_000.h5"), "no-sieving",
            {"asked to read": "0 B", "read by the system": "38 MiB"}),
        ("independent", ("writes", "macsio_hdf5_000.h5"), "collective",
            {"writes through MPI-IO": "7,759", "collective": "64"}),
        ("metadata", ("macsio_hdf5_000.h5",), "open-fewer", {"share of time in I/O calls": "32 %"}),
        ("library_time", ("MPI-IO", "macsio_hdf5_000.h5"), "tune-mpi-io",
            {"its reads and writes over all ranks": "13.9 s"}),
    ],
    "noposix": [],
    "noposixopens": [
        ("reopening", ("3722469739",), "keep-open", {"opens": "3,034", "ranks that open it": "32"})
    ],
    "sample-badost": [
        ("storage_targets", ("OST 14",), "other-targets",
            {"slow targets": "1", "of targets": "24", "files on OST 14": "85",
             "a rank on OST 14": "0.468 MiB/s", "longest file on OST 14": "12m 58s"}),
        ("slow_ranks", ("rank 1507",), "find-slow-part",
            {"its POSIX calls": "12m 58s", "its data": "256 MiB"}),
    ],
    "sample-dxt-simple": [("metadata", ("test.out",), "open-fewer", {})],
    # The same application as sample-badost, on a healthy machine.
    "sample-goodost": [],
}  # fmt: skip

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
    found = answers_on(tables(name))
    assert [one.question for one in found] == [question for question, *_ in EXPECTED[name]]
    for one, (_, subject, action, evidence) in zip(found, EXPECTED[name], strict=True):
        shown = {each.label: evidence_words(each) for each in one.evidence}
        assert (one.subject, one.action) == (subject, action)
        assert {label: shown.get(label) for label in evidence} == evidence
        assert reason_of(one) and seconds_of(one) > 0


def test_where_nothing_stands_out_it_is_said_how_much_there_was() -> None:
    assert nothing_stands_out(tables("sample-goodost")) == "nothing stands out; 55 % of the run in I/O"


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
    answers = answers_on(summary)
    found = together(summary, answers)
    claimed = sum(map(seconds_of, answers)) if found is None else found.at_most_s
    assert claimed <= summary.head.run_s
    assert (found is not None) == (name in OVERLAPPING)

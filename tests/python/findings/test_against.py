"""Which way is faster, and when nobody can tell."""

from rows import MIB, row
from samples import TIME
from weir.findings.against import BACKEND_OPTIONS, judge_backend, judge_layout
from weir.findings.option import label_by
from weir.findings.order import order_words
from weir.findings.words import way_words


def test_a_sure_difference_is_named_with_its_factor() -> None:
    finding = judge_layout([row("write", 1000), row("write", 1500, layout="file-per-process")], {})
    assert finding is not None
    assert finding.title == "File per process writes 1.50 times as fast as shared file at 1 MiB transfers"
    assert "1.50 times [1.44, 1.56] (n = 12, 12)" in finding.sentences[0]


def test_overlapping_intervals_are_no_difference() -> None:
    rows = [row("write", 1000, spread=0.2), row("write", 1100, spread=0.2, layout="file-per-process")]
    finding = judge_layout(rows, {})
    assert finding is not None
    assert finding.title == "Shared file and file per process: no difference beyond noise"
    assert "which is no difference" in finding.sentences[0]


def test_without_intervals_nothing_is_claimed() -> None:
    rows = [
        row("write", 1000, spread=None, n=3),
        row("write", 3000, spread=None, n=3, layout="file-per-process"),
    ]
    finding = judge_layout(rows, {})
    assert finding is not None
    assert "too few samples to tell" in finding.title


def test_a_missing_partner_gives_no_finding() -> None:
    assert judge_layout([row("write", 1000)], {}) is None
    assert judge_backend([row("write", 1000, backend="mpiio")], {}) is None


def test_rows_that_differ_otherwise_are_not_compared() -> None:
    rows = [row("write", 1000, transfer=65536), row("write", 1500, layout="file-per-process")]
    assert judge_layout(rows, {}) is None


def test_independent_and_collective_are_each_held_against_posix() -> None:
    rows = [
        row("read", 1000),
        row("read", 950, backend="mpiio", spread=0.001),
        row("read", 500, backend="mpiio", collective=True),
    ]
    finding = judge_backend(rows, {})
    assert finding is not None
    assert finding.title.startswith("POSIX reads 2.00 times as fast as MPI-IO collective")
    assert finding.sentences[0] == "Read, fastest first: POSIX > MPI-IO independent > MPI-IO collective."
    assert [sentence.split(" against")[0] for sentence in finding.details] == [
        "MPI-IO independent",
        "MPI-IO collective",
    ]


def test_what_moved_nothing_is_no_reference() -> None:
    """A bandwidth of 0 is a number, and no ratio to it exists."""
    rows = [row("write", 0.0), row("write", 100, backend="hdf5"), row("write", 200, backend="mpiio")]
    assert judge_backend(rows, {}) is None
    (order,) = order_words(rows, BACKEND_OPTIONS, way_words)
    assert order == "Write, fastest first: MPI-IO independent > HDF5 > POSIX."


def test_of_times_the_ratio_says_which_is_faster() -> None:
    rows = [
        row("run", seconds / MIB, metric=TIME, backend=backend)
        for backend, seconds in (("posix", 1.0), ("hdf5", 2.5))
    ]
    finding = judge_backend(rows, {})
    assert finding is not None
    assert finding.sentences == (
        "HDF5 against POSIX: run at 1 MiB transfers 0.40 times as fast [0.38, 0.42] (n = 12, 12).",
    )


def test_benchmarks_are_told_apart() -> None:
    rows = [
        row("write", speed, benchmark=benchmark, backend=backend)
        for benchmark, speed in (("storage", 100), ("heat", 50))
        for backend in ("posix", "hdf5")
    ]
    assert {label_by(rows, {"backend"})(one) for one in rows} == {"storage", "heat"}

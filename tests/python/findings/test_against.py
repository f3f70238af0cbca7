"""Which way is faster, and when nobody can tell."""

from rows import row
from weir.findings.against import judge_backend, judge_layout


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

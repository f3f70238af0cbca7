"""The methods against everything through rank 0."""

from dataclasses import replace

from rows import row
from weir.findings.method import judge_method
from weir.findings.row import Row
from weir.findings.words import backend_words, setting_words
from weir.store.records import SampleRecord


def of(method: str, speed: float) -> Row:
    return row("write", speed, method=method, backend="twophase", benchmark="cloud")


def test_each_method_is_held_against_rank_0() -> None:
    finding = judge_method([of("two-phase", 3000), of("rank0", 1000), of("independent", 500)], {})
    assert finding is not None
    assert finding.title.startswith("Two-phase writes 3.00 times as fast as all through rank 0")
    assert [words.partition(":")[0] for words in finding.sentences] == [
        "Two-phase against all through rank 0",
        "Each rank its own pieces against all through rank 0",
    ]


def test_another_back_end_has_no_such_method() -> None:
    others = [row("write", 1, method=method, backend="hdf5") for method in ("two-phase", "independent")]
    assert judge_method([*others, of("rank0", 1000)], {}) is None
    assert [setting_words(one).rpartition(", ")[2] for one in others] == ["HDF5", "HDF5"]


def test_an_application_s_samples_say_whether_ranks_asked_together() -> None:
    for together, words in ((True, "MPI-IO collective"), (False, "MPI-IO independent"), (None, "MPI-IO")):
        said = {} if together is None else {"collective": together}
        records = (SampleRecord(case="a", phase="write", details=said),)
        options = {"method": "two-phase", "backend": "mpiio"}
        assert backend_words(replace(row("write", 1, records=records), options=options)) == words


def test_without_the_reference_or_a_method_there_is_nothing_to_say() -> None:
    assert judge_method([of("two-phase", 3000)], {}) is None
    assert judge_method([row("write", 1000)], {}) is None

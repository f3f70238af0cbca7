"""Rates of operations on files, and of opening one file by all ranks."""

from rows import MIB, found, row
from samples import RATE, sample
from weir.metadata.questions.metadata import judge_opening, judge_operations
from weir.results.row import Row

SHARED = {"layout": "shared-directory", "files": 1000, "metric": RATE}


def rate(phase: str, per_s: float, **changes: object) -> Row:
    return row(phase, per_s / MIB, **{**SHARED, **changes})


def test_the_slowest_is_named_with_what_the_fastest_does_beside_it() -> None:
    finding = found(judge_operations, [rate("create", 2000), rate("stat", 1_000_000), rate("unlink", 50_000)])
    assert finding.title == (
        "Create is the slowest, at 2000 [1960, 2040] operations/s (n = 12); stat is 500 times as fast"
    )
    assert "Stat: 1,000,000 [980,000, 1,020,000] operations/s (n = 12)." in finding.sentences


def test_directories_are_held_against_each_other() -> None:
    finding = found(
        judge_operations, [rate("create", 2000), rate("create", 4000, layout="private-directory")]
    )
    assert finding.title == "Create does 4000 [3920, 4080] operations/s (n = 12)"
    assert finding.sentences[-1].startswith("Directory for each rank against shared directory: create")
    assert "2.00 times [1.92, 2.08] (n = 12, 12)" in finding.sentences[-1]


def test_too_few_samples_and_bandwidths_give_no_factor() -> None:
    few = [rate("create", 2000, spread=None, n=3), rate("stat", 1e6, spread=None, n=3)]
    finding = found(judge_operations, few)
    assert finding.title == (
        "Create seems the slowest and stat the fastest; too few samples to tell by how much"
    )
    assert judge_operations([row("write", 1000)], {}) is None


def opened(opening: str, per_s: float, held: int, **changes: object) -> Row:
    settings = {"interface": "posix", "layout": "common-file", "ranks": 4, **changes}
    told = (sample(phase="open", details={"opened_by_ranks": held}), sample(phase="open"))
    return rate("open", per_s, opening=opening, records=told, **settings)


def test_who_really_opened_a_common_file_is_said() -> None:
    rows = [
        opened("independent", 1000, 4),
        opened("one-rank", 100, 4, interface="mpiio", mpi_io="ompio"),
        opened("one-rank", 200, 1, interface="mpiio", mpi_io="romio"),
    ]
    finding = found(judge_opening, rows)
    assert finding.title.startswith(
        "POSIX by every rank opens 10.0 times as fast as MPI-IO (OMPIO) by one rank"
    )
    assert "Actually opened by 1 of 4 ranks: MPI-IO (ROMIO) by one rank for all." in finding.sentences
    assert any(
        said.startswith("Actually opened by 4 of 4 ranks: MPI-IO (OMPIO)") for said in finding.sentences
    )
    assert judge_opening(rows[1:], {}) is None


def test_who_really_opened_is_told_of_the_most_ranks_alone() -> None:
    rows = [
        opened("independent", 900, 2, ranks=2),
        opened("independent", 1000, 4),
        opened("one-rank", 200, 1, interface="mpiio"),
        opened("one-rank", 300, 2, interface="mpiio", ranks=2),
    ]
    finding = found(judge_opening, rows)
    told = [said for said in finding.sentences if said.startswith("Actually opened")]
    ranks = [said.partition(":")[0].removeprefix("Actually opened by ") for said in told]
    assert ranks == ["1 of 4 ranks", "4 of 4 ranks"]

"""Rates of operations on files, and of opening one file by all ranks."""

import pytest

from rows import MIB, found, row
from samples import RATE, sample
from weir.answers.answer import Certainty, Choice, Count, Quantity, Ratio
from weir.metadata.questions.metadata import judge_opening, judge_operations
from weir.results.row import Row

SHARED = {"layout": "shared-directory", "files": 1000, "metric": RATE}


def rate(phase: str, per_s: float, **changes: object) -> Row:
    return row(phase, per_s / MIB, benchmark="metadata", **{**SHARED, **changes})


def test_the_slowest_is_named_with_what_the_fastest_does_beside_it() -> None:
    finding = found(judge_operations, [rate("create", 2000), rate("stat", 1_000_000), rate("unlink", 50_000)])
    (fast,) = finding.answers
    slow = finding.numbers[0].value
    assert isinstance(slow, Quantity)
    assert (slow.median, slow.low, slow.high, slow.n) == (2000, 1960, 2040, 12)
    assert (fast.subject, fast.certainty, fast.open_cases) == (("stat",), Certainty.SURE, frozenset())
    assert isinstance(fast.value, Ratio) and fast.value.of == "create"
    assert fast.value.times == pytest.approx(500)
    assert {one.subject: one.value.median for one in finding.numbers if isinstance(one.value, Quantity)} == {
        ("", "", "create"): 2000,
        ("", "", "stat"): 1e6,
        ("", "", "unlink"): 50_000,
    }


def test_directories_are_held_against_each_other() -> None:
    finding = found(
        judge_operations, [rate("create", 2000), rate("create", 4000, layout="private-directory")]
    )
    (only,) = finding.answers
    assert isinstance(only.value, Quantity) and only.value.median == 4000
    assert finding.certainty is None, "of one operation nothing is asked"
    (ratio,) = [one for one in finding.numbers if isinstance(one.value, Ratio)]
    assert ratio.subject == ("directory for each rank", "shared directory", "create")
    assert isinstance(ratio.value, Ratio) and ratio.value.n == 12
    assert (ratio.value.times, ratio.value.low, ratio.value.high) == pytest.approx((2, 1.92, 2.08), abs=0.005)


def test_too_few_samples_and_bandwidths_give_no_factor() -> None:
    few = [rate("create", 2000, spread=None, n=3), rate("stat", 1e6, spread=None, n=3)]
    (fast,) = found(judge_operations, few).answers
    assert (fast.subject, fast.certainty, fast.action) == (("stat",), Certainty.OPEN, "more-samples")
    assert isinstance(fast.value, Ratio) and (fast.value.low, fast.value.high) == (None, None)
    assert fast.open_cases == {one.case for one in few}
    assert judge_operations([row("write", 1000)], {}) is None


def test_operations_that_are_equal_or_nearly_so_are_no_open_question() -> None:
    """As with any two ways: inside 10 % it is settled, inside a factor of 1.5 it is within a range."""
    alike = [rate("create", 2000), rate("stat", 2010)]
    near = [rate("create", 2000, spread=0.05), rate("stat", 2100, spread=0.05)]
    (equal,), (close,) = (found(judge_operations, rows).answers for rows in (alike, near))
    assert (equal.certainty, equal.action, equal.open_cases) == (Certainty.SURE, "", frozenset())
    assert (close.certainty, close.action) == (Certainty.WITHIN, "")
    assert close.open_cases == {one.case for one in near}


def test_noise_leaves_open_which_operation_is_faster() -> None:
    noisy = [rate("create", 2000, spread=0.5), rate("stat", 2500, spread=0.5)]
    (fast,) = found(judge_operations, noisy).answers
    assert (fast.certainty, fast.action) == (Certainty.OPEN, "too-noisy")
    assert fast.open_cases == {one.case for one in noisy}


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
    (answer,) = finding.answers
    assert isinstance(answer.value, Choice) and answer.certainty is Certainty.SURE
    assert (answer.value.best, answer.value.other) == (
        "POSIX by every rank",
        "MPI-IO (OMPIO) by one rank for all",
    )
    assert answer.value.ratio.times == pytest.approx(10)
    assert [(one.subject[0], one.value) for one in finding.numbers if isinstance(one.value, Count)] == [
        ("MPI-IO (OMPIO) by one rank for all", Count(4, 4)),
        ("MPI-IO (ROMIO) by one rank for all", Count(1, 4)),
        ("POSIX by every rank", Count(4, 4)),
    ]
    rates = {one.subject[0]: one.value.median for one in finding.numbers if isinstance(one.value, Quantity)}
    assert [*rates.values()] == [100, 200, 1000]
    against = [one.subject[:2] for one in finding.numbers if isinstance(one.value, Ratio)]
    assert against == [(name, "POSIX by every rank") for name in [*rates][:2]]
    assert judge_opening(rows[1:], {}) is None


def test_who_really_opened_is_told_of_the_most_ranks_alone() -> None:
    rows = [
        opened("independent", 900, 2, ranks=2),
        opened("independent", 1000, 4),
        opened("one-rank", 200, 1, interface="mpiio"),
        opened("one-rank", 300, 2, interface="mpiio", ranks=2),
    ]
    finding = found(judge_opening, rows)
    held = [one for one in finding.numbers if isinstance(one.value, Count)]
    assert {one.subject[2] for one in held} == {"open, 4 ranks"}
    assert [one.value for one in held] == [Count(1, 4), Count(4, 4)]
    rates = [one.value.median for one in finding.numbers if isinstance(one.value, Quantity)]
    assert rates == [200, 1000]

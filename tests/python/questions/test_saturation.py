"""Saturation in words, and claims about it."""

import pytest

from rows import MIB, cached_read, found, row
from samples import RATE
from weir.questions.claim import Verdict, make_rule
from weir.questions.saturation import judge_ranks, judge_transfer, main_curve
from weir.results.row import Row

SIZES = [1024, 65536, MIB, 16 * MIB]


def sweep(phase: str, speeds: list[float]) -> list:
    return [row(phase, speed, transfer=size) for size, speed in zip(SIZES, speeds, strict=True)]


def test_title_names_the_size_from_which_bandwidth_stays_near_its_best() -> None:
    finding = found(
        judge_transfer, sweep("write", [100, 990, 1000, 1000]) + sweep("read", [50, 100, 970, 1000])
    )
    assert finding.title == "Writes saturate at 64 KiB transfers and reads saturate at 1 MiB transfers"
    assert "(n = 12)" in finding.sentences[0]
    assert "against 100 [98.0, 102] MiB/s (n = 12) with 1 KiB transfers" in finding.sentences[0]


def test_equal_findings_are_said_in_one_breath() -> None:
    finding = found(judge_transfer, sweep("write", [1, 10, 100, 1000]) + sweep("read", [1, 10, 100, 1000]))
    assert finding.title == "Writes and reads grow up to 16 MiB transfers (the largest tried)"
    assert "no saturation seen" in finding.sentences[0]


def test_of_many_phases_those_that_behave_alike_are_said_together() -> None:
    speeds = {"create": (1, 10, 10), "stat": (1, 10, 10), "unlink": (1, 2, 4)}
    rows = [
        row(phase, speed, ranks=ranks, metric=RATE)
        for phase, values in speeds.items()
        for ranks, speed in zip((1, 2, 4), values, strict=True)
    ]
    finding = found(judge_ranks, rows)
    assert (
        finding.title
        == "Creates and stats saturate at 2 ranks and unlinks grow up to 4 ranks (the most tried)"
    )
    assert finding.conditions == ""


def test_a_fall_beyond_the_best_is_said() -> None:
    rows = [row("write", speed, ranks=ranks) for ranks, speed in ((1, 500), (2, 1000), (4, 600))]
    finding = found(judge_ranks, rows)
    assert finding.title == "Writes saturate at 2 ranks"
    assert "falls again, to 600 [588, 612] MiB/s (n = 12) with 4 ranks" in finding.sentences[0]


def test_two_points_are_too_few_for_saturation_and_one_for_anything() -> None:
    two = [row("write", 500, ranks=1), row("write", 900, ranks=2)]
    finding = found(judge_ranks, two)
    assert finding.title == "Writes have too few rank counts to determine saturation"
    assert "500 [490, 510] MiB/s (n = 12) with 1 rank" in finding.sentences[0]
    assert judge_ranks(two[:1], {}) is None


def test_failed_cases_are_no_points() -> None:
    rows = [row("write", None, ranks=1), row("write", None, ranks=2)]
    assert judge_ranks(rows, {}) is None


def test_without_any_interval_no_saturation_is_claimed() -> None:
    rows = [row("write", speed, ranks=ranks, spread=None, n=2) for ranks, speed in ((1, 5), (2, 10), (4, 10))]
    finding = found(judge_ranks, rows)
    assert finding.title == "Writes have too few samples to determine saturation"


def test_growth_is_in_doubt_where_a_point_further_back_may_be_as_good() -> None:
    rows = [
        row("write", 1000, ranks=1, spread=0.1),
        row("write", 800, ranks=2, spread=0.01),
        row("write", 1090, ranks=4, spread=0.01),
    ]
    finding = found(judge_ranks, rows)
    assert finding.title == "Writes seem to grow up to 4 ranks (the most tried)"


def test_of_several_curves_it_is_said_which() -> None:
    rows = [
        row("write", speed, ranks=ranks, backend=name)
        for name, speed in (("posix", 1000), ("hdf5", 500))
        for ranks in (1, 2)
    ]
    finding = found(judge_ranks, rows)
    assert finding.sentences[0].startswith("Write, synced at close, POSIX: ")
    alone = judge_ranks(rows[:2], {})
    assert alone is not None and alone.sentences[0].startswith("Write, synced at close: ")


def test_of_curves_of_one_length_the_honest_one_is_spoken_of() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*cached, *honest], "ranks", "read") == honest
    assert main_curve([*honest, *cached], "ranks", "read") == honest


def test_a_longer_curve_comes_before_an_honest_one() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2, 4)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*honest, *cached], "ranks", "read") == cached


def curve(*speeds: float, spread: float | None = 0.01) -> list[Row]:
    return [row("write", speed, ranks=2**i, spread=spread) for i, speed in enumerate(speeds)]


def decide(shape: str, rows: list[Row]) -> tuple[Verdict, str]:
    test = {"rule": "saturation", "along": "ranks", "shape": shape, "where": {"phase": "write"}}
    decision = make_rule(test).decide(rows, {})
    return decision.verdict, decision.why


@pytest.mark.parametrize(
    ("rows", "saturates", "falls"),
    [
        (curve(500, 1000, 1000, 990), Verdict.HOLDS, Verdict.DOES_NOT_HOLD),
        (curve(500, 1000, 800, 600), Verdict.HOLDS, Verdict.HOLDS),
        (curve(500, 1000, 2000, 4000), Verdict.DOES_NOT_HOLD, Verdict.CANNOT_BE_TOLD),
        (curve(500, 1000, 1000, 950, spread=0.2), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        (curve(500, 1000), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        ([], Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
    ],
)
def test_shapes(rows: list[Row], saturates: Verdict, falls: Verdict) -> None:
    assert decide("saturates", rows)[0] is saturates
    assert decide("falls", rows)[0] is falls


def test_the_numbers_are_said() -> None:
    verdict, why = decide("falls", curve(500, 1000, 800, 600))
    assert verdict is Verdict.HOLDS
    assert why.startswith("the best is 1000 [990, 1010] MiB/s (n = 12) with 2 ranks, and beyond it 600")
    assert decide("saturates", [])[1] == "because it takes 3 points, and 0 were measured"


def test_a_fall_that_noise_could_have_made_is_none() -> None:
    # The median lies more than 5 % below the best, its interval does not.
    assert decide("falls", curve(500, 1000, 940, spread=0.02))[0] is Verdict.CANNOT_BE_TOLD

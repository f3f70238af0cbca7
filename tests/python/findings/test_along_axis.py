"""Saturation in words."""

from rows import MIB, row
from samples import RATE
from weir.findings.along_axis import judge_ranks, judge_transfer

SIZES = [1024, 65536, MIB, 16 * MIB]


def sweep(phase: str, speeds: list[float]) -> list:
    return [row(phase, speed, transfer=size) for size, speed in zip(SIZES, speeds, strict=True)]


def test_title_names_the_size_from_which_bandwidth_stays_near_its_best() -> None:
    finding = judge_transfer(sweep("write", [100, 990, 1000, 1000]) + sweep("read", [50, 100, 970, 1000]), {})
    assert finding is not None
    assert finding.title == "Writes saturate at 64 KiB transfers and reads saturate at 1 MiB transfers"
    assert "(n = 12)" in finding.sentences[0]
    assert "against 100 [98.0, 102] MiB/s (n = 12) with 1 KiB transfers" in finding.sentences[0]


def test_equal_findings_are_said_in_one_breath() -> None:
    finding = judge_transfer(sweep("write", [1, 10, 100, 1000]) + sweep("read", [1, 10, 100, 1000]), {})
    assert finding is not None
    assert finding.title == "Writes and reads grow up to 16 MiB transfers (the largest tried)"
    assert "no saturation seen" in finding.sentences[0]


def test_of_many_phases_those_that_behave_alike_are_said_together() -> None:
    speeds = {"create": (1, 10, 10), "stat": (1, 10, 10), "unlink": (1, 2, 4)}
    rows = [
        row(phase, speed, ranks=ranks, metric=RATE)
        for phase, values in speeds.items()
        for ranks, speed in zip((1, 2, 4), values, strict=True)
    ]
    finding = judge_ranks(rows, {})
    assert finding is not None
    assert (
        finding.title
        == "Creates and stats saturate at 2 ranks and unlinks grow up to 4 ranks (the most tried)"
    )
    assert finding.care == ""


def test_a_fall_beyond_the_best_is_said() -> None:
    rows = [row("write", speed, ranks=ranks) for ranks, speed in ((1, 500), (2, 1000), (4, 600))]
    finding = judge_ranks(rows, {})
    assert finding is not None
    assert finding.title == "Writes saturate at 2 ranks"
    assert "falls again, to 600 [588, 612] MiB/s (n = 12) with 4 ranks" in finding.sentences[0]


def test_two_points_are_too_few_for_saturation_and_one_for_anything() -> None:
    two = [row("write", 500, ranks=1), row("write", 900, ranks=2)]
    finding = judge_ranks(two, {})
    assert finding is not None
    assert finding.title == "Writes have too few rank counts to tell saturation"
    assert "500 [490, 510] MiB/s (n = 12) with 1 rank" in finding.sentences[0]
    assert judge_ranks(two[:1], {}) is None


def test_failed_cases_are_no_points() -> None:
    rows = [row("write", None, ranks=1), row("write", None, ranks=2)]
    assert judge_ranks(rows, {}) is None


def test_without_any_interval_no_saturation_is_claimed() -> None:
    rows = [row("write", speed, ranks=ranks, spread=None, n=2) for ranks, speed in ((1, 5), (2, 10), (4, 10))]
    finding = judge_ranks(rows, {})
    assert finding is not None
    assert finding.title == "Writes have too few samples to tell saturation"


def test_growth_is_in_doubt_where_a_point_further_back_may_be_as_good() -> None:
    rows = [
        row("write", 1000, ranks=1, spread=0.1),
        row("write", 800, ranks=2, spread=0.01),
        row("write", 1090, ranks=4, spread=0.01),
    ]
    finding = judge_ranks(rows, {})
    assert finding is not None
    assert finding.title == "Writes seem to grow up to 4 ranks (the most tried)"


def test_of_several_curves_it_is_said_which() -> None:
    rows = [
        row("write", speed, ranks=ranks, backend=name)
        for name, speed in (("posix", 1000), ("hdf5", 500))
        for ranks in (1, 2)
    ]
    finding = judge_ranks(rows, {})
    assert finding is not None
    assert finding.sentences[0].startswith("Write, synced at close, POSIX: ")
    alone = judge_ranks(rows[:2], {})
    assert alone is not None and alone.sentences[0].startswith("Write, synced at close: ")

"""What judges answer, as data: first screens show it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from link_samples import Machine
from network_rows import suite, time_of
from rows import MIB, cached_read, found, row
from weir.answers.answer import Answer, Certainty, Choice, Count, Ratio, Threshold
from weir.answers.words import action_of, value_of
from weir.figures.figure import Finding
from weir.network.questions.guidelines import judge_guidelines
from weir.network.questions.links import judge_links
from weir.questions.comparison import judge_backend, judge_layout
from weir.questions.saturation import judge_ranks, judge_transfer
from weir.results.row import Row
from weir.storage.questions.size import judge_size

SIZES = [1024, 65536, MIB, 16 * MIB]
Judge = Callable[..., Finding | None]


def answers(judge: Judge, rows: Sequence[Row]) -> tuple[Answer, ...]:
    return found(judge, list(rows)).answers


def sweep(phase: str, *speeds: float, **changes: Any) -> list[Row]:
    return [row(phase, speed, transfer=size, **changes) for size, speed in zip(SIZES, speeds, strict=True)]


def layouts(shared: float, own: float, **changes: Any) -> list[Row]:
    return [row("write", shared, **changes), row("write", own, layout="file-per-process", **changes)]


def test_a_point_of_saturation_is_a_threshold() -> None:
    write, read = answers(
        judge_transfer, [*sweep("write", 100, 990, 1000, 1000), *sweep("read", 1, 10, 100, 999)]
    )
    assert (write.subject, write.value, write.certainty) == (
        ("write",),
        Threshold("transfer", "64 KiB"),
        Certainty.SURE,
    )
    assert action_of(write) == "use 64 KiB or more"
    assert read.value == Threshold("transfer", "16 MiB", rising=True)
    assert action_of(read) == "try more than 16 MiB" and not read.open_cases


def test_a_point_within_a_range_has_both_ends_and_wants_samples() -> None:
    (answer,) = answers(judge_transfer, sweep("write", 100, 700, 1000, 1000, spread=0.25))
    assert isinstance(answer.value, Threshold) and answer.certainty is Certainty.WITHIN
    assert answer.open_cases


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (sweep("write", 100, 200, 300, 400, spread=None), "needs more samples"),
        ([row("write", 1, ranks=1), row("write", 2, ranks=2)], "needs more values"),
    ],
)
def test_without_intervals_or_points_it_is_open(rows: list[Row], action: str) -> None:
    judge = judge_transfer if "samples" in action else judge_ranks
    (answer,) = answers(judge, rows)
    assert (answer.value, answer.certainty, action_of(answer)) == (None, Certainty.OPEN, action)


def test_the_faster_of_two_ways_is_a_choice_whichever_is_the_reference() -> None:
    for shared, own, best, other in (
        (1000, 1500, "file per process", "shared file"),
        (1500, 1000, "shared file", "file per process"),
    ):
        (answer,) = answers(judge_layout, layouts(shared, own))
        assert isinstance(answer.value, Choice) and answer.certainty is Certainty.SURE
        assert (answer.value.best, answer.value.other, answer.value.differs) == (best, other, True)
        assert answer.value.ratio.times == pytest.approx(1.5)
        low, high = answer.value.ratio.low, answer.value.ratio.high
        assert low is not None and high is not None and 1.4 < low < 1.5 < high < 1.6
        assert action_of(answer) == f"prefer {best}"


def test_ways_that_are_alike_are_no_choice() -> None:
    (alike,) = answers(judge_layout, layouts(1000, 1010))
    (near,) = answers(judge_layout, layouts(1000, 1100, spread=0.08))
    assert [one.certainty for one in (alike, near)] == [Certainty.SURE, Certainty.WITHIN]
    assert [action_of(one) for one in (alike, near)] == ["either will do", "at most 1.30 times apart"]
    assert value_of(near) == "file per process 1.1 times shared file [0.94, 1.3] (n = 12)"
    assert not alike.open_cases and len(near.open_cases) == 2


def test_ways_that_nobody_can_tell_apart_are_open() -> None:
    (answer,) = answers(judge_layout, layouts(1000, 1100, spread=0.3))
    assert (answer.value, answer.certainty) == (None, Certainty.OPEN) and len(answer.open_cases) == 2


def test_the_largest_difference_speaks_and_an_open_one_makes_it_within() -> None:
    rows = [
        row("write", speed, backend=name) for name, speed in (("posix", 1000), ("mpiio", 500), ("hdf5", 100))
    ]
    (answer,) = answers(judge_backend, rows)
    assert isinstance(answer.value, Choice) and answer.value.other == "HDF5"
    some = [*rows, row("write", 900, backend="pnetcdf", spread=0.4)]
    assert answers(judge_backend, some)[0].certainty is Certainty.WITHIN


def test_more_of_a_gain_weighs_more_and_what_is_open_least() -> None:
    (much,), (little,) = (answers(judge_layout, layouts(100, own)) for own in (1000, 150))
    (is_open,) = answers(judge_layout, layouts(1000, 1100, spread=0.3))
    assert much.weight > little.weight > is_open.weight


def test_what_the_cache_adds_is_a_ratio() -> None:
    answer, _ = answers(judge_size, [cached_read(9000), row("read", 1000)])
    assert isinstance(answer.value, Ratio) and answer.value.times == pytest.approx(9)
    assert answer.certainty is Certainty.SURE
    wide, _ = answers(judge_size, [cached_read(9000, spread=0.4), row("read", 1000)])
    assert wide.certainty is Certainty.WITHIN
    noisy, _ = answers(judge_size, [cached_read(1100, spread=0.5), row("read", 1000, spread=0.5)])
    assert (noisy.value, noisy.certainty) == (None, Certainty.OPEN) and noisy.open_cases


def test_slow_links_are_counted() -> None:
    latency, bandwidth, _ = answers(judge_links, Machine(6, slow={(1, 4): 2.0}).rows(1))
    assert latency.value == bandwidth.value == Count(1, 15) and action_of(latency) == "see the figure"
    quiet, _ = answers(judge_links, Machine(6).rows(1))
    assert quiet.value == Count(0, 15) and not quiet.action
    few, _ = answers(judge_links, Machine(6).rows(1, samples=3))
    assert (few.value, few.certainty) == (None, Certainty.OPEN)


def test_violated_guidelines_are_counted() -> None:
    def planted(function: str, size: int) -> float:
        return time_of(function, size) * (4 if function == "Allreduce" and size >= 1 << 20 else 1)

    (broken, _), (kept,) = (answers(judge_guidelines, suite(1, 0.01, 8, *some)) for some in ((planted,), ()))
    assert isinstance(broken.value, Count) and isinstance(kept.value, Count)
    assert broken.value.count > 0 == kept.value.count and broken.weight > kept.weight

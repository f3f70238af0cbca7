"""Guidelines that rows violate: planted ones are found, and none where there is only noise."""

import pytest

from network_rows import SIZES, network_row, suite, time_of
from weir.network.guidelines.judge import Violation, judge_rows, violations_of
from weir.results.row import Row

NOISE = (0.05, 0.1, 0.15)


def violations(rows: list[Row]) -> list[Violation]:
    return violations_of(judge_rows(rows).judgements)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("rounds", [6, 8, 10])
def test_noise_alone_raises_no_alarm(noise: float, rounds: int) -> None:
    for seed in range(4):  # 36 runs of the full suite in all
        judged = judge_rows(suite(seed, noise, rounds))
        assert len(judged.judgements) > 500
        assert violations_of(judged.judgements) == []


def planted(function: str, size: int) -> float:
    slow = function == "Allreduce" and size >= 1 << 16
    return time_of(function, size) * (2 if slow else 1)


@pytest.mark.parametrize("noise", NOISE[:2])
def test_a_planted_violation_of_2_times_is_found_as_one_with_its_range(noise: float) -> None:
    found = [one for one in violations(suite(1, noise, 8, planted)) if one.worst.by == "Reduce + Bcast"]
    assert {one.function for one in found} == {"Allreduce"}
    sizes = [judgement.size for one in found for judgement in one.judgements]
    assert set(sizes) <= set(SIZES[17:])
    if noise == NOISE[0]:
        (one,) = found
        assert len(one.judgements) == len(SIZES[17:])
        assert one.worst.estimate.low < 2 < one.worst.estimate.high * 1.2


def test_a_planted_violation_is_found_in_strong_noise_too() -> None:
    assert "Allreduce" in {one.function for one in violations(suite(1, NOISE[2], 8, planted))}


def test_a_function_that_is_slower_for_less_data_is_named() -> None:
    def dip(function: str, size: int) -> float:
        return time_of(function, size) * (3 if (function, size) == ("Bcast", 4096) else 1)

    (one,) = [one for one in violations(suite(1, 0.05, 8, dip)) if one.worst.rule is None]
    assert (one.function, one.worst.size) == ("Bcast", 4096)
    assert [part.options["bytes"] for part in one.worst.parts] == [8192]


def three(**changes: str) -> list[Row]:
    times = {"Allreduce": 10.0, "Reduce": 1.0, "Bcast": 1.0}
    return [
        network_row(name, 1024, [time * (1 + n / 100) for n in range(8)], **changes)
        for name, time in times.items()
    ]


def test_both_times_are_kept() -> None:
    (one,) = violations(three())
    assert one.worst.times_us == (pytest.approx(10.4), pytest.approx(2.08))


def test_calls_that_do_not_start_together_are_not_held_against_each_other() -> None:
    judged = judge_rows(three(start="free"))
    # Allreduce against Reduce and Bcast, and Reduce against Allreduce.
    assert (judged.judgements, judged.overlapping) == ((), 2)


def test_rows_of_other_settings_are_not_mixed() -> None:
    one, *others = three()
    other_ranks = [network_row(str(row.options["function"]), 1024, row.samples, ranks=2) for row in others]
    assert judge_rows([one, *other_ranks]).judgements == ()


def test_too_few_rounds_judge_nothing() -> None:
    judged = judge_rows([network_row(name, 8, [1.0] * 5) for name in ("Allreduce", "Reduce", "Bcast")])
    assert judged.judgements == ()
    assert len(judged.open_cases) == 3


def test_samples_of_one_launch_count_once() -> None:
    rows = three()
    for row in rows:
        for record in row.records:
            record.round = 1
    assert judge_rows(rows).judgements == ()


def test_ramped_counts_are_not_held_against_equal_ones() -> None:
    rows = [network_row(name, 8, [time] * 8) for name, time in (("Allgather", 9.0), ("Allgatherv", 1.0))]
    assert len(violations(rows)) == 1
    ramped = [
        network_row(name, 8, [time] * 8, counts="ramped")
        for name, time in (("Allgather", 9.0), ("Allgatherv", 1.0))
    ]
    assert violations(ramped) == []

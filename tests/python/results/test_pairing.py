"""How a ratio of two rows is told."""

import pytest

from samples import sample
from weir.analyse.statistics import fewest_samples
from weir.results.pairing import compare_all, times_with_interval
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import CaseRecord


def rows(count: int) -> list[Row]:
    cases = [CaseRecord(case=name, benchmark="storage", ranks=2) for name in "ab"]
    samples = [
        sample(name, launch=turn, round=turn, bandwidth_bytes_per_s=100.0 + turn)
        for turn in range(count)
        for name in "ab"
    ]
    return summarise([*cases, *samples]).rows


@pytest.mark.parametrize(("questions", "fewest"), [(1, 6), (2, 7), (4, 8)])
def test_a_ratio_without_an_interval_says_how_many_pairs_it_takes(questions: int, fewest: int) -> None:
    a, b = rows(fewest - 1)
    words = times_with_interval(compare_all([(a, b)] * questions)[0])
    assert words == f"1.00 times (no interval, which takes {fewest} pairs here, n = {fewest - 1} pairs)"
    a, b = rows(fewest)
    assert "no interval" not in times_with_interval(compare_all([(a, b)] * questions)[0])


def test_the_fewest_samples_grow_with_the_confidence() -> None:
    assert fewest_samples() == 6 < fewest_samples(0.999)

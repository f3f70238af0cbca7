"""Latencies of many samples as one."""

import pytest

from weir.analyse.latency import pool_latencies
from weir.store.records import Latency, SampleRecord


def sample(histogram: list[tuple[float, int]], slowest_rank: int = 0, verb: str = "write") -> SampleRecord:
    timed = sum(count for _, count in histogram)
    latency = Latency(
        timed=timed,
        operations=timed,
        min_s=histogram[0][0] * 0.95 if histogram else None,
        mean_s=sum(bound * count for bound, count in histogram) / timed if timed else None,
        max_s=histogram[-1][0] if histogram else None,
        slowest_rank=slowest_rank,
        relative_error=0.03125,
        histogram=histogram,
    )
    return SampleRecord(case="a", phase="write", latency={verb: latency})


def test_histograms_add_up_and_the_slowest_rank_is_that_of_the_slowest_request() -> None:
    (pooled,) = pool_latencies([sample([(1.0, 90), (2.0, 10)], 3), sample([(1.0, 98), (9.0, 2)], 5)])
    assert (pooled.verb, pooled.timed, pooled.samples) == ("write", 200, 2)
    assert pooled.histogram == ((1.0, 188), (2.0, 10), (9.0, 2))
    assert (pooled.max_s, pooled.slowest_rank) == (9.0, 5)
    assert pooled.mean_s == pytest.approx((188 + 20 + 18) / 200)


@pytest.mark.parametrize(
    ("share", "seconds"), [(0.5, 1 - 1 / 32), (0.94, 1 - 1 / 32), (0.95, 2 * (1 - 1 / 32)), (0.999, None)]
)
def test_percentiles_come_from_the_middle_of_their_bin(share: float, seconds: float | None) -> None:
    (pooled,) = pool_latencies([sample([(1.0, 188), (2.0, 10), (9.0, 2)])])
    assert pooled.percentile_s(share) == (None if seconds is None else pytest.approx(seconds))


def test_nothing_was_seen_beyond_the_extremes() -> None:
    (pooled,) = pool_latencies([sample([(1.0, 1)])])
    assert pooled.percentile_s(0.0) == pytest.approx(1 - 1 / 32)
    assert pooled.percentile_s(0.5) is None


def test_samples_that_timed_nothing_count_for_nothing() -> None:
    assert pool_latencies([SampleRecord(case="a", phase="write"), sample([])]) == ()
    pooled = pool_latencies([sample([(1.0, 1)]), sample([(1.0, 1)], verb="close")])
    assert [one.verb for one in pooled] == ["write", "close"]


def test_a_sample_weighs_in_the_mean_as_many_requests_as_it_timed() -> None:
    (pooled,) = pool_latencies([sample([(1.0, 100)]), sample([(10.0, 10)])])
    assert pooled.mean_s == pytest.approx(200 / 110)


@pytest.mark.parametrize(("least", "greatest", "median"), [(0.99, 0.995, 0.99), (0.9, 0.92, 0.92)])
def test_a_percentile_is_never_beyond_what_was_seen(least: float, greatest: float, median: float) -> None:
    seen = sample([(1.0, 4)])
    seen.latency["write"].min_s, seen.latency["write"].max_s = least, greatest
    (pooled,) = pool_latencies([seen])
    assert pooled.percentile_s(0.5) == median

"""A rank is named as slow only where chance would hardly have it."""

from weir.analyse.straggler import find_straggler
from weir.store.records import RankTimes, SampleRecord


def sample(slowest_rank: int, lateness: float = 1.4, ranks: int = 4) -> SampleRecord:
    times = {
        "open": RankTimes(min_s=0.0, mean_s=0.001, max_s=0.001, slowest_rank=9),
        "transfer": RankTimes(min_s=0.9, mean_s=1.0, max_s=lateness, slowest_rank=slowest_rank),
    }
    return SampleRecord(case="a", phase="write", ranks=ranks, times=times)


def test_the_rank_that_is_always_last_is_named() -> None:
    found = find_straggler([sample(3)] * 11 + [sample(0)])
    assert found is not None
    assert (found.rank, found.times, found.samples, found.lateness) == (3, 11, 12, 1.4)


def test_somebody_always_comes_last() -> None:
    assert find_straggler([sample(n % 4) for n in range(12)]) is None
    assert find_straggler([sample(3)] * 3) is None
    assert find_straggler([sample(3, lateness=1.01)] * 12) is None
    assert find_straggler([sample(0, ranks=1)] * 12) is None
    assert find_straggler([]) is None

"""A rank is named as slow only where chance would hardly have it."""

from weir.analyse.detail import find_straggler
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


def test_that_any_of_the_ranks_may_come_last_by_chance_is_reckoned_with() -> None:
    # A rank of 4 that was chosen before is last in 8 of 12 by chance in 0.28 %, any of them in 1.1 %.
    others = [sample(n % 3) for n in range(4)]
    assert find_straggler([sample(3)] * 8 + others) is None
    assert find_straggler([sample(3)] * 9 + others[:3]) is not None


def test_its_lateness_is_the_median_of_its_own_samples() -> None:
    own = [sample(3, lateness=1.2)] * 6 + [sample(3, lateness=3.0)] * 5
    found = find_straggler([*own, sample(0, lateness=3.0)])
    assert found is not None and found.lateness == 1.2

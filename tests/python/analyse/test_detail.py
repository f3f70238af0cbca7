"""What lies behind the number of a row: its course, what the kernel counted, and a rank that is named as slow
only where chance would hardly have it."""

from typing import Any

from samples import BANDWIDTH
from samples import sample as make_sample
from weir.analyse.detail import Course, count, detail_of, find_straggler
from weir.store.records import RankTimes, SampleRecord


def sample(bandwidth: float, first_done_s: float | None = None) -> SampleRecord:
    return make_sample(
        elapsed_s=2.0,
        bandwidth_bytes_per_s=bandwidth,
        timeline={"interval_s": 1.0, "bytes": [int(bandwidth), 1]},
        first_done_s=first_done_s,
        last_done_s=2.0,
    )


def test_the_course_is_that_of_the_sample_nearest_the_median() -> None:
    for samples in ([sample(1), sample(5), sample(9)], [sample(9), sample(1), sample(6)]):
        detail = detail_of(samples, BANDWIDTH, 5.0)
        assert detail.course is not None and detail.course.bytes[0] in (5, 6)


def test_ends_are_medians_of_samples_that_tell_both() -> None:
    detail = detail_of([sample(1, 0.1), sample(1, 0.2), sample(1, 0.9), sample(1)], BANDWIDTH, 1.0)
    assert (detail.first_done_s, detail.last_done_s) == (0.2, 2.0)


def test_longer_intervals_hold_the_same_bytes() -> None:
    coarse = Course(0.1, (1, 2, 3, 4, 5), 0.5).coarser(0.2)
    assert (coarse.interval_s, coarse.bytes) == (0.2, (3, 7, 5))


def counted(phase: str, **system: Any) -> SampleRecord:
    known = {"write_calls": 64, "write_call_bytes": 640, "writing_ranks": 2}
    known |= {"read_calls": 7, "read_call_bytes": 70, "reading_ranks": 1}
    known |= {"voluntary_switches": 5, "involuntary_switches": 3, "user_s": 0.5, "system_s": 0.25}
    return SampleRecord(case="a", phase=phase, ranks=4, operations=64, system={**known, **system})


def test_requests_are_those_of_the_phases_direction() -> None:
    counts = count([counted("write"), counted("write", write_calls=66), counted("write", write_calls=128)])
    assert counts is not None
    assert (counts.requests, counts.request_bytes, counts.ranks) == (66, 640, 2)
    assert (counts.switches, counts.cpu_s) == (8, 0.75)
    reading = count([counted("read")])
    assert reading is not None and (reading.requests, reading.ranks, reading.bytes_a_request) == (7, 1, 10)


def test_rounds_are_requests_of_an_active_rank_for_each_call_of_all() -> None:
    counts = count([counted("write")])
    assert counts is not None and counts.rounds == (64 / 2) / (64 / 4)


def test_what_the_kernel_did_not_tell_is_not_made_up() -> None:
    assert count([SampleRecord(case="a", phase="write")]) is None
    counts = count([counted("write", write_calls=None, user_s=None)])
    assert counts is not None
    assert (counts.requests, counts.rounds, counts.bytes_a_request, counts.cpu_s) == (None, None, None, None)


def slow(slowest_rank: int, lateness: float = 1.4, ranks: int = 4) -> SampleRecord:
    times = {
        "open": RankTimes(min_s=0.0, mean_s=0.001, max_s=0.001, slowest_rank=9),
        "transfer": RankTimes(min_s=0.9, mean_s=1.0, max_s=lateness, slowest_rank=slowest_rank),
    }
    return SampleRecord(case="a", phase="write", ranks=ranks, times=times)


def test_the_rank_that_is_always_last_is_named() -> None:
    found = find_straggler([slow(3)] * 11 + [slow(0)])
    assert found is not None
    assert (found.rank, found.times, found.samples, found.lateness) == (3, 11, 12, 1.4)


def test_it_is_told_with_its_node() -> None:
    found = find_straggler([slow(3)] * 12, {None: ["n1", "n1", "n2", "n2"]})
    assert found is not None and (found.rank, found.node) == (3, "n2")
    found = find_straggler([slow(3)] * 12, {None: ["n1"] * 4})
    assert found is not None and (found.rank, found.node) == (3, None)


def test_a_node_is_named_whose_ranks_are_late_in_turn() -> None:
    hosts = {None: [f"n{1 + rank // 4}" for rank in range(16)]}
    late = [slow(8 + n % 4, ranks=16) for n in range(12)]
    found = find_straggler(late, hosts)
    assert found is not None
    assert (found.rank, found.node, found.times, found.lateness) == (None, "n3", 12, 1.4)
    assert find_straggler(late) is None
    assert find_straggler([slow(4 * (n % 4), ranks=16) for n in range(12)], hosts) is None
    # Two of three ranks are on one node: that the slowest is one of them 6 times in 6 says little.
    uneven = {None: ["n1", "n1", "n2"]}
    assert find_straggler([slow(n % 2, ranks=3) for n in range(6)], uneven) is None


def test_somebody_always_comes_last() -> None:
    assert find_straggler([slow(n % 4) for n in range(12)]) is None
    assert find_straggler([slow(3)] * 3) is None
    assert find_straggler([slow(3, lateness=1.01)] * 12) is None
    assert find_straggler([slow(0, ranks=1)] * 12) is None
    assert find_straggler([]) is None


def test_that_any_of_the_ranks_may_come_last_by_chance_is_reckoned_with() -> None:
    # A rank of 4 that was chosen before is last in 8 of 12 by chance in 0.28 %, any of them in 1.1 %.
    others = [slow(n % 3) for n in range(4)]
    assert find_straggler([slow(3)] * 8 + others) is None
    assert find_straggler([slow(3)] * 9 + others[:3]) is not None


def test_its_lateness_is_the_median_of_its_own_samples() -> None:
    own = [slow(3, lateness=1.2)] * 6 + [slow(3, lateness=3.0)] * 5
    found = find_straggler([*own, slow(0, lateness=3.0)])
    assert found is not None and found.lateness == 1.2

"""What lies behind the number of a row."""

from samples import BANDWIDTH
from samples import sample as make_sample
from weir.analyse.detail import Course, detail_of
from weir.store.records import SampleRecord


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

"""What is worked out of a description."""

import pytest

from weir.core.description import MOST_RANK_RATE, Totals, most_cached_bytes

TIB = 1 << 40


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        (Totals(), None),
        (Totals(bytes_on_disk=TIB, time_bound_s=0.25), None),
        (Totals(bytes_on_disk=TIB, cached_bytes=320), 320),
        (Totals(cached_bytes=TIB, time_bound_s=0.25), 2 * MOST_RANK_RATE // 4),
        (Totals(cached_bytes=10, time_bound_s=0.25), 10),
    ],
)
def test_no_more_is_cached_than_comes_in_the_time(totals: Totals, expected: int | None) -> None:
    assert most_cached_bytes(totals, ranks=2) == expected

"""When two sets of samples are the same."""

import pytest

from weir.calibrate.curve import Match, compare


@pytest.mark.parametrize(
    ("level", "other", "match"),
    [
        ([100.0], [109.0], Match.SAME),
        ([100.0], [300.0], Match.UNSURE),
        ([100.0, 102.0], [300.0, 290.0], Match.OTHER),
        ([300.0, 290.0], [100.0, 102.0], Match.OTHER),
        ([100.0, 102.0], [300.0, 105.0], Match.UNSURE),
        ([100.0, 101.0], [110.5, 120.0], Match.UNSURE),
    ],
)
def test_single_or_mingled_samples_tell_no_difference(
    level: list[float], other: list[float], match: Match
) -> None:
    assert compare(level, other) is match

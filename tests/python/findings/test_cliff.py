"""Where a curve over file sizes falls."""

from rows import MIB, row
from weir.findings.cliff import find_drops
from weir.findings.row import Row


def curve(*speeds: tuple[int, float]) -> list[Row]:
    return [row("write", speed, block=size * MIB, sync="never") for size, speed in speeds]


def test_each_drop_is_measured_from_the_best_since_the_last_one() -> None:
    rows = curve((8, 3000), (16, 2900), (32, 1400), (64, 1300), (128, 500), (256, 450))
    drops = find_drops(rows, None)
    assert [(drop.best, drop.before, drop.after) for drop in drops] == [
        (rows[0], rows[1], rows[2]),
        (rows[2], rows[3], rows[4]),
    ]


def test_a_curve_that_rises_again_falls_from_its_new_best() -> None:
    rows = curve((8, 1000), (16, 400), (32, 900), (64, 800), (128, 300))
    drops = find_drops(list(reversed(rows)), None)
    assert [(drop.best, drop.after) for drop in drops] == [(rows[0], rows[1]), (rows[2], rows[4])]


def test_a_fall_to_more_than_half_is_none() -> None:
    assert find_drops(curve((8, 1000), (16, 520)), None) == []
    assert find_drops(curve((8, 1000), (16, 495)), None) == []  # its interval reaches across the half

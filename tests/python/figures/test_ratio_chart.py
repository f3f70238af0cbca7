"""Ratios of pairs as a chart: what the legend says of hollow points."""

from typing import Any

import pytest

from weir.figures.encoding import FEW
from weir.figures.ratio_chart import OPEN, SURE, RatioPoint, ratio_chart

POINTS = {
    SURE: RatioPoint("checkpoint", "aligned", 2.0, 1.8, 2.2, ""),
    OPEN: RatioPoint("checkpoint", "aligned", 1.1, 0.9, 1.3, ""),
    FEW: RatioPoint("checkpoint", "aligned", 2.0, None, None, ""),
}


def shape(states: list[str]) -> Any:
    dots = ratio_chart([POINTS[state] for state in states], "times as fast")["layer"][2]
    return dots["encoding"]["shape"]


@pytest.mark.parametrize("hollow", [[OPEN], [FEW], [OPEN, FEW]])
def test_hollow_points_are_named_for_what_they_lack(hollow: list[str]) -> None:
    told = shape([SURE, *hollow])
    assert told["legend"]["values"] == hollow
    assert told["scale"]["domain"] == [SURE, *hollow]
    assert len(set(told["scale"]["range"][1:])) == len(hollow)


def test_without_hollow_points_there_is_no_legend_of_them() -> None:
    assert shape([SURE])["legend"] is None

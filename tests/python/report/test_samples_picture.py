"""The picture of a first screen: every sample, over time where that is known."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from rows import MIB, row, with_samples
from samples import RATE
from weir.report.samples_picture import samples_picture
from weir.results.row import Row

SPEEDS = [100.0, 101.0, 250.0]


def sampled(phase: str, *, starts: list[str] | None = None, **changes: Any) -> Row:
    made = with_samples(row(phase, 101, **changes), [speed * MIB for speed in SPEEDS])
    if starts is None:
        return made
    records = [
        msgspec.structs.replace(one, started_at=at) for one, at in zip(made.records, starts, strict=True)
    ]
    return replace(made, records=tuple(records))


def points(panel: Any) -> list[tuple[float, float, str]]:
    return [(one["x"], one["y"], one["series"]) for one in panel.spec["data"]["values"]]


def axis_of(panel: Any) -> str:
    return str(panel.spec["layer"][1]["encoding"]["x"]["title"])


@pytest.mark.parametrize(
    ("last", "unit", "x"),
    [("00:30", "seconds", [0, 10, 30]), ("02:00", "minutes", [0, 10 / 60, 2])],
)
def test_samples_stand_where_they_were_taken(last: str, unit: str, x: list[float]) -> None:
    starts = [f"2026-01-01T00:{at}.000Z" for at in ("00:00", "00:10", last)]
    drawn = samples_picture({"Write": sampled("write", starts=starts), "Read": None})
    assert drawn is not None
    (panel,) = drawn.panels
    assert points(panel) == [(pytest.approx(at), speed, "Write") for at, speed in zip(x, SPEEDS, strict=True)]
    assert axis_of(panel) == unit
    medians = panel.spec["layer"][0]["data"]["values"]
    assert medians == [{"y": 101.0, "series": "Write"}]


def test_without_times_samples_are_counted() -> None:
    drawn = samples_picture({"Write": sampled("write")})
    assert drawn is not None and axis_of(drawn.panels[0]) == "sample"
    assert [x for x, _, _ in points(drawn.panels[0])] == [1, 2, 3]


@pytest.mark.parametrize("starts", [["2026-01-01T00:00:00.000Z"] * 3, ["", "", ""]])
def test_equal_or_unknown_times_are_no_times(starts: list[str]) -> None:
    drawn = samples_picture({"Write": sampled("write", starts=starts)})
    assert drawn is not None and axis_of(drawn.panels[0]) == "sample"


def test_each_mode_has_a_line_and_a_logarithmic_axis_says_so() -> None:
    both = with_samples(row("write", 500), [speed * MIB for speed in (100, 1000) * 4])
    drawn = samples_picture({"Write": both})
    assert drawn is not None
    line, dots = drawn.panels[0].spec["layer"]
    assert [one["y"] for one in line["data"]["values"]] == [100.0, 1000.0]
    assert dots["encoding"]["y"]["title"] == "bandwidth (MiB/s), logarithmic"


def test_a_panel_a_metric() -> None:
    rates = sampled("create", metric=RATE)
    drawn = samples_picture({"Write": sampled("write"), "Create": rates})
    assert drawn is not None and [panel.title for panel in drawn.panels] == ["Bandwidth", "Rate"]


def test_nothing_sampled_is_not_drawn() -> None:
    assert samples_picture({}) is None
    assert samples_picture({"Write": row("write", 100), "Read": None}) is None

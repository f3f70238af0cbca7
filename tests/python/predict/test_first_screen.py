"""The first screen of a forecast."""

from dataclasses import replace

import pytest

from weir.analyse.statistics import estimate_median
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.answers.words import action_of, title_of
from weir.cli._screen import screen_lines
from weir.mimic.fidelity import Fidelity
from weir.mimic.imitation import Imitation
from weir.predict.calls import Calls
from weir.predict.expected_error import Expected
from weir.predict.first_screen import Forecast, first_screen
from weir.predict.forecast import forecast

from .test_forecast import BYTES, imitated, runs

EXPECTED = Expected(0.03, -0.2, 0.25, 0.9, 19, of_kind=False)


def calls(*seconds: float) -> Calls:
    found = estimate_median(list(seconds))
    assert found
    return Calls({}, found, None, None)


def made(count: int = 6, **changes: object) -> Forecast:
    rows = forecast(imitated(), runs(2.0, 0.5, count=count), None)
    found = Forecast("/x/p.json", "posix", 2, imitated(), rows, calls(*[1.0] * count), EXPECTED, None)
    return replace(found, **changes)  # type: ignore[arg-type]


def test_sums_stand_first_and_single_phases_only_where_there_are_several() -> None:
    screen = first_screen(made())
    assert [title_of(one) for one in screen.rows] == ["All writes", "All reads", "Time in I/O calls"]
    assert screen.place == ("forecast of p.json through posix", "2 ranks")
    first = screen.rows[0].value
    assert isinstance(first, Quantity) and first.median == pytest.approx(BYTES / 2.0, rel=0.01)
    assert screen.rows[0].certainty is Certainty.SURE and screen.rows[0].setting == "synced"


def test_sums_of_one_state_are_told_from_the_sum_of_all() -> None:
    (whole, *_) = [row for row in made().rows if not row.phase and row.direction == "write"]
    parts = [replace(whole, state=state) for state in ("not synced", "synced")]
    screen = first_screen(made(rows=[replace(whole, state="not synced, synced"), *parts]))
    titles = [title_of(one) for one in screen.rows]
    assert titles[:3] == ["All writes", "All writes, not synced", "All writes, synced"]


def test_what_the_program_takes_follows_from_the_expected_error() -> None:
    screen = first_screen(made())
    assert action_of(screen.rows[2]) == "the program takes 800 ms to 1.25 s"
    (caveat,) = screen.caveats
    assert (caveat.code, caveat.words) == (
        "expected-error",
        {"low": "-20 %", "high": "+25 %", "programs": "19 programs"},
    )
    assert [one.code for one in first_screen(made(expected=None)).caveats] == ["unknown-error"]


def test_one_sample_is_open_and_says_so() -> None:
    screen = first_screen(made(count=1))
    assert {one.certainty for one in screen.rows} == {Certainty.OPEN}
    assert [(one.code, one.count) for one in screen.caveats] == [("few", 4), ("expected-error", 1)]


@pytest.mark.parametrize(
    ("alike", "certainty", "caveats"),
    [
        (0.95, Certainty.SURE, []),
        (0.7, Certainty.WITHIN, [("unlike", {"alike": "0.70"})]),
        (0.33, Certainty.OPEN, [("unlike", {"alike": "0.33"})]),
    ],
)
def test_no_forecast_is_surer_than_its_imitation_is_alike(
    monkeypatch: pytest.MonkeyPatch, alike: float, certainty: Certainty, caveats: list[object]
) -> None:
    monkeypatch.setattr(Imitation, "fidelity", property(lambda _: Fidelity((alike,), alike)))
    screen = first_screen(made())
    assert {one.certainty for one in screen.rows} == {certainty}
    found = [one for one in screen.open_caveats if one.code != "expected-error"]
    assert [(one.code, one.words) for one in found] == caveats
    measured = made(rows=forecast(imitated(), runs(2.0, 0.5), runs(1.0, 0.5)))
    errors = [one for one in first_screen(measured).rows if one.question == "forecast-error"]
    assert {one.certainty for one in errors} == {Certainty.SURE}


def test_the_error_against_the_program_is_a_ratio_with_its_causes() -> None:
    rows = forecast(imitated(), runs(2.0, 0.5), runs(1.0, 0.5))
    screen = first_screen(made(rows=rows))
    errors = {title_of(one): one for one in screen.rows if one.question == "forecast-error"}
    write, read = errors["Forecast, All writes"], errors["Forecast, All reads"]
    assert isinstance(write.value, Ratio) and write.value.times == pytest.approx(0.5, rel=0.01)
    assert isinstance(read.value, Ratio) and read.value.times == pytest.approx(1.0, rel=0.01)
    assert write.action in ("cannot-express", "all-expressed") and not read.action
    other = first_screen(made(rows=rows, preset="shan-2007")).rows
    assert {one.action for one in other if one.question == "forecast-error"} <= {
        "preset-differs",
        "all-expressed",
        "",
    }
    assert max(map(len, screen_lines(screen))) <= 80

"""Histories: levels of made-up series, and what a person is told."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rows import row
from weir.analyse.metric import Metric
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.compare.history import Course, Series, course, courses, without_last
from weir.compare.history_screen import History, history_screen
from weir.compare.read_history import news
from weir.compare.standings import Verdict

RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)
TIME = Metric("elapsed_s", "s", "time", greater_is_better=False)


def series(*levels: tuple[int, float], metric: Metric = RATE, noise: float = 0.03, **known: int) -> Series:
    draw = random.Random(str(levels))
    values = [level * math.exp(draw.gauss(0, noise)) for count, level in levels for _ in range(count)]
    made = tuple(f"2026-{1 + day // 28:02}-{1 + day % 28:02}T02:00:00Z" for day in range(len(values)))
    return Series("Write", replace(row("write", 1), metric=metric), made, tuple(values), **known)


def judged(*levels: tuple[int, float], metric: Metric = RATE, **known: int) -> Course:
    return course(series(*levels, metric=metric, **known), 0.05, 1.1)


@pytest.mark.parametrize(
    ("metric", "level", "verdict"),
    [
        (RATE, 0.7, Verdict.WORSE),
        (RATE, 1.4, Verdict.BETTER),
        (TIME, 0.7, Verdict.BETTER),
        (TIME, 1.4, Verdict.WORSE),
    ],
)
def test_the_last_level_is_judged_by_what_is_better(metric: Metric, level: float, verdict: Verdict) -> None:
    found = judged((20, 1.0), (10, level), metric=metric)
    assert found.verdict is verdict and len(found.levels) == 2
    assert found.since == found.series.made[20]
    expected = level if metric is RATE else 1 / level
    assert found.apart and found.apart.ratio == pytest.approx(expected, rel=0.03)


def test_a_series_is_steady_only_where_a_change_could_have_been_found() -> None:
    fewest = judged((5, 1.0)).fewest
    assert 10 < fewest < 16
    assert judged((fewest, 1.0)).verdict is Verdict.SAME
    assert judged((fewest - 1, 1.0)).verdict is Verdict.OPEN
    assert judged((fewest, 1.0)).since == ""
    half = fewest // 2
    assert judged((half, 1.0), (fewest - half, 0.5)).verdict is Verdict.WORSE
    assert judged((half, 1.0), (fewest - half - 1, 0.5)).verdict is Verdict.OPEN
    assert course(series((5, 1.0)), 0.001, 1.1).fewest > fewest, "among many rows each needs more"


def test_what_matters_to_nobody_makes_no_level() -> None:
    found = judged((40, 1.0), (40, 0.95))
    assert len(found.levels) == 1 and found.verdict is Verdict.SAME


def test_a_level_that_came_back_is_compared_with_the_one_before() -> None:
    found = judged((20, 1.0), (10, 0.6), (12, 1.0))
    assert found.verdict is Verdict.BETTER and len(found.levels) == 3


def test_the_baseline_s_level_is_the_reference() -> None:
    found = judged((20, 1.0), (10, 0.6), (12, 1.0), baseline=3)
    assert found.reference == found.levels[0] and found.verdict is Verdict.SAME
    found = judged((20, 1.0), (10, 0.6), baseline=25)
    assert found.reference is None and found.verdict is Verdict.SAME, "a marked level is as it should be"


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_last_runs_perhaps_have_changed(count: int) -> None:
    found = judged((20, 1.0), (count, 0.5))
    assert len(found.levels) == 1 and found.perhaps
    assert found.perhaps.at == 20 and found.perhaps.times == pytest.approx(0.5, rel=0.1)


def test_seldom_do_the_last_runs_of_a_steady_series_look_changed() -> None:
    draw, false, tries = random.Random(1), 0, 200
    for _ in range(tries):
        values = tuple(math.exp(draw.gauss(0, 0.1)) for _ in range(20))
        found = course(replace(series((20, 1.0)), values=values), 0.05, 1.01)
        false += found.perhaps is not None
    assert false <= 0.02 * tries


def test_a_value_of_zero_has_no_verdict() -> None:
    found = course(replace(series((8, 1.0)), values=(0.0,) * 8), 0.05, 1.1)
    assert found.verdict is Verdict.OPEN and found.apart is None


def history(found: Sequence[Course], others: Sequence[Course] = ()) -> History:
    made = max((one.series.made for one in (*found, *others)), key=len, default=())
    return History("nightly", "n1", made, tuple(found), tuple(others))


def test_the_first_screen_says_since_when() -> None:
    found = history([judged((20, 1.0), (10, 0.7)), judged((30, 2.0))], [judged((30, 1.0))])
    screen = history_screen(found)
    assert screen.verdict.startswith("nightly on n1 · 30 runs · write worse")
    changed, steady, others = screen.rows
    assert isinstance(changed.value, Ratio) and changed.certainty is Certainty.SURE
    assert changed.words == {"date": "2026-01-21"} and changed.action == "worse-since"
    assert isinstance(steady.value, Quantity) and steady.value.n == 30 and steady.action == "steady"
    assert others.question == "other-courses"
    assert not screen.caveats


def test_steady_series_share_the_chance_of_a_false_change() -> None:
    draw = random.Random(5)
    tries, rows = 20, 30
    false = 0
    for _ in range(tries):
        many = [
            replace(series((40, 1.0)), values=tuple(math.exp(draw.gauss(0, 0.2)) for _ in range(40)))
            for _ in range(rows)
        ]
        false += any(len(one.levels) > 1 for one in courses(many))
    assert false <= 0.05 * tries + 2 * math.sqrt(0.05 * tries)
    short = series((3, 1.0))
    assert courses([short] * 50)[0].fewest > courses([short])[0].fewest


def test_a_change_and_a_doubt_are_both_told() -> None:
    found = judged((20, 1.0), (20, 1.5), (3, 0.5))
    assert found.reference and found.perhaps
    told = [one.action for one in history_screen(history([found])).rows]
    assert told == ["better-since", "perhaps-since"]
    others = history_screen(history([], [found])).rows[0]
    assert others.certainty is Certainty.SURE


def test_without_a_row_nothing_is_steady() -> None:
    assert history_screen(history([])).place[-1] == "undecided" and history([]).is_open


def test_rows_that_the_last_run_lacks_are_a_caveat() -> None:
    found = judged((20, 1.0), (10, 0.6))
    made = (*found.series.made, "2027-01-01T00:00:00Z")
    screen = history_screen(replace(history([found]), made=made))
    assert [(one.count, one.of) for one in screen.caveats if one.code == "gone-rows"] == [(1, 1)]


def test_few_runs_are_a_caveat() -> None:
    screen = history_screen(history([judged((3, 1.0))]))
    assert [one.code for one in screen.open_caveats] == ["few-runs"]
    assert screen.rows[0].certainty is Certainty.OPEN and screen.rows[0].action == "more-runs"


def test_news_is_what_the_last_run_changed() -> None:
    whole = series((20, 1.0), (10, 0.5))
    seen = []
    for count in range(15, 31):
        cut = replace(whole, made=whole.made[:count], values=whole.values[:count])
        before = without_last([cut], cut.made[-1])
        seen.append(news(history(courses([cut])), history(courses(before))))
    changes = [15 + number for number, is_news in enumerate(seen) if is_news]
    assert changes[0] == 21, "the first slow run"
    assert len(changes) == 2 and 23 <= changes[1] <= 27, "and when it became sure"


def test_a_row_that_the_last_run_lacks_stays_as_it_was() -> None:
    one = series((8, 1.0))
    assert without_last([one], "2027-01-01T00:00:00Z") == [one]

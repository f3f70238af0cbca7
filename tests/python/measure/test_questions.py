from dataclasses import replace
from pathlib import Path

import pytest

from samples import sample as make_sample
from weir.launch.process import Exit
from weir.measure.launch_watch import spec_of
from weir.measure.questions import Question, answerable, outlook, questions_of, thinned
from weir.measure.run_history import read_history
from weir.measure.scheduler import Scheduler
from weir.measure.scratch_directory import Scratch
from weir.measure.stopping_rule import CaseState, Goals, Verdict
from weir.store.records import FinishedRecord
from weir.study.case import Case
from weir.study.schema import ComparisonSection

from .simulation import Machine, make_case, simulate


def ten_each(cases: frozenset[str]) -> float:
    return 10.0 * len(cases)


def test_what_answers_most_for_its_time_comes_first() -> None:
    large = Question("large", frozenset("abcdef"), claims=3)
    small = Question("small", frozenset("xy"), claims=2)
    assert answerable([large, small], ten_each, 60.0) == [small]
    assert answerable([large, small], ten_each, 80.0) == [small, large]


def case_of(name: str, comparison: str, **options: object) -> Case:
    return replace(make_case(name), options=options, comparisons=(comparison,))


def test_an_application_is_measured_with_what_imitates_it_or_not_at_all() -> None:
    both = [("itself", "pattern"), ("made", "derived")]
    cases = [
        case_of(f"{name}-{comparison}-{sync}", comparison, sync=sync, imitation=by)
        for comparison in ("cmb", "flash")
        for sync in (False, True)
        for name, by in both
    ]
    parts = [ComparisonSection(name, figure="prediction-errors") for name in ("cmb", "flash")]
    questions = questions_of(parts, cases)
    assert [question.cases for question in questions] == [
        frozenset(case.id for case in cases[first : first + 2]) for first in (0, 2, 4, 6)
    ]
    found = outlook(questions, dict.fromkeys((case.id for case in cases), False), ten_each, 45.0)
    assert found.cases == {case.id for case in cases[:4]}
    assert found.left_out == {"flash": 4}, "not those of the comparisons before it"


def test_cases_left_out_are_counted_by_their_own_comparison() -> None:
    parts = [ComparisonSection(name, figure="transfer") for name in ("one", "other")]
    cases = [case_of(f"{name}{number}", name) for name in ("one", "other") for number in range(3)]
    questions = questions_of(parts, cases)
    assert questions[1].cases == {case.id for case in cases}, "it adds to what the first compares"
    found = outlook(questions, dict.fromkeys((case.id for case in cases), False), ten_each, 5.0)
    assert found.left_out == {"one": 3, "other": 3}


def test_some_of_the_cases_are_spread_evenly() -> None:
    assert thinned(list("abcde"), ten_each, 35.0) == frozenset("ace")
    assert thinned(list("abcde"), ten_each, 5.0) == frozenset()


def test_guesses_are_corrected_by_what_others_took() -> None:
    states = [CaseState(make_case(name)) for name in "ab"]
    states[0].durations_s = [6.0]
    scheduler = Scheduler(states, Goals(), spec_of=spec_of, prior_s=lambda _: 2.0)
    scheduler.next_launch(1000.0)
    assert scheduler.expected_s(states[1]) == 6.0


def test_the_first_launch_goes_through_its_cases_once() -> None:
    scheduler = Scheduler([CaseState(make_case("a"))], Goals(), spec_of=spec_of, prior_s=lambda _: 0.1)
    assert round(scheduler.outlook(1000.0).needed_s, 3) == 3 * 1.0 + 6 * 0.1


def test_what_the_budget_starved_is_open_again() -> None:
    case = make_case("a")
    sample = make_sample(bandwidth_bytes_per_s=1.0)
    end = FinishedRecord(case="a", verdict="inconclusive")
    assert read_history([case], [*[sample] * 5, end], 6).states[0].verdict is None
    assert read_history([case], [*[sample] * 6, end], 6).states[0].verdict is Verdict.INCONCLUSIVE


def test_files_of_a_launch_that_died_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    emptied: list[bool] = []
    monkeypatch.setattr(Scratch, "empty", lambda self: emptied.append(True))
    study = simulate(tmp_path, [make_case("a")], Machine(trouble={"a": "kill once"}))
    assert len(emptied) == 1 and study.states["a"].samples == 6


def test_memory_is_touched_again_after_a_first_launch_that_died(tmp_path: Path) -> None:
    machine = Machine(starts=[Exit(137)])
    sent = simulate(tmp_path, [make_case("a")], machine, warm_memory_bytes=7).sent
    assert [file["warm_memory_bytes"] for file in sent[:3]] == [7, 7, 0]

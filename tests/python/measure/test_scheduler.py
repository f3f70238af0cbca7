"""What is launched next, by the time that is left."""

from collections.abc import Collection

from weir.measure.launch_watch import spec_of
from weir.measure.questions import Question
from weir.measure.scheduler import Scheduler
from weir.measure.stopping_rule import CaseState, Goals, Verdict
from weir.study.case import Case

from .simulation import make_case

CASE_S = 2.0
LAUNCH_S = 1.0


def scheduler_of(cases: list[Case], deciding: Collection[str] = (), samples: int = 0) -> Scheduler:
    """With so many samples of each case, that are far apart."""
    values = [100.0 * (at + 1) for at in range(samples)]
    states = [CaseState(case, {"write": list(values)} if values else {}) for case in cases]
    scheduler = Scheduler(
        states, Goals(), spec_of=spec_of, prior_s=lambda _: CASE_S, open_cases=lambda: deciding
    )
    scheduler.launch_took(LAUNCH_S)
    return scheduler


def launched(scheduler: Scheduler, remaining_s: float) -> list[str] | None:
    planned = scheduler.next_launch(remaining_s)
    return [state.case.id for state in planned.states] if planned else None


def test_cases_of_one_launch_pay_for_its_start_once() -> None:
    cases = [make_case(name) for name in "abc"]
    assert launched(scheduler_of(cases), LAUNCH_S + 3 * CASE_S) == ["a", "b", "c"]
    assert launched(scheduler_of(cases), LAUNCH_S + 3 * CASE_S - 0.5) == ["a", "b"]


def test_a_launch_that_waits_is_judged_by_what_the_one_before_took() -> None:
    scheduler = scheduler_of([make_case("a", ranks=1), make_case("b", ranks=2)])
    assert launched(scheduler, 100) == ["a"]
    scheduler.states[0].durations_s = [50 * CASE_S]
    assert launched(scheduler, 10 * CASE_S) is None, "the first guess at b is as far off"


def test_cases_of_two_launches_pay_for_both() -> None:
    scheduler = scheduler_of([make_case("a", ranks=1), make_case("b", ranks=2)])
    assert launched(scheduler, 2 * CASE_S + LAUNCH_S) == ["a"]
    # What the first took is gone; for the second there is no start left.
    assert launched(scheduler, CASE_S) is None


def test_once_all_have_enough_only_cases_run_that_decide_something() -> None:
    cases = [make_case(name) for name in "abcd"]
    scheduler = scheduler_of(cases, deciding={"b", "d"}, samples=6)
    assert launched(scheduler, 100) == ["b", "d"]
    assert launched(scheduler_of(cases, deciding={"b"}, samples=5), 100) == ["a", "b", "c", "d"]


def with_first(cases: list[Case], first: Collection[str], done: dict[str, int]) -> Scheduler:
    states = [CaseState(case, {"write": [1.0] * done.get(case.id, 0)}) for case in cases]
    scheduler = Scheduler(states, Goals(), spec_of=spec_of, prior_s=lambda _: CASE_S, first_cases=first)
    scheduler.launch_took(LAUNCH_S)
    return scheduler


def test_short_time_goes_to_the_first_cases_until_they_have_enough() -> None:
    cases = [make_case(name) for name in "abcd"]
    enough = Goals().min_samples
    short, long = enough * (2 * CASE_S + LAUNCH_S), 1000.0
    assert launched(with_first(cases, "bd", {}), short) == ["b", "d"]
    assert launched(with_first(cases, "bd", {"b": enough}), short) == ["d"]
    assert launched(with_first(cases, "bd", {}), long) == ["a", "b", "c", "d"], "it suffices for all"
    done = dict.fromkeys("bd", enough)
    assert launched(with_first(cases, "bd", done), long) == ["a", "c"]
    assert launched(with_first(cases, ["of another study"], {}), long) == ["a", "b", "c", "d"]


def test_first_cases_that_do_not_fit_are_thinned_and_not_left_out() -> None:
    cases = [make_case(name) for name in "abcdefgh"]
    for_one = Goals().min_samples * (CASE_S + LAUNCH_S)
    assert launched(with_first(cases, "fg", {}), for_one) in (["f"], ["g"])


def test_what_is_left_of_the_time_is_used_where_nothing_is_open() -> None:
    cases = [make_case(name) for name in "ab"]
    assert launched(scheduler_of(cases, samples=6), 100) == ["a", "b"]


def test_the_same_command_comes_to_an_end_where_no_comparison_fits_whole() -> None:
    """One comparison is finished, the other takes longer than each command has: its cases come one by one."""
    one, others = make_case("one"), [make_case(f"other-{number}") for number in range(20)]
    whole = [Question("one", frozenset({"one"})), Question("others", frozenset(case.id for case in others))]
    states = [CaseState(case) for case in (one, *others)]
    states[0].values = {"write": [1.0] * Goals().min_samples}
    states[0].settle(Verdict.PRECISE, "")
    begun = 0
    for round_number in range(1, 200):
        scheduler = Scheduler(
            states,
            Goals(),
            spec_of=spec_of,
            prior_s=lambda _: CASE_S,
            first_round=round_number,
            questions=whole,
        )
        planned = scheduler.next_launch(LAUNCH_S + 3 * CASE_S)
        if planned is None:
            break
        begun += 1
        for state in planned.order():
            state.values.setdefault("write", []).append(1.0)
            state.durations_s.append(CASE_S)
            if state.samples >= Goals().min_samples:
                state.settle(Verdict.PRECISE, "")
    assert begun > 0
    assert all(state.samples >= Goals().min_samples for state in states)


def test_fresh_samples_are_of_launches_of_their_own() -> None:
    cases = [make_case(name) for name in "ab"]
    states = [CaseState(case, {"write": [100.0]}, durations_s=[0.01]) for case in cases]
    goals = Goals(fresh=True)
    scheduler = Scheduler(states, goals, spec_of=spec_of, prior_s=lambda _: CASE_S)
    scheduler.launch_took(LAUNCH_S)
    found = [scheduler.next_launch(100) for _ in range(4)]
    assert [planned and planned.order() for planned in found] == [[states[at]] for at in (0, 1, 1, 0)]

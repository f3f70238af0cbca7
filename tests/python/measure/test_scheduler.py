"""What is launched next, by the time that is left."""

from weir.measure.launch_watch import spec_of
from weir.measure.scheduler import Scheduler
from weir.measure.stopping_rule import CaseState, Goals
from weir.study.case import Case

from .simulation import make_case

CASE_S = 2.0
LAUNCH_S = 1.0


def scheduler_of(cases: list[Case]) -> Scheduler:
    states = [CaseState(case) for case in cases]
    scheduler = Scheduler(states, Goals(), spec_of=spec_of, prior_s=lambda _: CASE_S)
    scheduler.launch_took(LAUNCH_S)
    return scheduler


def launched(scheduler: Scheduler, remaining_s: float) -> list[str] | None:
    planned = scheduler.next_launch(remaining_s)
    return [state.case.id for state in planned.states] if planned else None


def test_cases_of_one_launch_pay_for_its_start_once() -> None:
    cases = [make_case(name) for name in "abc"]
    assert launched(scheduler_of(cases), LAUNCH_S + 3 * CASE_S) == ["a", "b", "c"]
    assert launched(scheduler_of(cases), LAUNCH_S + 3 * CASE_S - 0.5) == ["a", "b"]


def test_cases_of_two_launches_pay_for_both() -> None:
    scheduler = scheduler_of([make_case("a", ranks=1), make_case("b", ranks=2)])
    assert launched(scheduler, 2 * CASE_S + LAUNCH_S) == ["a"]
    # What the first took is gone; for the second there is no start left.
    assert launched(scheduler, CASE_S) is None

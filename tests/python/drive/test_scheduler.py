"""What is launched next, by the time that is left."""

from weir.drive.case_state import CaseState, Goals
from weir.drive.launch_watch import spec_of
from weir.drive.scheduler import Scheduler
from weir.study.case import Case

from .simulation import make_case

CASE_S = 2.0
LAUNCH_S = 1.0


def launched(cases: list[Case], remaining_s: float) -> list[str]:
    scheduler = Scheduler(
        [CaseState(case) for case in cases], Goals(), spec_of=spec_of, prior_s=lambda _: CASE_S
    )
    scheduler.launch_took(LAUNCH_S)
    planned = scheduler.next_launch(remaining_s)
    return [state.case.id for state in planned.states] if planned else []


def test_cases_of_one_launch_pay_for_its_start_once() -> None:
    cases = [make_case(name) for name in "abc"]
    assert launched(cases, LAUNCH_S + 3 * CASE_S) == ["a", "b", "c"]
    assert launched(cases, LAUNCH_S + 3 * CASE_S - 0.5) == ["a", "b"]


def test_cases_of_two_launches_pay_for_both() -> None:
    cases = [make_case("a", ranks=1), make_case("b", ranks=2)]
    scheduler = Scheduler(
        [CaseState(case) for case in cases], Goals(), spec_of=spec_of, prior_s=lambda _: CASE_S
    )
    scheduler.launch_took(LAUNCH_S)
    first = scheduler.next_launch(2 * CASE_S + LAUNCH_S)
    assert first is not None and [state.case.id for state in first.states] == ["a"]
    # What the first took is gone; for the second there is no start left.
    assert scheduler.next_launch(CASE_S) is None

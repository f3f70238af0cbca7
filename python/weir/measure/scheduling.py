"""The scheduler of a plan's cases, and what it says before anything runs: the launches that a run would begin
with, and what its time can answer."""

from collections.abc import Callable, Collection, Sequence

from weir.measure.launch_watch import spec_of
from weir.measure.parted_scheduler import PartedScheduler, parts_of
from weir.measure.plan import Plan
from weir.measure.questions import Outlook, questions_of
from weir.measure.scheduler import PlannedLaunch, Scheduler
from weir.measure.stopping_rule import CaseState
from weir.study.parts import shares_of


def first_round(plan: Plan) -> list[PlannedLaunch]:
    """All launches of the first round, cut as the first guesses at their length say."""
    return [*scheduler_of(plan, [CaseState(case) for case in plan.cases]).first_launches()]


def outlook_of(plan: Plan, budget_s: float | None) -> Outlook:
    """What a new run of the plan would begin with, in its budget or the study's."""
    scheduler = scheduler_of(plan, [CaseState(case) for case in plan.cases])
    return scheduler.outlook(plan.budget_s(budget_s))


def scheduler_of(
    plan: Plan,
    states: Sequence[CaseState],
    *,
    first_round: int = 1,
    open_cases: Callable[[], Collection[str]] = frozenset,
) -> Scheduler | PartedScheduler:
    """That of a run of the plan, which has these samples already; of a study with parts one that shares its
    time among them."""
    questions = questions_of(plan.study.comparisons, plan.cases)

    def of(some: Sequence[CaseState]) -> Scheduler:
        mine = {name for state in some for name in state.case.comparisons}
        return Scheduler(
            some,
            plan.goals,
            spec_of=spec_of,
            prior_s=plan.prior_s,
            first_round=first_round,
            questions=[question for question in questions if question.comparison in mine],
            open_cases=open_cases,
            first_cases=plan.first,
        )

    shares = shares_of(plan.study.file)
    if not shares:
        return of(states)
    part_of = {one.name: one.part for one in plan.study.comparisons}
    return PartedScheduler(parts_of(states, lambda one: part_of[one.case.comparisons[0]], shares, of))

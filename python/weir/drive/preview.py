"""The launches that a run would begin with, without launching."""

from weir.drive.case_state import CaseState, Goals
from weir.drive.launch_spec import spec_of
from weir.drive.plan import Plan
from weir.drive.scheduler import PlannedLaunch, Scheduler


def first_round(plan: Plan) -> list[PlannedLaunch]:
    """All launches of the first round, cut as the first guesses at their length say."""
    scheduler = _fresh_scheduler(plan)
    launches: list[PlannedLaunch] = []
    while True:
        planned = scheduler.next_launch(remaining_s=float("inf"))
        if planned is None or planned.round > 1:
            return launches
        launches.append(planned)


def least_time_s(plan: Plan) -> float:
    """Time for the least number of samples of every case, if the storage is as fast as assumed (see plan)."""
    return plan.study.file.study.min_samples * sum(launch.expected_s for launch in first_round(plan))


def _fresh_scheduler(plan: Plan) -> Scheduler:
    return Scheduler([CaseState(case) for case in plan.cases], Goals(), spec_of=spec_of, prior_s=plan.prior_s)

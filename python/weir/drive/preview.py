"""The launches that a run would begin with, without launching."""

import math

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.counts import count_words
from weir.drive.case_state import CaseState, Goals
from weir.drive.launch_spec import spec_of
from weir.drive.plan import ASSUMED_BYTES_PER_S, Plan
from weir.drive.questions import Outlook, questions_of
from weir.drive.scheduler import PlannedLaunch, Scheduler
from weir.units import format_bandwidth, format_seconds, spell_seconds


def first_round(plan: Plan) -> list[PlannedLaunch]:
    """All launches of the first round, cut as the first guesses at their length say."""
    scheduler = _fresh_scheduler(plan)
    launches: list[PlannedLaunch] = []
    while True:
        planned = scheduler.next_launch(remaining_s=float("inf"))
        if planned is None or planned.round > 1:
            return launches
        launches.append(planned)


def outlook_of(plan: Plan, budget_s: float | None) -> Outlook:
    """What a new run of the plan would begin with, in its budget or the study's."""
    return _fresh_scheduler(plan).outlook(budget_s or plan.study.budget_s)


def outlook_words(found: Outlook, min_samples: int) -> list[str]:
    """What the time can answer, and how to get the rest; nothing where it suffices for all."""
    if found.is_whole:
        return []
    claims = (
        f", and with them {found.claims} of {count_words(found.all_claims, 'claim')}"
        if found.all_claims
        else ""
    )
    missing = ", ".join(f"{name} ({count})" if name else str(count) for name, count in found.left_out.items())
    speed = f"if the storage moves {format_bandwidth(ASSUMED_BYTES_PER_S)}"
    return [
        f"the budget of {format_seconds(found.time_s)} suffices for {count_words(min_samples, 'sample')} of "
        f"{len(found.cases)} of {count_words(found.all_cases, 'case')}{claims}, {speed}",
        f"left out unless it is faster, cases of: {missing}; to measure all takes --budget "
        f"{spell_seconds(float(math.ceil(found.needed_s)))}, or the same command again, which goes on",
    ]


def interval_words(most_samples: int) -> list[str]:
    """That nothing can be concluded of any case, where that is known beforehand."""
    if most_samples >= FEWEST_SAMPLES:
        return []
    return [
        f"{count_words(most_samples, 'sample')} a case is the most, and a 95 % interval takes "
        f"{FEWEST_SAMPLES}: no number will have one"
    ]


def _fresh_scheduler(plan: Plan) -> Scheduler:
    section = plan.study.file.study
    return Scheduler(
        [CaseState(case) for case in plan.cases],
        Goals(plan.study.precision, section.min_samples, section.max_samples),
        spec_of=spec_of,
        prior_s=plan.prior_s,
        questions=questions_of(plan.study.comparisons, plan.cases),
    )

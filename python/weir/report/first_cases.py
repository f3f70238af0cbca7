"""The cases whose numbers a run's first screen will show, as far as that is known before anything is
measured: short time goes to them first."""

from dataclasses import replace

from weir.measure.plan import Plan
from weir.report.headline import headlines


def with_first(plan: Plan) -> Plan:
    """The plan with its first cases."""
    return replace(plan, first=first_cases(plan))


def first_cases(plan: Plan) -> frozenset[str]:
    """Their ids: as headline_rows() chooses among rows."""
    known = [
        case
        for case in plan.cases
        if case.node is None and case.replay is None and not case.options.get("pattern")
    ]
    return frozenset(one for kind in headlines() for one in kind.first_cases(known, plan))

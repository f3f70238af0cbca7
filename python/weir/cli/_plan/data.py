"""A plan as JSON."""

import shlex
from typing import Any

import msgspec

from weir.drive.plan import ASSUMED_BYTES_PER_S, Plan, first_round, outlook_of
from weir.launch.base import Command, Launcher
from weir.study.environment import variables_of


def plan_data(
    plan: Plan, commands: list[str], *, keep: bool, budget_s: float | None = None
) -> dict[str, Any]:
    """All that the plan says."""
    found = outlook_of(plan, budget_s)
    return {
        "study": msgspec.to_builtins(plan.study.file.study),
        "directory": str(plan.directory),
        "environment": [variable.as_data() for variable in variables_of(plan.study)],
        "cases": [
            {
                **case.as_data(),
                "totals": msgspec.to_builtins(plan.descriptions[case.id].totals),
                "geometry": msgspec.to_builtins(plan.descriptions[case.id].geometry),
            }
            for case in plan.cases
        ],
        "left_out": [item.as_data() for item in plan.left_out],
        "not_asked": plan.study.not_asked,
        "commands": commands,
        "needs": [
            {"directory": str(path), **plan.needs(name, keep=keep).as_data()}
            for name, path in plan.directories().items()
        ],
        "time": {
            "budget_s": found.time_s,
            "least_samples_s": found.needed_s,
            "cases_in_budget": [case.id for case in plan.cases if case.id in found.cases],
            "claims_in_budget": found.claims,
            "claims": found.all_claims,
            "assumed_bytes_per_s": ASSUMED_BYTES_PER_S,
        },
    }


def first_commands(plan: Plan, launcher: Launcher, program: str) -> list[str]:
    """The commands of the first round, as a shell would take them. Raises WeirError if the launcher is
    missing."""
    launcher.prepare()
    return [
        _in_shell(launcher.command(planned.spec, (program, f"RUN/logs/launch-{number:04}.json")))
        for number, planned in enumerate(first_round(plan), start=1)
    ]


def _in_shell(command: Command) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in command.env.items()]
    return " ".join([*settings, shlex.join(command.argv)])

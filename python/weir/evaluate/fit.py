"""Cuts a plan to what this machine can carry, so that a small machine gets a smaller answer and not none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from weir.drive.plan import Plan
from weir.study.case import Case
from weir.units import format_bytes

DISK_SHARE = 0.5
MEMORY_SHARE = 0.25


@dataclass(frozen=True)
class Fitted:
    """A plan whose cases fit, and why others were left out; empty where none was."""

    plan: Plan
    left_out: int
    why: str


def fit_plan(plan: Plan, free_disk_bytes: int | None, free_memory_bytes: int | None) -> Fitted:
    """The plan without cases whose files fill more than half of the free space or a quarter of free memory.

    Memory counts since the page cache takes it, and in a file system in memory the files do too. What is
    not known limits nothing.
    """
    limits = [
        (share * free, name)
        for share, free, name in (
            (DISK_SHARE, free_disk_bytes, "half of the free space"),
            (MEMORY_SHARE, free_memory_bytes, "a quarter of the free memory"),
        )
        if free is not None
    ]
    if not limits:
        return Fitted(plan, 0, "")
    limit, name = min(limits)
    kept = [case for case in plan.cases if _size(plan)(case) <= limit]
    left_out = len(plan.cases) - len(kept)
    why = f"their files are larger than {name}, {format_bytes(limit)}" if left_out else ""
    return Fitted(replace(plan, cases=kept), left_out, why)


def _size(plan: Plan) -> Callable[[Case], float]:
    return lambda case: plan.descriptions[case.id].totals.bytes_on_disk or 0

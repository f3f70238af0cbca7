"""The stripes of a plan: cases whose stripes cannot be had are left out, and what was found is kept."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir.core.front_options import DIRECTORY_OPTION
from weir.machine.striping.base import CannotSet, Reading, Stripes
from weir.measure.plan import Plan, leaving_out
from weir.measure.stripe_settings import Striper, stripes_asked
from weir.study.case import Case

_ON_A_NODE = "a directory that may be a node's own gets no stripes"
Tried = dict[tuple[Path, Stripes], Reading | str]
"""By directory and stripes: what a file then had, or why it could not be."""


def without_what_cannot_be_striped(plan: Plan, striper: Striper) -> Plan:
    """The plan without the cases whose stripes cannot be had, and with the stripes that were found. In each
    directory a folder is made for each setting, and removed. Raises WeirError if no case is left."""
    tried: Tried = {}
    reasons = {case.id: why for case in plan.cases if (why := _why_not(plan, case, striper, tried))}
    return replace(leaving_out(plan, reasons), stripes=tuple(_found(plan, striper, tried)))


def _why_not(plan: Plan, case: Case, striper: Striper, tried: Tried) -> str:
    """Empty where nothing is asked for, or it can be had."""
    asked = stripes_asked(case.options)
    if asked is None:
        return ""
    if not case.works_here:
        return _ON_A_NODE
    path = plan.directories()[case.options[DIRECTORY_OPTION]]
    if (path, asked) not in tried:
        try:
            tried[path, asked] = striper.try_in(path, asked)
        except CannotSet as error:
            tried[path, asked] = str(error)
    found = tried[path, asked]
    return found if isinstance(found, str) else ""


def _found(plan: Plan, striper: Striper, tried: Tried) -> Iterator[dict[str, Any]]:
    """For `run.json`: of each directory what new files get, and what they got where more was asked for."""
    for path in plan.directories().values():
        if reading := striper.look(path):
            yield _entry(path, None, reading)
    for (path, asked), found in tried.items():
        if isinstance(found, Reading):
            yield _entry(path, asked, found)


def _entry(path: Path, asked: Stripes | None, found: Reading) -> dict[str, Any]:
    data = {key: value for key, value in found.as_data().items() if key != "text"}
    return {"directory": str(path), "asked": asked.as_data() if asked else None, **data}

"""How long measurements may take, and how long they may make no progress: what is asked for, and what the
environment says."""

import os

from weir.errors import WeirError
from weir.units import parse_seconds

LIMIT = "WEIR_BUDGET_LIMIT"
"""For trying out what takes long, as the tests of the documents do."""


STALL_LIMIT = "WEIR_STALL_LIMIT"


def within_limit(asked_s: float) -> float:
    """The time asked for, or the limit of the environment where that is shorter. Raises WeirError where the
    limit is no time."""
    allowed_s = _from_environment(LIMIT)
    return asked_s if allowed_s is None else min(asked_s, allowed_s)


def asked_stall_limit_s() -> float | None:
    """How long the ranks of a launch may make no progress, by the environment. Raises WeirError where that is
    no time, or none at all."""
    limit_s = _from_environment(STALL_LIMIT)
    if limit_s == 0:
        raise WeirError(
            f"{STALL_LIMIT} is 0", "every launch would have stalled", 'set it to a time, as "10m"'
        )
    return limit_s


def _from_environment(name: str) -> float | None:
    text = os.environ.get(name)
    if not text:
        return None
    try:
        return parse_seconds(text)
    except WeirError as error:
        raise WeirError(f"{name} is '{text}'", str(error), 'set it to a time, as "20s"') from error

"""How long measurements may take: what is asked for, within what the environment allows."""

import os

from weir.errors import WeirError
from weir.units import parse_seconds

LIMIT = "WEIR_BUDGET_LIMIT"
"""For trying out what takes long, as the tests of the documents do."""


def within_limit(asked_s: float) -> float:
    """The time asked for, or the limit of the environment where that is shorter. Raises WeirError where the
    limit is no time."""
    limit = os.environ.get(LIMIT)
    if not limit:
        return asked_s
    try:
        allowed_s = parse_seconds(limit)
    except WeirError as error:
        raise WeirError(f"{LIMIT} is '{limit}'", str(error), 'set it to a time, as "20s"') from error
    return min(asked_s, allowed_s)

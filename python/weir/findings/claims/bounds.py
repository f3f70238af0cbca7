"""Rules about a quotient: at least so much, at most so much, or within a factor of one."""

from __future__ import annotations

from weir.findings.claims.claim import Rule, Verdict
from weir.units import significant


class BoundedRule(Rule, frozen=True, kw_only=True):
    """Exactly one of the three bounds is given."""

    at_least: float | None = None
    at_most: float | None = None
    within: float | None = None

    def __post_init__(self) -> None:
        given = [bound for bound in (self.at_least, self.at_most, self.within) if bound is not None]
        if len(given) != 1 or given[0] <= 0 or (self.within is not None and self.within < 1):
            raise ValueError("it needs one of at_least, at_most (above 0) or within (1 or more)")

    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the greatest that is allowed."""
        if self.within is not None:
            return 1 / self.within, self.within
        return self.at_least, self.at_most

    def judge(self, least: float | None, greatest: float | None) -> Verdict:
        """What an interval of the quotient says; nothing where there is none."""
        low, high = self.bounds()
        if least is None or greatest is None:
            return Verdict.CANNOT_BE_TOLD
        if (low is not None and greatest < low) or (high is not None and least > high):
            return Verdict.DOES_NOT_HOLD
        if (low is None or least >= low) and (high is None or greatest <= high):
            return Verdict.HOLDS
        return Verdict.CANNOT_BE_TOLD

    def say(self, quotient: str) -> str:
        """When the claim counts as held."""
        low, high = self.bounds()
        inside = f"above {_number(low)}" if high is None else f"below {_number(high)}"
        if low is not None and high is not None:
            inside = f"between {_number(low)} and {_number(high)}"
        return (
            f"holds where the whole interval of {quotient} lies {inside}, does not hold where all of it lies "
            "elsewhere"
        )


def _number(value: float | None) -> str:
    return (
        "" if value is None else significant(value).rstrip("0").rstrip(".") if value < 100 else f"{value:g}"
    )

"""What a paper found, held against what was measured here.

A claim stands in a study, with its source. Rules decide claims, from measured intervals alone; each is a
class under `@rule(NAME)` in a module of this package.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from weir.errors import WeirError, did_you_mean
from weir.registry import Registry
from weir.results.row import Row, cache_extent, measured, with_metric
from weir.results.words import CASE_FIELDS, value_of
from weir.study.schema import EXTREMES, METRIC
from weir.units import parse_bytes, significant

Selector = Mapping[str, Any]
_CHOOSE = dict(zip(EXTREMES, (min, max), strict=True))


class Verdict(StrEnum):
    """Whether a claim is true of this machine."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    CANNOT_BE_TOLD = "cannot be told"


@dataclass(frozen=True)
class Decision:
    """A verdict and the numbers that it rests on, or why there are none; `open_cases` are those whose samples
    would decide what cannot be told."""

    verdict: Verdict
    why: str
    open_cases: frozenset[str] = frozenset()


class Rule(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How a claim is decided; its fields are what a study says in `test`. Subclasses register with
    `@rule(NAME)`."""

    @abstractmethod
    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """The verdict that the rows of the claim's figure allow. Pure."""

    @abstractmethod
    def words(self) -> str:
        """When the claim counts as held, in one sentence without a full stop."""


@dataclass(frozen=True)
class Claim:
    """`says` is what was found on `machine`, after `source` (section and figure); `rule` decides about it."""

    machine: str
    source: str
    says: str
    rule: Rule
    also: tuple[str, ...] = ()
    """Further comparisons whose rows the claim speaks of."""


@dataclass(frozen=True)
class Answer:
    """A claim with its verdict, all in words, and the cases whose samples would give one."""

    machine: str
    source: str
    says: str
    verdict: Verdict
    why: str
    rule: str
    open_cases: frozenset[str] = frozenset()

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        words = {name: value for name, value in vars(self).items() if name != "open_cases"}
        return {**words, "verdict": str(self.verdict)}


def answer(claim: Claim, rows: list[Row], card: Mapping[str, Any]) -> Answer:
    """What the rows say about the claim."""
    found = claim.rule.decide(rows, card)
    words = claim.rule.words()
    return Answer(claim.machine, claim.source, claim.says, found.verdict, found.why, words, found.open_cases)


_rules = Registry[type[Rule]]("questions", "rule for claims")
rule = _rules.register
"""Class decorator: make the rule known under the name that studies use."""


def make_rule(test: Mapping[str, Any]) -> Rule:
    """The rule that the table `test` of a claim describes. Raises WeirError for one that is not known, or
    that does not take these settings."""
    name, rules = str(test.get("rule", "")), _rules.all()
    if name not in rules:
        raise WeirError(
            f"there is no rule '{name}' for a claim",
            f"known are {', '.join(rules)}",
            did_you_mean(name, rules) if name else 'write for example test = { rule = "ratio", … }',
        )
    settings = {key: value for key, value in test.items() if key != "rule"}
    try:
        return msgspec.convert(settings, rules[name])
    except msgspec.ValidationError as error:
        known = ", ".join(field.name for field in msgspec.structs.fields(rules[name]))
        raise WeirError(
            f"the rule '{name}' cannot be used so", str(error).replace("`", "'"), f"it takes {known}"
        ) from error


class BoundedRule(Rule, frozen=True, kw_only=True):
    """One of the three bounds is given, or a least and a greatest."""

    at_least: float | None = None
    at_most: float | None = None
    within: float | None = None

    def __post_init__(self) -> None:
        given = [bound for bound in (self.at_least, self.at_most, self.within) if bound is not None]
        ends = [bound for bound in (self.at_least, self.at_most) if bound is not None]
        if self.within is not None:
            fits = given == [self.within] and self.within >= 1
        else:
            fits = bool(ends) and ends[0] > 0 and ends == sorted(ends)
        if not fits:
            raise ValueError(
                "it needs one of at_least, at_most (above 0) or within (1 or more), or at_least below at_most"
            )

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


def combined(verdicts: Collection[Verdict]) -> Verdict:
    """That of several cases: one that does not hold is enough to deny, else one in doubt to leave it open."""
    return next(
        (one for one in (Verdict.DOES_NOT_HOLD, Verdict.CANNOT_BE_TOLD) if one in verdicts), Verdict.HOLDS
    )


def decision(
    verdict: Verdict, numbers: str, *, samples: str, has_interval: bool, open_cases: Iterable[str] = ()
) -> Decision:
    """The decision that rests on these quotients; where it is open, with the reason: `samples` names what
    there are too few of."""
    if verdict is not Verdict.CANNOT_BE_TOLD:
        return Decision(verdict, numbers)
    few = f"there are too few {samples} for an interval"
    reason = "the interval reaches across the bound" if has_interval else few
    return Decision(verdict, f"because {reason}: {numbers}", frozenset(open_cases))


def told_of_caches(numbers: str, cached: Iterable[Row]) -> Decision:
    """The decision where a statement about memory would rest on data that fitted the processor's caches: more
    samples would not help."""
    caches = f"the processor's caches were measured in place of memory{cache_extent(cached)}"
    return Decision(Verdict.CANNOT_BE_TOLD, f"because {caches}: {numbers}")


def _number(value: float | None) -> str:
    return (
        "" if value is None else significant(value).rstrip("0").rstrip(".") if value < 100 else f"{value:g}"
    )


def select(rows: list[Row], selector: Selector) -> list[Row]:
    """Rows that have a number and all that the selector asks: `phase`, options, or other fields of a case.

    Sizes are written as in a study ("16MiB"); "smallest" and "largest" choose among the rows that fit
    otherwise. `metric` is the key of another number of the samples than their result.
    """
    fixed = {key: value for key, value in selector.items() if key != METRIC and not _is_extreme(value)}
    known = [row for one in rows if (row := with_metric(one, selector.get(METRIC))) is not None]
    found = [row for row in measured(known) if all(_fits(row, key, value) for key, value in fixed.items())]
    for key, value in selector.items():
        if _is_extreme(value) and found:
            wanted = _CHOOSE[value](known for row in found if (known := value_of(row, key)) is not None)
            found = [row for row in found if value_of(row, key) == wanted]
    return found


def _is_extreme(value: Any) -> bool:
    return isinstance(value, str) and value in _CHOOSE


def _fits(row: Row, key: str, wanted: Any) -> bool:
    if key == "phase":
        return bool(row.phase == wanted)
    if key not in CASE_FIELDS and key not in row.options:
        return False
    value = value_of(row, key)
    if isinstance(value, int) and isinstance(wanted, str):
        return value == _bytes(wanted)
    return bool(value == wanted)


def _bytes(text: str) -> int | None:
    try:
        return parse_bytes(text)
    except WeirError:
        return None


def claims_of(comparison: Mapping[str, Any]) -> list[Claim]:
    """All claims of a comparison of a study that was checked."""
    return [
        Claim(one["machine"], one["source"], one["says"], make_rule(one["test"]), tuple(one.get("also", ())))
        for one in comparison.get("claim", [])
    ]

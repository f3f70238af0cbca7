"""A claim, the verdict on it, and where the rules are found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeVar

import msgspec

import weir.findings.claims as package
from weir.errors import WeirError, did_you_mean
from weir.findings.row import Row


class Verdict(StrEnum):
    """Whether a claim is true of this machine."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    CANNOT_BE_TOLD = "cannot be told"


@dataclass(frozen=True)
class Decision:
    """A verdict and the numbers that it rests on, or why there are none."""

    verdict: Verdict
    why: str


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
    """Comparisons whose rows the claim speaks of beside those of its figure."""


@dataclass(frozen=True)
class Answer:
    """A claim with its verdict, all in words."""

    machine: str
    source: str
    says: str
    verdict: Verdict
    why: str
    rule: str

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {**asdict(self), "verdict": str(self.verdict)}


def answer(claim: Claim, rows: list[Row], card: Mapping[str, Any]) -> Answer:
    """What the rows say about the claim."""
    decision = claim.rule.decide(rows, card)
    return Answer(claim.machine, claim.source, claim.says, decision.verdict, decision.why, claim.rule.words())


_rules: dict[str, type[Rule]] = {}
Kind = TypeVar("Kind", bound=type[Rule])


def rule(name: str) -> Callable[[Kind], Kind]:
    """Class decorator: make the rule known under the name that studies use."""

    def register(kind: Kind) -> Kind:
        _rules[name] = kind
        return kind

    return register


def make_rule(test: Mapping[str, Any]) -> Rule:
    """The rule that the table `test` of a claim describes. Raises WeirError for one that is not known, or
    that does not take these settings."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    name = str(test.get("rule", ""))
    if name not in _rules:
        raise WeirError(
            f"there is no rule '{name}' for a claim",
            f"known are {', '.join(sorted(_rules))}",
            did_you_mean(name, sorted(_rules)) if name else 'write for example test = { rule = "ratio", … }',
        )
    settings = {key: value for key, value in test.items() if key != "rule"}
    try:
        return msgspec.convert(settings, _rules[name])
    except msgspec.ValidationError as error:
        known = ", ".join(field.name for field in msgspec.structs.fields(_rules[name]))
        raise WeirError(
            f"the rule '{name}' cannot be used so", str(error).replace("`", "'"), f"it takes {known}"
        ) from error

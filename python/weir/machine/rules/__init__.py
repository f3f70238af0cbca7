"""What deserves a warning: one function a rule, from the finished card to a warning or nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from weir.registry import Registry

Card = Mapping[str, Any]
Warning_ = dict[str, str]
Rule = Callable[[Card], Warning_ | None]

_rules = Registry[Rule]("weir.machine.rules", "rule")
rule = _rules.register
"""Registers a rule; its warning carries the code. A rule may trip over nulls in the card: then it says
nothing."""


def warn(problem: str, why: str, advice: str) -> Warning_:
    """A warning in the form of the protocol, without its code."""
    return {"problem": problem, "why": why, "advice": advice}


def speaks_of_storage(code: str) -> bool:
    """Whether the warning is of a rule of the module `storage`: no matter where no file is used."""
    found = _rules.all().get(code)
    return found is not None and found.__module__ == f"{__name__}.storage"


def judge(card: Card) -> list[Warning_]:
    """All warnings that `card` gives rise to, by code."""
    found = []
    for code, function in _rules.all().items():
        warning = _apply(function, card)
        if warning is not None:
            found.append({"code": code} | warning)
    return found


def _apply(function: Rule, card: Card) -> Warning_ | None:
    # A null section means that the fact is not known, and what is not known cannot be warned about.
    try:
        return function(card)
    except (TypeError, KeyError, AttributeError):
        return None

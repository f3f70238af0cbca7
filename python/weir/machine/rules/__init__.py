"""What deserves a warning: one function a rule, from the finished card to a warning or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from weir.machine.registry import import_all

Card = Mapping[str, Any]
Warning_ = dict[str, str]
Rule = Callable[[Card], Warning_ | None]

_rules: dict[str, Rule] = {}


def rule(code: str) -> Callable[[Rule], Rule]:
    """Registers a rule; its warning carries `code`. A rule may trip over nulls in the card: it then says
    nothing.
    """

    def register(function: Rule) -> Rule:
        _rules[code] = function
        return function

    return register


def warn(problem: str, why: str, advice: str) -> Warning_:
    """A warning in the form of the protocol, without its code."""
    return {"problem": problem, "why": why, "advice": advice}


def judge(card: Card) -> list[Warning_]:
    """All warnings that `card` gives rise to, by code."""
    import_all(sys.modules[__name__])
    found = []
    for code, function in sorted(_rules.items()):
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

"""Estimates as tables of several verbs show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.analyse.paired import Ranged


def interval_words(estimate: Ranged | None, spell: Callable[[float], str]) -> str:
    """ "1.2 s … 1.4 s", or that there is none."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "none"
    return f"{spell(estimate.low)} … {spell(estimate.high)}"

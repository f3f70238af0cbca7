"""Patterns that are not exactly what a program requested: whoever uses one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.pattern import Pattern


def inexact_lines(pattern: Pattern) -> list[str]:
    """A line a reason."""
    return [f"The pattern is not exactly what the program requested: {why}." for why in pattern.inexact]

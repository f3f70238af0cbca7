"""Patterns that are not exactly what a program requested: whoever uses one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.pattern import Pattern


def inexact_lines(pattern: Pattern) -> list[str]:
    """A line a reason."""
    from weir.results.inexact import inexact_words

    return inexact_words(pattern.inexact)

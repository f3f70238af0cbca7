"""Guesses what was meant by a misspelt word."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ "did you mean 'transfer'?", else the list of what is known."""
    choices = list(known)
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"use one of: {', '.join(choices)}" if choices else ""

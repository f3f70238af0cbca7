"""What every test of a judge, of a first screen or of a report checks beside its own: nothing that has no
interval is sure, unless it is an exact count."""

from collections.abc import Iterable
from typing import Any

import pytest

from weir.answers.answer import Answer, Certainty, Choice, Quantity, Ratio, Several
from weir.answers.screen import Screen
from weir.figures.figure import Finding


def unfounded(answers: Iterable[Answer]) -> list[Answer]:
    """Those that are sure of a number without an interval. Bytes are counted."""
    return [one for one in answers if one.certainty is Certainty.SURE and _lacks_interval(one)]


def _lacks_interval(answer: Answer) -> bool:
    match answer.value:
        case Quantity() as found:
            return found.low is None and not found.metric.is_size
        case Several(values=values):
            return any(_lacks_interval(Answer("", value=one)) for _, one in values)
        case Choice(ratio=ratio) | (Ratio() as ratio):
            return ratio.low is None
    return False


def check_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings and first screens fail as they are made, in whatever test."""
    _checked(monkeypatch, Finding, "answers")
    _checked(monkeypatch, Screen, "rows")


def _checked(monkeypatch: pytest.MonkeyPatch, kind: type, answers: str) -> None:
    make: Any = kind.__init__  # type: ignore[misc]

    def made(one: Any, *arguments: Any, **named: Any) -> None:
        make(one, *arguments, **named)
        assert unfounded(getattr(one, answers)) == []

    monkeypatch.setattr(kind, "__init__", made)

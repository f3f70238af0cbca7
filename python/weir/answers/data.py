"""Answers and caveats for `--json`: keys end in their unit where the metric has one."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from weir.answers.answer import Answer, Caveat, Evidence, Number, Quantity, Several, Value
from weir.answers.evidence import evidence_words
from weir.answers.screen import Screen
from weir.answers.words import action_of, caveat_words, exact_words, reason_of, title_of, value_of


def screen_data(screen: Screen) -> dict[str, Any]:
    """A first screen."""
    return {
        "verdict": screen.verdict,
        "answers": [answer_data(one) for one in screen.rows],
        "others": screen.others,
        "caveats": [caveat_data(one) for one in screen.caveats],
    }


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer, and as it is shown."""
    return {
        "question": answer.question,
        "subject": list(answer.subject),
        "certainty": str(answer.certainty),
        "value": _value(answer.value),
        "figure": answer.figure or None,
        "setting": answer.setting or None,
        "open_cases": sorted(answer.open_cases),
        "action": answer.action or None,
        "evidence": [_evidence(one) for one in answer.evidence],
        "shown": {
            "title": title_of(answer),
            "value": value_of(answer),
            "reason": reason_of(answer),
            "action": action_of(answer),
        },
    }


def number_data(number: Number, columns: Sequence[str]) -> dict[str, Any]:
    """A number, what it is of by its columns, and as it is shown."""
    of = dict(zip(columns, number.subject, strict=True))
    shown = exact_words(number.value) if number.value else "none"
    return {"of": of, "value": _value(number.value), "remark": number.remark or None, "shown": shown}


def caveat_data(caveat: Caveat) -> dict[str, Any]:
    """A caveat, and as it is shown."""
    return {
        "code": caveat.code,
        "count": caveat.count,
        "of": caveat.of,
        "changes": str(caveat.changes),
        "action": caveat.action or None,
        "evidence": [_evidence(one) for one in caveat.evidence],
        "shown": caveat_words(caveat),
    }


def _evidence(one: Evidence) -> dict[str, Any]:
    return {**asdict(one), "shown": evidence_words(one)}


def _value(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    if isinstance(value, Several):
        return {"kind": "several", "values": [{"of": of, "value": _value(one)} for of, one in value.values]}
    if not isinstance(value, Quantity):
        return {"kind": type(value).__name__.lower(), **asdict(value)}
    return {
        "kind": "quantity",
        "metric": value.metric.key,
        "unit": value.metric.unit,
        "median": value.median,
        "low": value.low,
        "high": value.high,
        "n": value.n,
        "modes": [{"median": one.median, "n": one.count} for one in value.modes.modes],
        "course": str(value.modes.course),
    }

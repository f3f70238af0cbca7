"""Answers of rules, as tests look at them."""

from weir.answers.answer import Answer, Cost
from weir.answers.words import action_of, reason_of, title_of, value_of
from weir.explain.rule import answers_on
from weir.explain.summary import TraceSummary


def by_question(summary: TraceSummary) -> dict[str, list[Answer]]:
    """All that stands out. Every line of it can be filled."""
    found: dict[str, list[Answer]] = {}
    for one in answers_on(summary):
        assert title_of(one) and value_of(one) and bool(action_of(one)) >= (one.action != "names-served")
        assert "{" not in title_of(one) + action_of(one) + reason_of(one)
        found.setdefault(one.question, []).append(one)
    return found


def evidence_of(answer: Answer) -> dict[str, float | str]:
    """By label, of which each stands once."""
    found = {one.label: one.value for one in answer.evidence}
    assert len(found) == len(answer.evidence)
    return found


def seconds_of(answer: Answer) -> float:
    """Of the run, what it may explain."""
    assert isinstance(answer.value, Cost)
    return answer.value.seconds

"""A part of a study without any number stands on the first screen with the reason."""

from dataclasses import replace
from typing import Any

import pytest

from rows import row
from weir.answers.answer import Certainty
from weir.answers.words import action_of, title_of
from weir.report.gather import Contents
from weir.report.part_rows import missing_parts
from weir.store.records import CaseRecord, FailureRecord, LeftOutRecord

from .contents import contents_of

PARTS = [{"name": "memory", "title": "Memory"}, {"name": "network", "title": ""}]
COMPARISONS = [{"name": "stream", "part": "memory"}, {"name": "ping-pong", "part": "network"}]


def contents(**summary: Any) -> Contents:
    """Memory was measured, and of the network there is what the summary says."""
    made = contents_of([row("copy", 100, comparisons=("stream",))])
    return replace(made, parts=PARTS, comparisons=COMPARISONS, summary=replace(made.summary, **summary))


CASE = {"n": CaseRecord(case="n", benchmark="network", comparisons=["ping-pong"])}
LEFT_OUT = [
    LeftOutRecord(label="2 ranks", comparisons=["ping-pong"], why="it takes 2 cores, and 1 can be used")
]


@pytest.mark.parametrize(
    ("summary", "why"),
    [
        ({"left_out": LEFT_OUT}, "it takes 2 cores, and 1 can be used"),
        (
            {"cases": CASE, "failures": [FailureRecord(case="n", problem="there is no BLAS")]},
            "there is no BLAS",
        ),
    ],
)
def test_the_reason_is_told(summary: dict[str, Any], why: str) -> None:
    [answer] = missing_parts(contents(**summary))
    assert answer.certainty is Certainty.NOT_MEASURED and answer.value is None
    assert title_of(answer) == "Network"
    assert action_of(answer) == f"not here: {why}"


def test_a_part_that_never_began_is_told() -> None:
    late = [LeftOutRecord(label="8 B", comparisons=["ping-pong"], why="the budget left no time")]
    [answer] = missing_parts(contents(cases=CASE, left_out=late))
    assert answer.action == "no-time" and answer.certainty is Certainty.NOT_MEASURED


def test_a_part_that_was_measured_or_not_asked_for_is_not_told() -> None:
    assert [*missing_parts(contents())] == []
    two = replace(contents(left_out=LEFT_OUT), parts=PARTS[:1])
    assert [*missing_parts(two)] == []

"""What a figure is: what rows say about one question, in words and as Vega-Lite specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Spec = dict[str, Any]
Card = Mapping[str, Any]


class State(StrEnum):
    """Whether a question is answered."""

    ANSWERED = "answered"
    PARTLY = "answered in part"
    OPEN = "open"


@dataclass(frozen=True)
class Finding:
    """`title` states what was found in one line; `sentences` give the numbers; `conditions` say under which
    they hold, such as what was done about caches; `details` are numbers of all cases.

    `wanting` says what would answer what is open, and `open_cases` are the cases whose samples would; both
    are empty where all is answered.
    """

    title: str
    sentences: tuple[str, ...]
    conditions: str
    details: tuple[str, ...] = ()
    state: State = State.ANSWERED
    wanting: str = ""
    open_cases: frozenset[str] = frozenset()

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "title": self.title,
            "sentences": self.sentences,
            "care": self.conditions,
            "details": self.details,
            "state": str(self.state),
            "wanting": self.wanting,
        }


@dataclass(frozen=True)
class Panel:
    """A Vega-Lite spec with the title that stands above it; empty where the drawing has but one panel."""

    title: str
    spec: Spec


@dataclass(frozen=True)
class Drawing:
    """A figure drawn from rows: its panels stand side by side, on equal vertical axes."""

    name: str
    finding: Finding
    panels: tuple[Panel, ...]

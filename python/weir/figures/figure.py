"""What a figure is: what rows say about one question, in words and as Vega-Lite specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from weir.answers.answer import Answer

Spec = dict[str, Any]
Card = Mapping[str, Any]


class State(StrEnum):
    """Whether a question is answered."""

    ANSWERED = "answered"
    CAVEAT = "answered with a caveat"
    PARTLY = "answered in part"
    OPEN = "open"


MORE_SAMPLES = "it takes more samples, with a larger --budget, or max_samples of the study"
"""What would answer a question whose results have no interval yet."""


@dataclass(frozen=True)
class Asked:
    """What a figure asks of one kind of operation, such as of "writes", and whether that is answered.

    `wanting` says what would answer what is open, and `open_cases` are the cases whose samples would; both
    are empty where all is answered.
    """

    of: str
    state: State = State.ANSWERED
    wanting: str = ""
    open_cases: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Finding:
    """`title` states what was found in one line; `sentences` give the numbers; `conditions` say under which
    they hold, such as what was done about caches; `details` are numbers of all cases; `asked` are the
    questions that the figure decides, none where it describes; `answers` are what first screens show.
    """

    title: str
    sentences: tuple[str, ...]
    conditions: str
    details: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def state(self) -> State:
        """That of all its questions together."""
        states = {one.state for one in self.asked}
        if states <= {State.ANSWERED, State.CAVEAT}:
            return State.CAVEAT if State.CAVEAT in states else State.ANSWERED
        return State.OPEN if states == {State.OPEN} else State.PARTLY

    @property
    def wanting(self) -> str:
        """What would answer what is open, said once of the questions for which it is the same."""
        alike = {(one.state, one.wanting) for one in self.asked}
        if len(alike) == 1:
            return alike.pop()[1]
        of: dict[tuple[str, str], list[str]] = {}
        for one in self.asked:
            if one.wanting:
                mark = " open" if one.state is State.OPEN is not self.state else ""
                of.setdefault((mark, one.wanting), []).append(one.of)
        return "; ".join(f"{' and '.join(names)}{mark}: {words}" for (mark, words), names in of.items())

    @property
    def standing(self) -> str:
        """ "open: it takes more points": whether what it asks is answered, and what would answer it; empty
        where it describes."""
        if not self.asked:
            return ""
        return f"{self.state}: {self.wanting}" if self.wanting else str(self.state)

    @property
    def open_cases(self) -> frozenset[str]:
        """The cases whose samples would answer what is open."""
        return frozenset().union(*(one.open_cases for one in self.asked))

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "title": self.title,
            "sentences": self.sentences,
            "care": self.conditions,
            "details": self.details,
            "state": str(self.state) if self.asked else None,
            "wanting": self.wanting,
            "asked": [{"of": one.of, "state": str(one.state), "wanting": one.wanting} for one in self.asked],
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

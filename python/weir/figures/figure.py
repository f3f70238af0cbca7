"""What a figure is: what rows say about one question, in words and as Vega-Lite specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.answers.answer import Answer, Certainty, Number

Spec = dict[str, Any]
Card = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """What rows say about a figure's question: `answers`; `numbers` that they rest on, with a heading for
    each word of their subjects in `columns`; and `conditions` under which they hold, such as what was done
    about caches."""

    answers: tuple[Answer, ...]
    columns: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()
    conditions: str = ""

    @property
    def decided(self) -> tuple[Certainty, ...]:
        """How sure each answer is of those that decide something; none of a figure that shows numbers."""
        return tuple(one.certainty for one in self.answers if one.decides)

    @property
    def certainty(self) -> Certainty | None:
        """That of all answers together; null where nothing is to be decided."""
        found = {*self.decided}
        return found.pop() if len(found) == 1 else Certainty.WITHIN if found else None

    @property
    def open_cases(self) -> frozenset[str]:
        """The cases whose samples would settle what is open."""
        return frozenset().union(*(one.open_cases for one in self.answers))


@dataclass(frozen=True)
class Panel:
    """A Vega-Lite spec with the title that stands above it; empty where the drawing has but one panel."""

    title: str
    spec: Spec


@dataclass(frozen=True)
class Drawing:
    """A figure drawn from rows: its panels stand side by side, on equal vertical axes. `title`: what it
    asks."""

    name: str
    finding: Finding
    panels: tuple[Panel, ...]
    title: str = ""

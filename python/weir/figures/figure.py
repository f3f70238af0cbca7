"""What a figure is: what rows say about one question, in words and as Vega-Lite specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]
Card = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """`title` states what was found in one line; `sentences` give the numbers; `conditions` say under which
    they hold, such as what was done about caches; `details` are numbers of all cases.
    """

    title: str
    sentences: tuple[str, ...]
    conditions: str
    details: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "title": self.title,
            "sentences": self.sentences,
            "care": self.conditions,
            "details": self.details,
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

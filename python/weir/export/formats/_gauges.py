"""Gauges as text that OpenMetrics and the older text format of Prometheus both read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from weir.printable import printable_lines

Labels = dict[str, str]


@dataclass
class Family:
    """A metric: what it is, its unit in OpenMetrics' words (or ""), and its values by labels."""

    help: str
    unit: str = ""
    points: list[tuple[Labels, float]] = field(default_factory=list)

    def lines(self, name: str) -> Iterator[str]:
        """The family as text; the values of one family must stand together."""
        yield f"# HELP {name} {_escaped(self.help)}"
        yield f"# TYPE {name} gauge"
        if self.unit:
            yield f"# UNIT {name} {self.unit}"
        for labels, value in self.points:
            inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
            yield f"{name}{{{inside}}} {value!r}"


class Gauges:
    """Families by name, in the order in which they first got a value."""

    def __init__(self) -> None:
        self._families: dict[str, Family] = {}

    def add(self, name: str, about: str, unit: str, labels: Labels, value: float | None) -> None:
        """Take in a value; one that is unknown is left out, since a gauge has no word for it."""
        if value is not None:
            self._families.setdefault(name, Family(about, unit)).points.append((labels, value))

    def count(self, name: str) -> int:
        """How many values a family has."""
        return len(self._families[name].points) if name in self._families else 0

    def lines(self) -> Iterator[str]:
        """All families as text."""
        for name, family in self._families.items():
            yield from family.lines(name)


def _escaped(text: str) -> str:
    return printable_lines(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')

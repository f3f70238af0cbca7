"""In which facts two machines differ, or one at two times."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.machine.describe import describe

PASSING = frozenset({"free", "available", "first touch of a page", "core to core", "load", "directory"})
"""Facts of a moment."""


PARTS = frozenset({"environment"})
"""Of a card that profiles leave out."""


@dataclass(frozen=True)
class Difference:
    """A fact of one machine and of another; empty where a card does not have it."""

    label: str
    one: str
    other: str


def differences(
    one: Mapping[str, Any], other: Mapping[str, Any], *, storage: bool = True
) -> list[Difference]:
    """Of two machine cards; nothing where one of them is not there."""
    if not one or not other:
        return []
    lacking = {key for key in PARTS if key not in one or key not in other}
    ones, others = (
        _facts({key: value for key, value in card.items() if key not in lacking}, storage=storage)
        for card in (one, other)
    )
    labels = dict.fromkeys([*ones, *others])
    return [
        Difference(label, ones.get(label, ""), others.get(label, ""))
        for label in labels
        if ones.get(label) != others.get(label)
    ]


def _facts(card: Mapping[str, Any], *, storage: bool) -> dict[str, str]:
    groups = describe(card, storage=storage)
    return {fact.label: fact.value for group in groups for fact in group.facts if fact.label not in PASSING}

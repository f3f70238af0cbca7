"""Contenders take turns: a round is a dump and a read of each, and who begins changes from round to round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from peers.array.cases import Case
from peers.array.contenders import Contender
from peers.launch import LaunchFailed

OPERATIONS = ("write", "read")

One = TypeVar("One")


class Asked(Protocol):
    """Ranks that carry out commands, or a fake."""

    def ask(self, verb: str, contender: str, path: Path) -> dict[str, Any]:
        """One answer; raises LaunchFailed."""


@dataclass(frozen=True)
class Sample:
    """One dump or read: what the slowest rank took."""

    contender: str
    operation: str
    round: int
    seconds: float
    steps_s: Mapping[str, float]
    """What this contender says that it was spent on, on the slowest rank."""


@dataclass
class Played:
    """All that is known of a case."""

    case: Case
    contenders: Sequence[Contender]
    samples: list[Sample] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Why a contender is out, by name. Its samples are gone: it has none or all."""
    memory: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Bytes that all ranks together grew by, and those that they were told not to exceed; by name, where they
    were told."""

    def of(self, contender: str, operation: str) -> list[Sample]:
        """By round."""
        return [one for one in self.samples if (one.contender, one.operation) == (contender, operation)]

    def seconds(self, contender: str, operation: str) -> list[float]:
        """By round."""
        return [one.seconds for one in self.of(contender, operation)]

    def steps(self, contender: str, operation: str) -> list[Mapping[str, float]]:
        """What it says that each took, by round."""
        return [one.steps_s for one in self.of(contender, operation)]

    def with_role(self, *roles: str) -> list[Contender]:
        """Those of these roles that did not fail."""
        return [one for one in self.contenders if one.role in roles and one.name not in self.failed]


@dataclass(frozen=True)
class Rules:
    """How a case is played."""

    rounds: int
    directory: Path
    overwrite: bool = False
    """Dump to the file of the round before, as applications do that keep two dumps; else to a new file."""

    def path(self, contender: str) -> Path:
        """New files take turns at one place, so that the storage holds one of them at most."""
        return self.directory / (contender if self.overwrite else "array")


def play(case: Case, contenders: Sequence[Contender], servers: Mapping[str, Asked], rules: Rules) -> Played:
    """Verify each contender, which also warms it up, then measure them in turns.

    `servers` are the ranks of each contender, by name.
    """
    played = Played(case, contenders)
    for number in range(rules.rounds + 1):
        for one in order(contenders, number):
            if one.name not in played.failed:
                _take_turn(played, one.name, servers[one.name], number, rules)
    return played


def order(contenders: Sequence[One], number: int) -> list[One]:
    """Who follows whom in a round: everybody begins in turn, and not always after the same one."""
    begins = number % len(contenders)
    turned = [*contenders[begins:], *contenders[:begins]]
    return turned if number % 2 == 0 else turned[::-1]


def _take_turn(played: Played, name: str, server: Asked, number: int, rules: Rules) -> None:
    path = rules.path(name)
    try:
        if number == 0:
            _verify(played, name, server.ask("verify", name, path))
            return
        for operation in OPERATIONS:
            verb = "overwrite" if operation == "write" and rules.overwrite else operation
            answer = server.ask(verb, name, path)
            played.samples.append(Sample(name, operation, number, answer["seconds"], answer["steps_s"]))
    except LaunchFailed as error:
        played.failed[name] = str(error)
        played.samples = [sample for sample in played.samples if sample.contender != name]


def _verify(played: Played, name: str, answer: Mapping[str, Any]) -> None:
    if answer["memory_bound_bytes"]:
        played.memory[name] = (answer["memory_growth_bytes"], answer["memory_bound_bytes"])

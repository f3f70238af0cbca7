"""Changes of a machine, each alone and all together, and what they buy."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weir.errors import WeirError
from weir.simulate.kinds import Base
from weir.simulate.model import Machine, path_of
from weir.simulate.result import Simulation
from weir.simulate.run import Variant
from weir.simulate.schema import KEYS, Path
from weir.simulate.simulate import Asked, Simulate, simulate_all

_TIMES = re.compile(r"x\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*x")
TOGETHER = "all together"


@dataclass(frozen=True)
class Change:
    """Another value of a key, in base units."""

    path: Path
    base: Base
    words: str
    """ "storage.targets.count 96"."""


def parse_change(word: str, machine: Machine) -> Change:
    """That of KEY=VALUE; "x2" is twice what the machine has. Raises WeirError where it is none."""
    name, equals, text = (part.strip() for part in word.partition("="))
    if not (name and equals and text):
        raise WeirError(
            f"'{word}' is no change of a machine", "", "write for example targets.count=96 or stripes=x2"
        )
    try:
        path = path_of(name)
    except WeirError as error:
        raise WeirError(f"{word}: {error.problem}", error.why, error.suggestion) from error
    try:
        base = _base(path, text, machine)
    except WeirError as error:
        example = f"write for example {name}={KEYS[path].kind.example.replace(' ', '')}"
        raise WeirError(f"{word}: {error.problem}", error.why, example) from error
    return Change(path, base, f"{'.'.join(path)} {KEYS[path].kind.spell(base)}")


def _base(path: Path, text: str, machine: Machine) -> Base:
    kind = KEYS[path].kind
    times = _TIMES.fullmatch(text)
    if times is None and text[0] == "x":
        raise WeirError(f"'{text}' is no factor", "it is x and a number above 0")
    if times is None:
        return kind.parse(text)
    now = machine.values.get(path)
    if now is None or isinstance(now, str):
        raise WeirError(f"'{'.'.join(path)}' has no value to multiply")
    product = now * float(times.group(1) or times.group(2))
    if not kind.suffix and not math.isclose(product, round(product)):
        raise WeirError(f"'{product:g}' is not a count", f"the machine has {now}")
    return kind.parse(kind.spell(round(product) if isinstance(now, int) else product))


def check_distinct(changes: Sequence[Change]) -> None:
    """Raises WeirError for a key that is changed twice: together they would be one change."""
    paths = [one.path for one in changes]
    for path in paths:
        if paths.count(path) > 1:
            twice = " and ".join(one.words for one in changes if one.path == path)
            raise WeirError(f"{'.'.join(path)} is changed twice", twice, "give one of them at a time")


@dataclass(frozen=True)
class Tried:
    """A machine with changes, and why it cannot be where it cannot."""

    words: str
    machine: Machine | None
    why: str = ""


def machines_of(machine: Machine, changes: Sequence[Change]) -> list[Tried]:
    """With each change alone, and of several with all together. Raises WeirError where all are impossible
    together, or a key is changed twice; one alone may be impossible."""
    check_distinct(changes)
    try:
        whole = machine.changed({one.path: one.base for one in changes})
    except WeirError as error:
        raise WeirError(_problem(error), error.why, "change less, or the other value too") from error
    if len(changes) == 1:
        return [Tried(changes[0].words, whole)]
    return [*(_alone(machine, one) for one in changes), Tried(TOGETHER, whole)]


def _alone(machine: Machine, change: Change) -> Tried:
    try:
        return Tried(change.words, machine.changed({change.path: change.base}))
    except WeirError as error:
        return Tried(change.words, None, _problem(error))


def _problem(error: WeirError) -> str:
    """What cannot be, without the place in the model's file, where nobody has written it."""
    return error.problem.partition(": ")[2] or error.problem


def variants(
    simulate: Simulate, machine: Machine, tried: Sequence[Tried], asked: Asked, ranks: Sequence[int]
) -> Iterator[Variant]:
    """The machine as it is, then those that can be."""
    yield Variant(machine, list(simulate_all(simulate, machine, asked, ranks)))
    for one in tried:
        if one.machine:
            yield Variant(one.machine, list(simulate_all(simulate, one.machine, asked, ranks)), one.words)


def times_as_fast(before: Simulation, after: Simulation) -> float:
    """What a change buys; 1 where nothing takes time."""
    return before.time_s / after.time_s if after.time_s > 0 else 1.0

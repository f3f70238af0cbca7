"""What imitates a pattern: parameters in the order of its steps, how faithful they are, what they lose."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from math import prod

from weir.mimic.asked import Asked
from weir.mimic.fidelity import Fidelity, fidelity_of, together
from weir.mimic.losses import Loss
from weir.mimic.nests import Nest
from weir.mimic.parameters import Parameters
from weir.pattern import Pattern, Step
from weir.pattern import Phase as PatternPhase


@dataclass(frozen=True)
class Turn:
    """A loop around an access: how often, and how far it advances in bytes and in files."""

    count: int
    advance: int
    file_advance: int


@dataclass(frozen=True)
class Made:
    """One access and the parameters that imitate one turn of it. `regions`: so many turns of a rank lie side
    by side in its part of the file; with 1 each turn follows the one of all ranks."""

    asked: Asked
    turns: tuple[Turn, ...]
    parameters: Parameters
    regions: int
    losses: tuple[Loss, ...]
    random_sizes: bool
    apart: bool
    """Whether each turn is a case of its own: it ends with a sync, ranks wait for each other, or a preset
    says what it is."""

    @property
    def nest(self) -> Nest:
        """What the parameters make in a turn."""
        return self.parameters.nest(self.regions)

    @property
    def times(self) -> int:
        """How often the access is made."""
        return prod(turn.count for turn in self.turns)

    @property
    def files(self) -> int:
        """In how many files."""
        return prod(turn.count for turn in self.turns if turn.file_advance)

    @property
    def bytes(self) -> int:
        """What the pattern asks for, in all turns."""
        return self.asked.bytes * self.times

    @property
    def moved_bytes(self) -> int:
        """What the imitation moves, in all turns."""
        return self.parameters.bytes * self.times

    @cached_property
    def fidelity(self) -> Fidelity:
        """How faithful this is."""
        return fidelity_of(self.losses)

    @property
    def start(self) -> int:
        """Where its first turn begins: where the pattern's does, or as far on as turns backwards need."""
        back = zip(self.advances(), self.turns, strict=True)
        return max(self.asked.place, -sum(min(0, advance) * (turn.count - 1) for advance, turn in back))

    def advances(self) -> tuple[int, ...]:
        """How far the parameters' requests advance with each turn: without gaps, in the order in which the
        pattern's turns lie."""
        made, stride = self.parameters, self.asked.nest.rank_stride or 0
        own = made.block * made.segments
        levels = sorted(
            (level for level, turn in enumerate(self.turns) if turn.advance),
            key=lambda level: abs(self.turns[level].advance),
        )
        aside = [level for level in levels if self.regions > 1 and abs(self.turns[level].advance) < stride]
        whole = own if made.layout == "file-per-process" else own * made.ranks * self.regions
        found = [0] * len(self.turns)
        for some, unit in ((aside, own), ([level for level in levels if level not in aside], whole)):
            for level in some:
                found[level] = unit if self.turns[level].advance > 0 else -unit
                unit *= self.turns[level].count  # noqa: PLW2901 - it grows from level to level
        return tuple(found)


@dataclass(frozen=True)
class Turns:
    """Parts that are made again and again."""

    count: int
    parts: "tuple[Part, ...]"


Part = Made | Step | Turns


@dataclass(frozen=True)
class ParameterSet:
    """Parameters of a phase as they are shown: `turns` cases of them one after the other, in files of that
    name (the first one's)."""

    parameters: Parameters
    turns: int
    side_by_side: bool
    """Whether a rank's turns lie side by side, before the next rank's part begins."""
    file: str
    bytes: int
    """What they move, in all turns and files."""
    requests: int
    pattern_bytes: int
    """What the accesses move that they imitate."""
    pattern_requests: int
    fidelity: Fidelity
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class Phase:
    """The imitation of one phase; `losses` are of what stands between its requests."""

    of: PatternPhase
    parts: tuple[Part, ...]
    losses: tuple[Loss, ...]

    @property
    def name(self) -> str:
        """The phase's name."""
        return self.of.name

    @property
    def all_made(self) -> list[Made]:
        """Its accesses in their order."""
        return list(_all_made(self.parts))

    @cached_property
    def fidelity(self) -> Fidelity:
        """Of all its accesses, by their bytes."""
        return together([(made.fidelity, made.bytes) for made in self.all_made])

    def sets(self, pattern: Pattern) -> list[ParameterSet]:
        """Its parameter sets, in order, equal neighbours as one: in one file more turns or segments, in
        several files more files."""
        shown = [_shown(made, pattern) for made in self.all_made]
        grouped = groupby(shown, lambda one: (one.parameters, one.side_by_side, one.losses))
        return [found for _, some in grouped for found in _joined(list(some))]


@dataclass(frozen=True)
class Imitation:
    """The imitation of a pattern."""

    pattern: Pattern
    phases: tuple[Phase, ...]

    @cached_property
    def fidelity(self) -> Fidelity:
        """Of all accesses, by their bytes."""
        return together([(made.fidelity, made.bytes) for phase in self.phases for made in phase.all_made])

    @property
    def bytes(self) -> int:
        """What the pattern moves."""
        return sum(made.bytes for phase in self.phases for made in phase.all_made)

    @property
    def moved_bytes(self) -> int:
        """What the imitation moves."""
        return sum(made.moved_bytes for phase in self.phases for made in phase.all_made)

    @property
    def has_random_sizes(self) -> bool:
        """Does no set of parameters imitate some of it?"""
        return any(made.random_sizes for phase in self.phases for made in phase.all_made)

    def losses(self, phase: Phase) -> list[tuple[Loss, float]]:
        """What the phase loses, each once, with the bytes that it concerns; the greatest loss first."""
        concerned: dict[Loss, float] = dict.fromkeys(phase.losses, 0.0)
        for made in phase.all_made:
            for loss in made.losses:
                concerned[loss] = concerned.get(loss, 0.0) + made.bytes
        return sorted(concerned.items(), key=lambda one: -(1 - one[0].left) * one[1])


def _all_made(parts: Iterable[Part]) -> Iterator[Made]:
    for part in parts:
        if isinstance(part, Made):
            yield part
        elif isinstance(part, Turns):
            yield from _all_made(part.parts)


def _shown(made: Made, pattern: Pattern) -> ParameterSet:
    """Turns whose parameters are one segment of one file are its segments."""
    parameters, turns = made.parameters, made.times // made.files
    moving = all(turn.advance or turn.file_advance for turn in made.turns)
    plain = parameters.offsets == "sequential" and parameters.segments == 1 and moving
    if turns > 1 and plain and made.regions == 1 and not made.apart:
        parameters, turns = replace(parameters, segments=turns), 1
    return ParameterSet(
        replace(parameters, files=made.files),
        turns,
        made.regions > 1,
        pattern.files[made.asked.access.file].name,
        made.moved_bytes,
        made.parameters.ranks * made.parameters.requests * made.times,
        made.bytes,
        made.asked.requests * made.times,
        made.fidelity,
        made.losses,
    )


def _joined(equal: Sequence[ParameterSet]) -> Iterator[ParameterSet]:
    """Equal sets as one where each file has as many of them."""
    first = equal[0]
    names = {one.file for one in equal}
    if len(equal) == 1 or len(equal) % len(names):
        yield from equal
        return
    yield replace(
        first,
        parameters=replace(first.parameters, files=first.parameters.files * len(names)),
        turns=sum(one.turns for one in equal) // len(names),
        bytes=sum(one.bytes for one in equal),
        requests=sum(one.requests for one in equal),
        pattern_bytes=sum(one.pattern_bytes for one in equal),
        pattern_requests=sum(one.pattern_requests for one in equal),
    )

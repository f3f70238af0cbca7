"""The imitation as a pattern that `weir-core` carries out: cases of the storage benchmark one after the
other, on the pattern's files and in the order of its steps, with its opens, syncs and closes.

Its requests are what parameters express and nothing else: no messages, no arrays. When and where in
a file a case begins, and what becomes of the file, is the pattern's own; what is read lies within what was
written before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import UNSET
from msgspec.structs import replace

from weir.mimic.imitation import Imitation, Made, Part, Turn, Turns
from weir.mimic.nests import Nest
from weir.mimic.parameters import WORD, Parameters
from weir.pattern import Access, Extent, File, Order, Pattern, RankSet, Repeat, Step, levels_of


def carrier(imitation: Imitation) -> Pattern:
    """The pattern of an imitation."""
    pattern = imitation.pattern
    writing = _Writing(pattern)
    phases = [
        replace(
            phase.of,
            collective=phase.of.collective and all(made.parameters.collective for made in phase.all_made),
            steps=list(writing.steps(phase.parts, ())),
        )
        for phase in imitation.phases
    ]
    exact = imitation.fidelity.overall == 1
    return Pattern(
        weir_pattern=pattern.weir_pattern,
        name=f"imitation of {pattern.name}",
        ranks=pattern.ranks,
        inexact=pattern.inexact,
        memory=pattern.memory,
        # Datasets fit only the shape that they were made for.
        files=[
            File(name=file.name, per_rank=file.per_rank, dataset_bytes=file.dataset_bytes if exact else 0)
            for file in pattern.files
        ],
        phases=phases,
    )


@dataclass
class _Writing:
    """Goes through the steps in order, and knows how long the files are by then."""

    pattern: Pattern
    ends: dict[int, int] = field(default_factory=dict)
    """Of files that were created: one past the last byte written by a rank; others are made long enough."""

    def steps(self, parts: Iterable[Part], loops: tuple[int, ...]) -> Iterable[Step]:
        for part in parts:
            match part:
                case Made():
                    yield Step(access=self.access(part))
                case Turns():
                    inner = list(self.steps(part.parts, (*loops, part.count)))
                    if inner:
                        yield Step(repeat=Repeat(count=part.count, steps=inner))
                case _:
                    yield self.other(part, loops)

    def other(self, step: Step, loops: tuple[int, ...]) -> Step:
        """An open makes no arrays; one that creates begins an empty file, which may get another name."""
        if step.rename is not UNSET and step.rename.file in self.ends:
            self.ends[step.rename.to] = self.ends[step.rename.file]
        if step.open is UNSET:
            return step
        if step.open.mode == "create":
            for file in _files(step.open.file, step.open.file_advance, loops):
                self.ends.setdefault(file, 0)
        return Step(open=replace(step.open, makes=UNSET))

    def access(self, made: Made) -> Access:
        asked, parameters = made.asked.access, made.parameters
        nest, order, advances = made.nest, parameters.order(), made.advances()
        start = made.start
        moved = sum(abs(a) * (t.count - 1) for a, t in _turns(made, advances))
        files = _files(asked.file, asked.file_advance, tuple(turn.count for turn in made.turns))
        verb = parameters.verb
        if verb in ("write", "mixed"):
            end = start + moved + nest.reach_of_all
            self.ends |= {file: max(end, self.ends[file]) for file in files if file in self.ends}
        else:
            written = min((self.ends[file] for file in files if file in self.ends), default=None)
            if written is not None and start + moved + nest.reach_of_all > written:
                start = max(0, written - moved - nest.reach_of_all)
                if moved + nest.reach_of_all > written:
                    start, advances = 0, (0,) * len(advances)
                    nest, order = _within(parameters, nest, order, written)
            if verb == "check" and made.fidelity.overall < 1:
                verb = "read"  # what it reads may never have been written
        return Access(
            verb=verb,
            file=asked.file,
            ranks=asked.ranks if made.asked.alone or asked.ranks.count < self.pattern.ranks else _first(made),
            rank_levels=levels_of(nest.rank_levels),
            extent=Extent(start=start, levels=levels_of(nest.levels), length=nest.length),
            order=order,
            sync_each=asked.sync_each if asked.sync_each is not UNSET else False,
            together=parameters.together and order.kind in ("sequential", "random-partition"),
            collective=asked.collective and parameters.collective,
            read_percent=asked.read_percent,
            pace=parameters.pace() or UNSET,
            advance=advances if any(advances) else (),
            file_advance=asked.file_advance,
        )


def _first(made: Made) -> RankSet:
    return RankSet(first=0, count=made.parameters.ranks, step=1)


def _turns(made: Made, advances: tuple[int, ...]) -> Iterable[tuple[int, Turn]]:
    return zip(advances, made.turns, strict=True)


def _within(parameters: Parameters, nest: Nest, order: Order, end: int) -> tuple[Nest, Order]:
    """As many requests, drawn at random among those that the file holds: more is read than was written."""
    length = min(nest.length, end // WORD * WORD)
    drawn = Order(kind="random", seed=1, draws=parameters.requests)
    return Nest(((max(end // max(length, 1), 1), length),), length), drawn


def _files(file: int, advances: tuple[int, ...], loops: tuple[int, ...]) -> list[int]:
    """The files that a step reaches."""
    found = [file]
    for advance, count in zip(advances, loops, strict=False):
        if advance:
            found = [one + advance * turn for one in found for turn in range(count)]
    return found

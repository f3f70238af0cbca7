"""The parameters of the storage benchmark that imitate a pattern."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Literal

from msgspec import UNSET

from weir.mimic.accesses import EMPTY, Loop, Node, accesses_of
from weir.mimic.asked import Asked
from weir.mimic.choose import choose
from weir.mimic.fidelity import has_random_sizes, losses_of
from weir.mimic.imitation import Imitation, Made, Phase, Turn, Turns
from weir.mimic.losses import ASYNCHRONOUS, MESSAGES, OTHER_RANKS, Aspect, Loss
from weir.mimic.parameters import Parameters, SyncWhen
from weir.mimic.pauses import without_pauses
from weir.mimic.places import losses_of_places
from weir.pattern import Pattern, Step, steps_of
from weir.units import count_words

Change = Callable[[Parameters], Parameters]
"""What a preset makes of the derived parameters of one turn."""

_OTHERS = {
    "compute": "computing between requests is left out",
    "seek": "seeks are left out; they are no calls",
    "rename": "no parameter renames files; the imitation as a pattern does",
    "remove": "no parameter removes files; the imitation as a pattern does",
    "wait": "nothing is waited for",
    "broadcast": "broadcasts are left out",
    "send": "messages between ranks are left out",
    "move": "messages that redistribute an array are left out",
    "in_groups": "messages within groups of ranks are left out",
    EMPTY: "accesses of no bytes are left out",
}
OTHER_THAN_FIRST = (
    "no parameter says that others than the first ranks take part; the imitation as a pattern does"
)
HARMLESS = frozenset(
    [*(_OTHERS[kind] for kind in ("compute", "seek", "rename", "remove", EMPTY)), OTHER_THAN_FIRST]
)
"""What makes no difference to a forecast: it is left out of both sides, or is in both."""
_LEFT = dict.fromkeys(("broadcast", "send", "move", "in_groups"), MESSAGES)


def derive(pattern: Pattern, change: Change | None = None) -> Imitation:
    """The imitation of a pattern, phase by phase. Pure; time grows with steps and listed pieces, not with
    ranks and requests. `change` is made of all parameters, and the losses are those of its outcome."""
    synced = _synced_from(pattern)
    phases = []
    for phase, files in zip(pattern.phases, synced, strict=True):
        limited = phase.time_limit_s > 0 or bool(phase.limited_by)
        # Limits of time count accesses as the pattern has them.
        steps = phase.steps if limited else without_pauses(phase.steps)
        accesses = accesses_of(steps, pattern, joined=not limited)
        computes = Counter({"compute": sum(step.compute is not UNSET for step in steps_of(phase.steps))})
        losses = tuple(_of_others(accesses.others | computes))
        deriving = _Deriving(pattern, change, losses, files, phase.collective)
        phases.append(Phase(phase, tuple(deriving.parts(accesses.nodes, ())), losses))
    return Imitation(pattern, tuple(phases))


def _synced_from(pattern: Pattern) -> list[frozenset[int]]:
    """Of each phase the files that it or a later one syncs, as a whole."""
    found, files = list[frozenset[int]](), frozenset[int]()
    for phase in reversed(pattern.phases):
        files |= {step.sync.file for step in steps_of(phase.steps) if step.sync is not UNSET}
        found.append(files)
    return found[::-1]


def _of_others(others: Counter[str]) -> Iterable[Loss]:
    for kind, words in _OTHERS.items():
        if others[kind]:
            aspect = Aspect.CONCURRENCY if kind in _LEFT else Aspect.OTHER
            yield Loss(aspect, words, _LEFT.get(kind, 1.0))


@dataclass
class _Deriving:
    """What is the same for all accesses of a phase."""

    pattern: Pattern
    change: Change | None
    losses: tuple[Loss, ...]
    synced: frozenset[int]
    collective: bool

    def parts(self, nodes: Sequence[Node], loops: tuple[int, ...]) -> Iterable[Made | Step | Turns]:
        each_turn = _synced_each_turn(nodes) if loops else {}
        waits = bool(loops) and any(isinstance(one, Step) and one.barrier is not UNSET for one in nodes)
        for node in nodes:
            match node:
                case Loop(count, inner):
                    yield Turns(count, tuple(self.parts(inner, (*loops, count))))
                case Asked():
                    yield self.made(node, loops, each_turn, waits=waits)
                case _:
                    yield node

    def made(
        self, asked: Asked, loops: tuple[int, ...], each_turn: Mapping[int, bool], *, waits: bool
    ) -> Made:
        file = asked.access.file
        turns = tuple(
            Turn(count, _at(asked.access.advance, level), _at(asked.access.file_advance, level))
            for level, count in enumerate(loops)
        )
        sync: SyncWhen = "close" if file in self.synced or file in each_turn else "never"
        parameters = choose(asked, sync, collective=self.collective)
        if each_turn.get(file) and parameters.requests == 1 and parameters.sync == "close":
            parameters = replace(parameters, sync="write")
        parameters = replace(parameters, datasets=self._datasets(asked, parameters))
        if self.change:
            parameters = self.change(parameters)
        apart = waits or bool(self.change) or (file in each_turn and parameters.sync == "close")
        regions = _regions(asked, parameters, turns)
        made = Made(asked, turns, parameters, regions, (), has_random_sizes(asked), apart)
        own = losses_of(asked, parameters)
        between = [loss for loss in self.losses if loss.aspect is Aspect.CONCURRENCY]
        losses = [*own, *losses_of_places(made, own), *_of_ranks(asked), *between]
        return replace(made, losses=tuple(losses))

    def _datasets(self, asked: Asked, made: Parameters) -> Literal["one", "segment"]:
        size = self.pattern.files[asked.access.file].dataset_bytes
        segment = made.block if asked.alone else made.ranks * made.block
        return "segment" if size and size == segment else "one"


def _synced_each_turn(nodes: Sequence[Node]) -> dict[int, bool]:
    """The files that a loop of these nodes syncs in each turn, and whether after a single access, while they
    stay open."""
    steps = [node for node in nodes if isinstance(node, Step)]
    accesses = Counter(node.access.file for node in nodes if isinstance(node, Asked))
    opened = {step.open.file for step in steps if step.open is not UNSET}
    return {
        step.sync.file: accesses[step.sync.file] == 1 and step.sync.file not in opened
        for step in steps
        if step.sync is not UNSET
    }


def _at(numbers: tuple[int, ...], level: int) -> int:
    return numbers[level] if level < len(numbers) else 0


def _regions(asked: Asked, made: Parameters, turns: Sequence[Turn]) -> int:
    """How many turns of a rank lie side by side before the next rank's part begins; 1 where its turns are
    segments of the file."""
    stride = asked.nest.rank_stride
    if asked.alone or asked.ranks == 1 or stride is None or made.offsets != "sequential" or made.segments > 1:
        return 1
    return prod(turn.count for turn in turns if asked.nest.reach <= abs(turn.advance) < stride)


def _of_ranks(asked: Asked) -> list[Loss]:
    """What is lost in who takes part, and when."""
    found = []
    ranks = asked.access.ranks
    if asked.evenness < 1:
        words = (
            f"ranks have {100 * asked.evenness:.1f} % of what the rank with most has; the benchmark's alike"
        )
        found.append(Loss(Aspect.CONCURRENCY, words, asked.evenness))
    if asked.others_ranks:
        words = f"{count_words(ranks.count, 'rank')} at uneven distances take part; the first ones do instead"
        found.append(Loss(Aspect.CONCURRENCY, words, OTHER_RANKS))
    elif ranks.first or (ranks.step != 1 and ranks.count > 1):
        found.append(Loss(Aspect.OTHER, OTHER_THAN_FIRST))
    if asked.access.asynchronous:
        words = "requests are asynchronous; each of the benchmark's ends before the next"
        found.append(Loss(Aspect.CONCURRENCY, words, ASYNCHRONOUS))
    return found

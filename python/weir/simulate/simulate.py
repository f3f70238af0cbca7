"""Simulates a pattern on a machine, for one number of ranks or several."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from msgspec import Raw

from weir.core.client import Core
from weir.errors import WeirError
from weir.simulate.functions._beside import KEPT
from weir.simulate.functions.words import function_words
from weir.simulate.model import Machine
from weir.simulate.patterns import PatternSource
from weir.simulate.result import Simulation
from weir.simulate.settings import USUAL, Settings
from weir.units import count_words

Simulate = Callable[[Machine, "Asked"], Simulation]


@dataclass(frozen=True)
class Asked:
    """A pattern on so many ranks, and how it uses the machine."""

    pattern: str
    ranks: int
    settings: Settings = USUAL


def simulator(core: Core) -> Simulate:
    """What simulates; a pattern is made once for each number of ranks."""

    @cache
    def pattern(word: str, ranks: int) -> Raw:
        return PatternSource(word, core).for_ranks(ranks)

    def simulate(machine: Machine, asked: Asked) -> Simulation:
        check_ranks(machine, asked)
        calls = function_words(asked.pattern)
        made = calls.pattern(machine, asked.ranks) if calls else pattern(asked.pattern, asked.ranks)
        on = machine.as_core(KEPT if calls else ())
        return core.simulate({"machine": on, "pattern": made, **asked.settings.given}, Simulation)

    return simulate


def check_ranks(machine: Machine, asked: Asked) -> None:
    """Raises WeirError where the machine has too few places for the ranks, or too few targets."""
    nodes, most_on_node = (int(machine.number("nodes", key)) for key in ("count", "ranks"))
    each = asked.settings.ranks_per_node or most_on_node
    if each > most_on_node:
        raise machine.source.error(
            ("nodes", "ranks"),
            f"{each} ranks a node are too many for {machine.name}",
            f"a node has {most_on_node}",
            f"write for example --ranks-per-node {most_on_node}",
        )
    if asked.ranks > nodes * each:
        raise machine.source.error(
            ("nodes", "count"),
            f"{asked.ranks} ranks are too many for {machine.name}",
            f"it has {count_words(nodes, 'node')} of {count_words(each, 'rank')}",
            f"write for example --ranks {nodes * each}",
        )
    most = int(machine.number("storage", "most_stripes"))
    if asked.settings.stripes > most:
        raise machine.source.error(
            ("storage", "targets", "count"),
            f"{asked.settings.stripes} stripes are too many for {machine.name}",
            f"a file has {most} targets at most",
            f"write for example --stripes {most}",
        )


def check_aggregators(asked: Asked) -> None:
    """Raises WeirError where more ranks are to move the data than there are."""
    if asked.settings.aggregators > asked.ranks:
        raise WeirError(
            f"{count_words(asked.settings.aggregators, 'aggregator')} are too many",
            f"there {'is' if asked.ranks == 1 else 'are'} {count_words(asked.ranks, 'rank')}",
            f"write for example --aggregators {asked.ranks}",
        )


def simulate_all(
    simulate: Simulate, machine: Machine, asked: Asked, ranks: Sequence[int]
) -> Iterator[Simulation]:
    """One for each number of ranks, in their order. All are checked before any is simulated."""
    each = [replace(asked, ranks=count) for count in ranks]
    for one in each:
        check_ranks(machine, one)
    for one in each:
        yield simulate(machine, one)


def parse_ranks(text: str) -> list[int]:
    """The counts of "1,4,16", or of a series: "1,4,…,508" goes on by the
    factor, "24,36,…,96" by the step. Raises WeirError for
    anything else."""
    words = [word.strip() for word in text.replace("...", "…").split(",")]
    example = "write for example --ranks 1,4,16 or --ranks 1,2,…,64"
    found: list[int] = []
    for at, word in enumerate(words):
        if word == "…" and len(found) >= 2 and at + 2 == len(words) and words[-1].isdecimal():
            found += _between(found[-2], found[-1], int(words[-1]))
        elif not word.isdecimal() or not int(word):
            raise WeirError(f"'{text}' says not how many ranks", f"'{word}' is no count", example)
        else:
            found.append(int(word))
    if sorted(set(found)) != found:
        raise WeirError(f"'{text}' says not how many ranks", "the counts do not rise", example)
    return found


def _between(before: int, last: int, end: int) -> list[int]:
    """What follows these two, before the end: by the same factor where it is a whole one, else by the same
    step."""
    if last % before:
        return [*range(2 * last - before, end, max(1, last - before))]
    found: list[int] = []
    while last > before and last * (last // before) < end:
        before, last = last, last * (last // before)
        found.append(last)
    return found

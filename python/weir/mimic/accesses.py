"""The steps of a phase as accesses and what stands around them, equal neighbours joined: what is to be
imitated, before anything is chosen."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from msgspec import UNSET
from msgspec.structs import asdict, replace

from weir.mimic.asked import Asked, asked_of, gathered, of_all_ranks
from weir.mimic.fidelity import MOST_OF_BYTES
from weir.pattern import Access, Mode, Open, Pattern, Ranks, RankSet, Step, disjoint

KEPT = ("open", "preallocate", "sync", "close", "barrier", "rename", "remove")
"""What stays around the requests. A case of the storage benchmark does the first four, and begins when all
ranks are there, as after a barrier; with the others files, and what is cached of them, come and go as the
application's do."""
EMPTY = "empty"
"""Among the other steps: accesses that move no bytes."""
MOST_KINDS = 6
"""Accesses that differ in more than their places, of one kind and one after the other: of more, those with
most bytes are imitated each, and the others together."""
LONGEST_TURN = 6
"""Steps that are looked for again right behind them."""
DEEPEST = 8
"""Repeats may be nested so deep."""
SIMILAR = 2.0
"""Accesses of different ranks whose shares are no farther apart than this factor are one access of all."""


@dataclass(frozen=True)
class Loop:
    """Nodes that are made again and again."""

    count: int
    nodes: tuple["Node", ...]


Node = Asked | Step | Loop
"""A Step is one of those that are kept."""


@dataclass(frozen=True)
class Accesses:
    """What a phase asks for, and how often which other steps stand in it (repeats count once)."""

    nodes: tuple[Node, ...]
    others: Counter[str]


def accesses_of(steps: Sequence[Step], pattern: Pattern, *, joined: bool) -> Accesses:
    """Of a phase. Without `joined` each access stays, as limits of time count them."""
    others: Counter[str] = Counter()
    return Accesses(_nodes(steps, pattern, others, 0 if joined else None), others)


def _nodes(
    steps: Sequence[Step], pattern: Pattern, others: Counter[str], depth: int | None
) -> tuple[Node, ...]:
    found: list[Node] = []
    for step in steps:
        if step.access is not UNSET:
            asked = asked_of(step.access, pattern)
            if asked.bytes:
                found.append(asked)
            else:
                others[EMPTY] += 1
        elif step.repeat is not UNSET:
            inner = _nodes(step.repeat.steps, pattern, others, None if depth is None else depth + 1)
            if inner:
                found.append(Loop(step.repeat.count, inner))
        else:
            (kind,) = (kind for kind, what in asdict(step).items() if what is not UNSET)
            others[kind] += 1
            if kind in KEPT:
                found.append(step)
    found = _opened_together(found, pattern.ranks)
    if depth is None:
        return tuple(found)
    few = _of_few_kinds(found)
    return tuple(_rolled(few, depth) if depth < DEEPEST else few)


def _opened_together(nodes: Sequence[Node], ranks: int) -> list[Node]:
    """With opens of a file by one rank after another as one of all of them, where the first one is: without
    the barrier between, one would open what another has yet to create."""
    found: list[Node] = []
    places: dict[int, int] = {}
    apart = _opened_in_turn(nodes, ranks)
    for node in nodes:
        if isinstance(node, Step) and node.close is not UNSET:
            places.pop(node.close.file, None)
        if not isinstance(node, Step) or node.open is UNSET:
            found.append(node)
        elif node.open.file in apart or (place := places.get(node.open.file)) is None:
            places[node.open.file] = len(found)
            found.append(node)
        else:
            before = found[place]
            assert isinstance(before, Step)
            assert before.open is not UNSET
            found[place] = Step(open=_both(before.open, node.open, ranks))
    return found


def _opened_in_turn(nodes: Sequence[Node], ranks: int) -> set[int]:
    """Files that a rank opens again while others have them open: of an open by all, no close would have the
    ranks."""
    now_open: Counter[int] = Counter()
    closing: set[int] = set()
    found: set[int] = set()
    for node in nodes:
        if not isinstance(node, Step):
            continue
        if node.open is not UNSET:
            found |= {node.open.file} & closing
            now_open[node.open.file] += _count(node.open.ranks, ranks)
        elif node.close is not UNSET:
            file = node.close.file
            now_open[file] -= _count(node.close.ranks, ranks)
            (closing.add if now_open[file] > 0 else closing.discard)(file)
    return found


def _count(some: Ranks, ranks: int) -> int:
    return ranks if some is UNSET else sum(part.count for part in _sets(some))


def _sets(some: Ranks) -> list[RankSet]:
    return [] if some is UNSET else some if isinstance(some, list) else [some]


def _both(one: Open, other: Open, ranks: int) -> Open:
    mode: Mode = one.mode if one.mode != "read" else other.mode
    sets = [*_sets(one.ranks), *_sets(other.ranks)]
    everyone = UNSET in (one.ranks, other.ranks) or sum(part.count for part in sets) >= ranks
    together: Ranks = UNSET if everyone else sets
    return replace(one, mode=mode, ranks=together, collective=one.collective or other.collective)


def _rolled(nodes: Sequence[Node], depth: int) -> list[Node]:
    """Neighbours that are equal but for their places, which are equally far apart, as turns of a loop: one
    access again and again, or a few steps."""
    found: list[Node] = []
    at = 0
    while at < len(nodes):
        length, turns = max(
            ((length, _turns_of(nodes, at, length)) for length in range(1, LONGEST_TURN + 1)),
            key=lambda one: (one[0] * one[1] if one[1] > 1 else 1, -one[0]),
        )
        if turns > 1:
            turn, after = nodes[at : at + length], nodes[at + length : at + 2 * length]
            moving = (_moving(one, other, depth) for one, other in zip(turn, after, strict=True))
            found.append(Loop(turns, tuple(moving)))
            at += length * turns
        else:
            found.append(nodes[at])
            at += 1
    return found


def _turns_of(nodes: Sequence[Node], at: int, length: int) -> int:
    """How often the steps of this length from there on are made one after the other."""
    turn = nodes[at : at + length]
    if not all(isinstance(one, Asked) or _is_plain(one) for one in turn) or all(map(_is_plain, turn)):
        return 1
    end = at + length
    while end < len(nodes) and _goes_on(nodes, at, end, length):
        end += 1
    turns = (end - at) // length
    # Any two turns of several steps are equally far apart.
    return turns if length == 1 or turns > 2 else 1


def _is_plain(node: Node) -> bool:
    """Is it a step that may be in a loop as it is?"""
    return isinstance(node, Step) and (
        node.barrier is not UNSET or (node.sync is not UNSET and not node.sync.file_advance)
    )


def _goes_on(nodes: Sequence[Node], at: int, end: int, length: int) -> bool:
    """Is this step the one a turn before, and as far from it as the second turn's from the first one's?"""
    one, before, first = nodes[end], nodes[end - length], nodes[at + (end - at) % length]
    if not isinstance(one, Asked) or not isinstance(before, Asked) or not isinstance(first, Asked):
        return one == before
    after = nodes[at + (end - at) % length + length]
    assert isinstance(after, Asked)
    return one.is_like(before) and one.place - before.place == after.place - first.place


def _moving(one: Node, after: Node, depth: int) -> Node:
    if isinstance(one, Asked) and isinstance(after, Asked):
        return one.moving(depth, after.place - one.place)
    return one


def _of_few_kinds(nodes: list[Node]) -> list[Node]:
    """With accesses gathered that are too different to be imitated one by one. Those that opens, syncs or
    loops separate stay apart."""
    found: list[Node] = []
    for separates, some in groupby(nodes, lambda node: not isinstance(node, Asked)):
        run = list(some)
        found += run if separates else _gathered([one for one in run if isinstance(one, Asked)])
    return found


def _gathered(run: list[Asked]) -> list[Asked]:
    """A run of accesses with the single ranks' ones joined, then those of a kind that are too many."""
    run = _of_all_ranks(run)
    order = {id(one): at for at, one in enumerate(run)}
    kinds: dict[tuple[bool, Access], list[Asked]] = {}
    for one in run:
        kinds.setdefault((one.alone, one.access), []).append(one)
    parts = [part for several in kinds.values() for part in _few(several)]
    found = []
    for part in sorted(parts, key=lambda part: order[id(part[0])]):
        in_turn = order[id(part[-1])] - order[id(part[0])] == len(part) - 1
        found.append(part[0] if len(part) == 1 else gathered(part, in_turn=in_turn))
    return found


def _few(several: list[Asked]) -> list[list[Asked]]:
    """Each alone, but for those that are gathered."""
    shapes = {dataclasses.replace(one, place=0) for one in several}
    steady = len(shapes) <= MOST_KINDS and len(_rolled(several, 0)) <= MOST_KINDS
    if steady:
        return [[one] for one in several]
    by_shape: dict[Asked, list[Asked]] = {}
    for one in several:
        by_shape.setdefault(dataclasses.replace(one, place=0), []).append(one)
    ordered = sorted(by_shape.values(), key=lambda equal: -sum(one.bytes for one in equal))
    kept, rest = ordered[: MOST_KINDS - 1], ordered[MOST_KINDS - 1 :]
    whole = sum(one.bytes for one in several)
    if sum(one.bytes for equal in kept for one in equal) < MOST_OF_BYTES * whole:
        return [several]
    apart = [[[one] for one in equal] if len(_rolled(equal, 0)) == 1 else [equal] for equal in kept]
    gone = {id(one) for equal in rest for one in equal}
    others = [one for one in several if id(one) in gone]
    return [part for parts in apart for part in parts] + ([others] if others else [])


def _of_all_ranks(run: list[Asked]) -> list[Asked]:
    """With neighbours that differ in nothing but their ranks and places, and little in their sizes, as one
    access of all these ranks."""
    found: list[list[Asked]] = []
    for one in run:
        if found and all(_goes_with(one, other) for other in found[-1]):
            found[-1].append(one)
        else:
            found.append([one])
    return [several[0] if len(several) == 1 else of_all_ranks(several) for several in found]


def _goes_with(one: Asked, other: Asked) -> bool:
    ones, others = one.access.ranks, other.access.ranks
    apart = disjoint(ones, others)
    size, other_size = one.bytes / one.ranks, other.bytes / other.ranks
    alike = max(size, other_size) <= SIMILAR * min(size, other_size)
    same = one.alone == other.alone and _of_anyone(one.access) == _of_anyone(other.access)
    return apart and alike and same


def _of_anyone(access: Access) -> Access:
    return replace(access, ranks=RankSet(first=0, count=1, step=1))

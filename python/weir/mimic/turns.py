"""Steps as turns of a repeat: what they are in one turn, and which neighbours are turns of one."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from weir.pattern import Access, Repeat, Seek, Step

LONGEST = 16
"""Steps of a turn that are looked for."""

Advances = tuple[int, ...]


def kind_of(step: Step) -> str:
    """Which of its fields is set."""
    return next(name for name, what in asdict(step).items() if what is not UNSET)


def in_turn(step: Step, depth: int, turn: int, *, inside: bool = False) -> Step:
    """What a step of a repeat, with `depth` repeats around that, is in one of its turns. `inside`: it stays
    in the repeat, which begins with this turn."""
    if step.repeat is not UNSET:
        inner = [in_turn(one, depth, turn, inside=inside) for one in step.repeat.steps]
        return Step(repeat=replace(step.repeat, steps=inner))
    kind = kind_of(step)
    what = getattr(step, kind)
    changes: dict[str, Any] = {}
    for place, name in (("file", "file_advance"), ("to", "to_advance"), ("", "advance")):
        advances = getattr(what, name, ())
        by = turn * advances[depth] if depth < len(advances) else 0
        if not inside:
            changes[name] = _plain((*advances[:depth], *advances[depth + 1 :]))
        if place and by:
            changes[place] = getattr(what, place) + by
        elif by:
            changes |= _displaced(what, by)
    return Step(**{kind: replace(what, **{key: to for key, to in changes.items() if hasattr(what, key)})})


def _displaced(what: Access | Seek, by: int) -> dict[str, Any]:
    if isinstance(what, Seek):
        return {"to": what.to + by}
    if what.lists is not UNSET:
        return {"lists": [[at if odd % 2 else at + by for odd, at in enumerate(one)] for one in what.lists]}
    if what.extent is UNSET:
        return {}
    return {"extent": replace(what.extent, start=what.extent.start + by)}


def rolled(steps: Sequence[Step], depth: int) -> list[Step]:
    """With neighbours that are turns of a repeat as turns of it: those of one that is there, and three or
    more that are none yet. `depth` repeats stand around the steps."""
    found = _with_neighbours(list(steps), depth)
    length = 2
    while length <= min(LONGEST, len(found) // 3):
        at = 0
        while at + 3 * length <= len(found):
            turns = _turns_at(found, at, length, depth)
            if turns:
                found[at : at + turns.count * length] = [Step(repeat=turns)]
            at += 1
        length += 1
    return found


def _with_neighbours(steps: list[Step], depth: int) -> list[Step]:
    """With turns before and after repeats in them."""
    at = 0
    while at < len(steps):
        repeat = steps[at].repeat
        if repeat is UNSET or not repeat.steps:
            at += 1
            continue
        length, after = len(repeat.steps), steps[at + 1 : at + 2]
        if after and after[0].repeat is not UNSET and _goes_on(repeat, after[0].repeat, depth):
            longer = replace(repeat, count=repeat.count + after[0].repeat.count)
            steps[at : at + 2] = [Step(repeat=longer)]
        elif _is_turn(repeat, repeat.count, steps[at + 1 : at + 1 + length], depth):
            steps[at : at + 1 + length] = [Step(repeat=replace(repeat, count=repeat.count + 1))]
        elif at >= length and _is_turn(repeat, -1, steps[at - length : at], depth):
            earlier = [in_turn(one, depth, -1, inside=True) for one in repeat.steps]
            at -= length
            steps[at : at + 1 + length] = [Step(repeat=Repeat(count=repeat.count + 1, steps=earlier))]
        else:
            at += 1
    return steps


def _goes_on(one: Repeat, other: Repeat, depth: int) -> bool:
    later = [in_turn(step, depth, one.count, inside=True) for step in one.steps]
    return _plainly(later) == _plainly(other.steps)


def _is_turn(repeat: Repeat, turn: int, steps: Sequence[Step], depth: int) -> bool:
    if len(steps) != len(repeat.steps) or any(map(_differ_in_kind, steps, repeat.steps)):
        return False
    return _plainly([in_turn(step, depth, turn) for step in repeat.steps]) == _plainly(steps)


def _differ_in_kind(one: Step, other: Step) -> bool:
    return kind_of(one) != kind_of(other)


def _turns_at(steps: Sequence[Step], at: int, length: int, depth: int) -> Repeat | None:
    """Turns of so many steps from there on, if there are three."""
    turn, after = steps[at : at + length], steps[at + length : at + 2 * length]
    if any(map(_differ_in_kind, turn, after)):
        return None
    body = [_moving(*two, depth) for two in zip(turn, after, strict=True)]
    known = [one for one in body if one is not None]
    if len(known) < length:
        return None
    repeat = Repeat(count=2, steps=known)
    while _is_turn(
        repeat, repeat.count, steps[at + repeat.count * length : at + (repeat.count + 1) * length], depth
    ):
        repeat = replace(repeat, count=repeat.count + 1)
    return repeat if repeat.count > 2 else None


def _moving(one: Step, after: Step, depth: int) -> Step | None:
    """A step of a repeat that is `one` in its first turn and `after` in its second; None if there is none."""
    if one.repeat is not UNSET and after.repeat is not UNSET:
        if len(one.repeat.steps) != len(after.repeat.steps):
            return None
        inner = [_moving(*two, depth) for two in zip(one.repeat.steps, after.repeat.steps, strict=True)]
        known = [step for step in inner if step is not None]
        return Step(repeat=replace(one.repeat, steps=known)) if len(known) == len(inner) else None
    if _differ_in_kind(one, after):
        return None
    kind = kind_of(one)
    what, later = getattr(one, kind), getattr(after, kind)
    changes = {}
    for place, name in (("file", "file_advance"), ("to", "to_advance"), ("", "advance")):
        if hasattr(what, name):
            by = getattr(later, place) - getattr(what, place) if place else _start(later) - _start(what)
            changes[name] = _inserted(getattr(what, name), depth, by)
    moving = Step(**{kind: replace(what, **changes)})
    return moving if _plainly([in_turn(moving, depth, 1)]) == _plainly([after]) else None


def _start(what: Access | Seek) -> int:
    if isinstance(what, Seek):
        return what.to
    if what.lists is not UNSET:
        return next((one[0] for one in what.lists if one), 0)
    return what.extent.start if what.extent is not UNSET else 0


def _inserted(advances: Advances, depth: int, by: int) -> Advances:
    padded = (*advances, *(0,) * (depth - len(advances)))
    return _plain((*padded[:depth], by, *padded[depth:]))


def _plain(advances: Advances) -> Advances:
    """None at the end that say nothing."""
    while advances and not advances[-1]:
        advances = advances[:-1]
    return advances


def _plainly(steps: Sequence[Step]) -> list[Step]:
    """Steps that are equal if they say the same."""
    found = []
    for step in steps:
        if step.repeat is not UNSET:
            found.append(Step(repeat=replace(step.repeat, steps=_plainly(step.repeat.steps))))
            continue
        kind = kind_of(step)
        what = getattr(step, kind)
        names = [name for name in ("file_advance", "to_advance", "advance") if hasattr(what, name)]
        found.append(Step(**{kind: replace(what, **{name: _plain(getattr(what, name)) for name in names})}))
    return found

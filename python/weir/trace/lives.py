"""Processes from their first program to their last, whose children they were and who waited for them, and the
bytes that they moved by the kernel's count.

The kernel adds the count of a process to that of the one that waits for it: its parent, or, if that ended
before, the next ancestor that adopts orphans (the first of a namespace, a "subreaper", `weir trace`).
Children that nobody waited for are in no count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from weir.trace.process import Process

Bytes = tuple[int, int]
"""Read and written."""

Identity = tuple[object, object, object]
"""Host, namespace, process number."""

_UNREPORTED = 2**16
"""Bytes that a child without files of its own moves at most through the recorder: with more it gets files."""

_MOST_GENERATIONS = 100
"""Of processes: deeper trees are cut into several."""


@dataclass(frozen=True)
class Orphan:
    """A process without files of its own for which `weir trace` has waited."""

    program: str
    moved: Bytes


@dataclass(eq=False)
class Life:
    """A process, from its first program image to its last, which exec replaces."""

    images: list[Process]
    parent: "Life | None" = None
    children: "list[Life]" = field(default_factory=list)
    told: Bytes | None = None
    """The kernel's count at its very end, by whom waited for it."""
    is_orphan: bool = False
    """Has `weir trace` waited for it? Then no other process has."""
    runs: bool = False
    """Had it not ended when `weir trace` looked for the last time?"""
    holders: "list[Life]" = field(default_factory=list)
    """Those whose child it may have been at its end, in turn."""
    held: "list[Life]" = field(default_factory=list)
    """The reverse of it."""

    @property
    def program(self) -> str:
        """Its last one."""
        return self.images[-1].program

    @property
    def ended_ns(self) -> int:
        """0: it did not end by itself."""
        return self.images[-1].ended_ns

    @property
    def begins_namespace(self) -> bool:
        """Do orphans of its namespace become its children?"""
        return self.images[0].facts.get("process") == 1

    @property
    def adopts(self) -> bool:
        """Do orphans among its descendants become its children?"""
        return self.begins_namespace or any(image.facts.get("subreaper") for image in self.images)

    def had_begun_at(self, start: Process) -> bool:
        """Was it there when that began, on the same host?"""
        first = self.images[0]
        alive = first.began_ns <= start.began_ns and not 0 < self.ended_ns < start.began_ns
        return alive and first.host == start.host

    @cached_property
    def count(self) -> Bytes | None:
        """The kernel's count when it ended by itself."""
        return _pair(self.images[-1], "kernel_{}") if self.images[-1].ended else None

    @property
    def final(self) -> Bytes | None:
        """The kernel's count at its end, as far as it is known."""
        return self.told or self.count

    @property
    def knows_seen(self) -> bool:
        """Is all known that passed the recorder? Older ones did not keep it of programs that were killed."""
        return self.images[-1].ended or "in_proc" in self.images[-1].facts

    @cached_property
    def seen(self) -> Bytes:
        """Bytes of its own calls, and those that were moved before the recorder was loaded."""
        read = written = 0
        before = (0, 0)
        for image in self.images:
            start = _pair(image, "kernel_{}_before") or before
            read, written = read + max(0, start[0] - before[0]), written + max(0, start[1] - before[1])
            moved = _pair(image, "seen_{}") or _left_by(image)
            read, written = read + moved[0], written + moved[1]
            before = _pair(image, "kernel_{}") or (start[0] + moved[0], start[1] + moved[1])
        return read, written

    def has_left(self, child: "Life") -> bool:
        """Did it end without having waited for this child, as it said itself?"""
        numbers = {pid for image in self.images for pid in image.facts.get("left", [])}
        return self.number_of(child) in numbers

    def surely_waited_for(self, child: "Life") -> bool:
        """Is it known that it has, given that it was its child?"""
        knows = self._knows_left and self.number_of(child) is not None
        had_ended = 0 < child.ended_ns < self.ended_ns or self._saw_killed(child) or self.names(child)
        return knows and had_ended and not self.has_left(child)

    def _saw_killed(self, child: "Life") -> bool:
        numbers = {pid for image in self.images for pid, _ in image.facts.get("killed", [])}
        return self.number_of(child) in numbers and not child.images[-1].ended

    def number_of(self, child: "Life") -> object:
        """In this one's namespace; None: not known."""
        last, first = self.images[-1], child.images[0]
        if _space_of(first) == _space_of(last):
            return child.number
        return first.facts.get("in_proc") if last.facts.get("in_proc") == self.number else None

    @property
    def _knows_left(self) -> bool:
        """Does it name the children that it had at its end?"""
        return bool(self.images[-1].facts.get("children_left", -1) >= 0)

    def names(self, child: "Life") -> bool:
        """Does it say that it has waited for that?"""
        numbers = {pid for image in self.images for pid in image.facts.get("waited", [])}
        return self.number_of(child) in numbers

    def _may_have_adopted(self, orphan: "Life") -> bool:
        """Has it waited for that one, or does it not name all for which it has?"""
        last = self.images[-1]
        unnamed = any(-1 in image.facts.get("waited", []) for image in self.images)
        # Its last program may not be recorded; the kernel reaps what a killed namespace leaves.
        unknown = _executed(last) or (self.begins_namespace and not last.ended)
        unknown = unknown or unnamed or self.number_of(orphan) is None
        return "in_proc" not in last.facts or unknown or self.names(orphan)

    @property
    def waited_for(self) -> "list[Life]":
        """All that it may have waited for."""
        held = [one for one in self.held if not self.has_left(one)]
        return [one for one in held if one.parent is self or self._may_have_adopted(one)]

    @property
    def number(self) -> object:
        """In its namespace."""
        return self.images[0].facts.get("process")

    @cached_property
    def explained(self) -> Bytes:
        """The part of the count of whoever waits for it that it accounts for."""
        if self.told is not None:
            return self.told
        seen = self.seen
        if self.count is None:
            return _sum([seen, *_explained_once(self.waited_for), self._without_files()])
        own = max(self.count[0], seen[0]), max(self.count[1], seen[1])
        return _sum([own, *_explained_once(self._ended_with)])

    @property
    def _ended_with(self) -> "list[Life]":
        """With the first process of a namespace, the kernel ends all others there, and waits for them."""
        return [one for one in self.held if self.begins_namespace and self._may_have_ended_with(one)]

    def _may_have_ended_with(self, other: "Life") -> bool:
        """Had nobody waited for that when this ended? Its holders until then may have ended with it too."""
        before = other.holders[: other.holders.index(self)]
        all_gone = all(one.had_gone_before(self) for one in before)
        # An orphan of those that had gone was its child, so it would have named it.
        named = self._knows_left and self.number_of(other) is not None and not self.has_left(other)
        return not (all_gone and named and (before or self.surely_waited_for(other)))

    def had_gone_before(self, other: "Life") -> bool:
        """Had it surely ended when that ended?"""
        return 0 < self.ended_ns < other.ended_ns or any(one.surely_waited_for(self) for one in self.holders)

    def unexplained(self) -> Bytes:
        """Bytes by the kernel's count of which the recorder saw nothing."""
        assert self.final is not None
        included = dict.fromkeys(self.waited_for)
        if self.told is not None:
            included |= dict.fromkeys(self._ended_with)
        known = _sum([self.seen, *_explained_once(list(included)), self._without_files()])
        return max(0, self.final[0] - known[0]), max(0, self.final[1] - known[1])

    def _without_files(self) -> Bytes:
        """Of killed children without files: what they may have moved of files that are not recorded."""
        known = {self.number_of(one) for one in (*self.children, *self.held)}
        some = [
            moved or (0, 0)
            for image in self.images
            for pid, moved in image.facts.get("killed", [])
            if pid not in known
        ]
        return _sum((min(read, _UNREPORTED), min(written, _UNREPORTED)) for read, written in some)


def lives_of(processes: Sequence[Process], head: Mapping[str, Any]) -> tuple[list[Life], list[Orphan]]:
    """All of them, and orphans that are none of them. `head` is what `weir trace` knows."""
    of: dict[Identity, list[Life]] = {}
    for process in sorted(processes, key=lambda one: one.began_ns):
        lives = of.setdefault(process.identity, [])
        # Numbers are used again, and so are those of namespaces.
        goes_on = process.facts.get("how") == "start" and lives and _executed(lives[-1].images[-1])
        if goes_on:
            lives[-1].images.append(process)
        else:
            lives.append(Life([process]))
    every = [life for lives in of.values() for life in lives]
    for life in every:
        _find_parent(life, of)
    orphans = list(_told_by_launcher(every, head))
    for life in every:
        life.holders = _holders(life)
        for holder in life.holders:
            holder.held.append(life)
    for life in every:
        _tell_killed(life)
    return every, orphans


def _executed(image: Process) -> bool:
    return not image.ended and "becomes" in image.facts


def _find_parent(life: Life, of: Mapping[Identity, list[Life]]) -> None:
    first = life.images[0]
    number = first.facts.get("parent")
    parents = of.get((first.host, first.facts.get("parents_namespace", _space_of(first)), number), [])
    parents = [one for one in parents if one is not life]
    # One that did not call fork() may have got its files after its child.
    before = [one for one in parents if one.images[0].began_ns <= first.began_ns] or parents[:1]
    if before and number != 0 and _may_have(before[-1], life):
        life.parent = before[-1]
        life.parent.children.append(life)


def _may_have(parent: Life, child: Life) -> bool:
    """A damaged trace may make a process its own ancestor."""
    above: Life | None = parent
    for _ in range(_MOST_GENERATIONS):
        if above is None:
            return True
        if above is child:
            return False
        above = above.parent
    return False


def _explained_once(lives: "Sequence[Life]") -> Iterator[Bytes]:
    """What these account for, without those that another one accounts for."""
    within = {id(inner) for life in lives if life.final is None for inner in life.waited_for}
    return (life.explained for life in lives if id(life) not in within)


def _tell_killed(life: Life) -> None:
    """What a process knows of children that a signal killed."""
    for image in life.images:
        for pid, moved in image.facts.get("killed", []):
            killed = [one for one in life.held if life.number_of(one) == pid and not one.images[-1].ended]
            if killed and moved is not None:
                killed[-1].told = moved


def _holders(life: Life) -> list[Life]:
    """Those whose child a process may have been at its end: its parent, and where that is not known to have
    waited for it, the next ancestor that adopts orphans, and so on. Not those below one that had it later."""
    holders = [] if life.is_orphan else list(_ancestors_until_waited_for(life))
    if life.runs and not life.ended_ns:
        holders = [one for one in holders if one.runs]
    had = [place for place, one in enumerate(holders) if one.has_left(life) or one.names(life)]
    return holders[max(had, default=0) :]


def _ancestors_until_waited_for(life: Life) -> Iterator[Life]:
    holder, above = life.parent, life.parent
    for _ in range(_MOST_GENERATIONS):
        if holder is None or above is None:
            return
        if above is holder:
            yield holder
            # No orphan leaves its namespace.
            if holder.surely_waited_for(life) or holder.begins_namespace:
                return
        above = above.parent
        if above is not None and above.adopts:
            holder = above


def _told_by_launcher(lives: Sequence[Life], head: Mapping[str, Any]) -> Iterator[Orphan]:
    """Tells the count of the process that was started, and of orphans, and which run; yields orphans without
    files."""
    host = head.get("host")
    own = [life for life in lives if life.images[0].host == host]
    started = [life for life in own if life.number == head.get("process")][:1]
    by_number = {_in_proc(life): life for life in own if _has_proc_of(life, started)}
    for pid in head.get("running", []):
        if type(pid) is int and pid in by_number:
            by_number[pid].runs = True
    read, written = head.get("kernel_read"), head.get("kernel_written")
    if "orphans" in head and started and isinstance(read, int) and isinstance(written, int):
        started[0].told = read, written
    # The launcher's /proc does not show the numbers of a namespace that has its own.
    seen_by_none = any(_in_proc(life) == life.number == 1 for life in own)
    keys = ("orphans", "orphans_programs", "orphans_read", "orphans_written")
    for pid, program, *moved in zip(*(head.get(key, []) for key in keys), strict=False):
        if not isinstance(program, str) or not all(type(one) is int and one >= 0 for one in (pid, *moved)):
            continue
        if pid in by_number:
            by_number[pid].told = moved[0], moved[1]
            by_number[pid].is_orphan = True
        elif not seen_by_none:
            yield Orphan(program, (moved[0], moved[1]))


def _has_proc_of(life: Life, started: Sequence[Life]) -> bool:
    """A namespace may have a /proc of its own, whose numbers others have in that of `weir trace`."""
    own = _in_proc(life) == life.number
    return not own or all(_space_of(life.images[-1]) == _space_of(one.images[-1]) for one in started)


def _in_proc(life: Life) -> object:
    return life.images[-1].facts.get("in_proc", life.number)


def _space_of(process: Process) -> object:
    return process.facts.get("namespace", 0)


def _sum(pairs: Iterable[Bytes]) -> Bytes:
    read, written = zip((0, 0), *pairs, strict=True)
    return sum(read), sum(written)


def _pair(process: Process, form: str) -> Bytes | None:
    read, written = (process.facts.get(form.format(way)) for way in ("read", "written"))
    return (int(read), int(written)) if isinstance(read, int) and isinstance(written, int) else None


def _left_by(process: Process) -> Bytes:
    """For a process that did not write its counts: bytes by its records, of files that are not recorded, and
    of the trace's own files."""
    moved = {"read": 0, "write": 0}
    of_recorder = sum(stream.records.nbytes for stream in process.streams)
    ways = {
        number: call.kind
        for number, call in process.names.calls.items()
        if call.interface in ("POSIX", "STDIO") and call.kind in moved
    }
    for stream in process.streams:
        for number, kind in ways.items():
            results = stream.records["result"][stream.records["call"] == number]
            moved[kind] += int(results[results > 0].sum())
    read, written = (sum(stream.unrecorded[way] for stream in process.streams) for way in (0, 1))
    return moved["read"] + read, moved["write"] + written + of_recorder

"""What a trace cannot hold: programs that did not load the recorder, and calls that passed it.

The kernel counts the bytes that each process reads and writes, and adds to a process what its children have
moved when it has waited for them. Processes tell that count when they end, and what their calls moved as the
recorder saw them. What is left when that, and what the children explain, is taken away was seen by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.trace.process import Process

LEAST = 2**18
LEAST_SHARE = 0.02
"""Less than that is what the C library does by itself: buffers read further than a program asked, the
system's own files, and what is written when the process has told already."""


@dataclass(frozen=True)
class Unseen:
    """Something that a program did and that is not in the trace."""

    program: str
    reason: str
    """`kernel`: its count is greater; `static`, `rights`, `left`: it was started and did not load the
    recorder; `io_uring`, `libaio`: it set up a ring of requests; `silent`: it could write nothing to the
    trace; `running`: it had not ended when the program had; or in words, what it did so that calls were
    only counted after it."""
    times: int = 1
    read: int = 0
    written: int = 0
    others: tuple[str, ...] = ()
    """Programs that it may have been instead, where that is known."""


def unseen_in(processes: Sequence[Process], head: Mapping[str, Any]) -> tuple[Unseen, ...]:
    """All of it, alike things together. `head` is what `weir trace` knows."""
    found: dict[tuple[str, str], Unseen] = {}
    for one in (*_told(processes), *_running(processes, head), *_compared(processes, head)):
        before = found.get((one.program, one.reason))
        found[one.program, one.reason] = one if before is None else _both(before, one)
    return tuple(found.values())


def _both(a: Unseen, b: Unseen) -> Unseen:
    others = tuple(dict.fromkeys((*a.others, *b.others)))
    return Unseen(a.program, a.reason, a.times + b.times, a.read + b.read, a.written + b.written, others)


def program_of(process: Process) -> str:
    """The first word of its command line."""
    return (
        str(process.facts.get("command", "")).partition(" ")[0] or f"process {process.facts.get('process')}"
    )


def _told(processes: Sequence[Process]) -> Iterator[Unseen]:
    """What processes said of themselves."""
    started = {(process.facts.get("host"), process.facts.get("process")) for process in _images(processes)}
    for process in processes:
        program = program_of(process)
        if not _tells(process):
            yield Unseen(program, "silent")
        if process.counts is not None and process.counts.lost:
            yield Unseen(program, process.counts.why)
        for ring in ("io_uring", "libaio"):
            if ring in process.facts:
                yield Unseen(program, ring)
        noted = process.facts.get("unrecorded", [])
        for other, why in noted:
            yield Unseen(str(other), str(why))
        if left_for(process) and not process.ended and not _goes_on(process, started):
            next_program = str(process.facts["becomes"])
            if next_program not in [other for other, _ in noted]:
                yield Unseen(next_program, "left")


def running_in(head: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Processes that had not ended when the program had, with their programs."""
    pairs = zip(head.get("running", []), head.get("running_programs", []), strict=False)
    return [
        (process, program)
        for process, program in pairs
        if isinstance(process, int) and isinstance(program, str)
    ]


def _running(processes: Sequence[Process], head: Mapping[str, Any]) -> Iterator[Unseen]:
    """Those of them that have told no end since."""
    ended = {
        one.facts.get("process")
        for one in processes
        if one.ended
        if one.facts.get("host") == head.get("host")
    }
    for process, program in running_in(head):
        if process not in ended:
            yield Unseen(f"{program} (process {process})", "running")


def _tells(process: Process) -> bool:
    """Could it write its facts?"""
    return "weir_trace" in process.facts


def left_for(process: Process) -> str:
    """The program that it became, without the recorder or with it; empty: it became none."""
    return str(process.facts.get("becomes", ""))


def _images(processes: Sequence[Process]) -> Iterator[Process]:
    """Those that are not the first of their process number on their host."""
    seen: set[tuple[object, object]] = set()
    for process in sorted(processes, key=_real_ns):
        who = (process.facts.get("host"), process.facts.get("process"))
        if who in seen:
            yield process
        seen.add(who)


def _goes_on(process: Process, started: set[tuple[object, object]]) -> bool:
    return (process.facts.get("host"), process.facts.get("process")) in started


def _real_ns(process: Process) -> int:
    return int(process.facts.get("real_ns", 0))


@dataclass
class _Life:
    """A process from its first program to its last."""

    images: list[Process]
    children: list[_Life] = field(default_factory=list)
    count: tuple[int, int] | None = None
    """By the kernel, at its end."""
    killed: bool = False

    @property
    def ended_ns(self) -> int:
        return int(self.images[-1].facts.get("end_real_ns", 0))

    def had_begun_at(self, start: Process) -> bool:
        """Was it there when that began, on the same host?"""
        first = self.images[0]
        alive = _real_ns(first) <= _real_ns(start) and not 0 < self.ended_ns < _real_ns(start)
        return alive and first.facts.get("host") == start.facts.get("host")

    @property
    def seen(self) -> tuple[int, int]:
        """By its own calls, with what was moved before the recorder could see any."""
        read = written = 0
        before = (0, 0)
        for image in self.images:
            start = _pair(image, "kernel_{}_before") or before
            read, written = read + max(0, start[0] - before[0]), written + max(0, start[1] - before[1])
            moved = _pair(image, "seen_{}") or _recorded_by(image)
            read, written = read + moved[0], written + moved[1]
            before = _pair(image, "kernel_{}") or (start[0] + moved[0], start[1] + moved[1])
        return read, written

    def explained(self) -> tuple[int, int]:
        """Of what its parent's count has of it."""
        if self.count is None:
            return _sum([self.seen, *(child.explained() for child in self.children)])
        seen = self.seen
        return max(self.count[0], seen[0]), max(self.count[1], seen[1])

    def unexplained(self) -> tuple[int, int]:
        assert self.count is not None
        known = _sum([self.seen, *(child.explained() for child in self.children if not child.outlives(self))])
        return max(0, self.count[0] - known[0]), max(0, self.count[1] - known[1])

    @property
    def is_vague(self) -> bool:
        """Was a signal the end of it, or of a child that told nothing?"""
        return self.count is None and (self.killed or any(child.is_vague for child in self.children))

    def outlives(self, parent: _Life) -> bool:
        return 0 < parent.ended_ns < self.ended_ns


def _sum(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    listed = list(pairs)
    return sum(pair[0] for pair in listed), sum(pair[1] for pair in listed)


def _pair(process: Process, form: str) -> tuple[int, int] | None:
    read, written = (process.facts.get(form.format(way)) for way in ("read", "written"))
    return (int(read), int(written)) if isinstance(read, int) and isinstance(written, int) else None


def _recorded_by(process: Process) -> tuple[int, int]:
    """Of a process that has told nothing: what its records say, and the records themselves, which it wrote
    too."""
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
    return moved["read"], moved["write"] + of_recorder


def _lives(processes: Sequence[Process], head: Mapping[str, Any]) -> list[_Life]:
    of: dict[tuple[object, object], list[_Life]] = {}
    for process in sorted(processes, key=_real_ns):
        lives = of.setdefault((process.facts.get("host"), process.facts.get("process")), [])
        goes_on = bool(lives) and not lives[-1].images[-1].ended and process.facts.get("how") == "start"
        if goes_on:
            lives[-1].images.append(process)
        else:
            lives.append(_Life([process]))
    every = [life for lives in of.values() for life in lives]
    for life in every:
        first = life.images[0]
        parents = of.get((first.facts.get("host"), first.facts.get("parent")), [])
        before = [parent for parent in parents if _real_ns(parent.images[0]) <= _real_ns(first)]
        if before and before[-1] is not life:
            before[-1].children.append(life)
            killed = [pid for image in before[-1].images for pid in image.facts.get("killed", [])]
            life.killed = first.facts.get("process") in killed
        if life.images[-1].ended:
            life.count = _pair(life.images[-1], "kernel_{}")
    _add_count_of_launcher(of, head)
    return every


def _add_count_of_launcher(of: Mapping[tuple[object, object], list[_Life]], head: Mapping[str, Any]) -> None:
    """Of the process that it has started, it knows the count in any case, unless a signal killed that."""
    read, written = head.get("kernel_read"), head.get("kernel_written")
    killed = head.get("killed_by", 0) != 0
    lives = of.get((head.get("host"), head.get("process")), [])
    if lives and not killed and isinstance(read, int) and isinstance(written, int):
        lives[0].count = (read, written)


def _compared(processes: Sequence[Process], head: Mapping[str, Any]) -> Iterator[Unseen]:
    mute = [process for process in processes if not _tells(process)]
    for life in _lives(processes, head):
        untold = any(child.is_vague for child in life.children)
        # One that could write nothing is told as that, be it this one or what came of it, which cannot say
        # whose child it was; one that counted has counted.
        silent = any((image.counts and image.counts.lost) or not _tells(image) for image in life.images)
        if life.count is None or untold or silent or any(map(life.had_begun_at, mute)):
            continue
        unseen = [
            bytes_ if bytes_ >= max(LEAST, LEAST_SHARE * count) else 0
            for bytes_, count in zip(life.unexplained(), life.count, strict=True)
        ]
        if any(unseen):
            others = [str(name) for image in life.images for name, _ in image.facts.get("unrecorded", [])]
            others += [program_of(child.images[-1]) for child in life.children if child.count is None]
            program = program_of(life.images[-1])
            yield Unseen(program, "kernel", 1, unseen[0], unseen[1], tuple(dict.fromkeys(others)))

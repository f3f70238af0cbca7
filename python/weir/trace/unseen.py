"""What a trace cannot hold: programs that did not load the recorder, and calls that passed it.

The kernel counts the bytes that each process reads and writes, and adds those of children that the process
has waited for. A process writes that count to its facts when it ends, and the bytes of the calls that the
recorder saw. What remains of the count after these calls and the children were not seen by the recorder.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.trace.process import Process

LEAST = 2**18
LEAST_SHARE = 0.02
"""Less than that comes from the C library itself: read-ahead into buffers, the system's own files, and what
is written after the process has written its facts."""


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
    """All of it, alike things merged. `head` is what `weir trace` knows."""
    found: dict[tuple[str, str], Unseen] = {}
    for one in (*_told(processes), *_running(processes, head), *_compared(processes, head)):
        before = found.get((one.program, one.reason))
        found[one.program, one.reason] = one if before is None else _both(before, one)
    return tuple(found.values())


def _both(a: Unseen, b: Unseen) -> Unseen:
    others = tuple(dict.fromkeys((*a.others, *b.others)))
    return Unseen(a.program, a.reason, a.times + b.times, a.read + b.read, a.written + b.written, others)


def _told(processes: Sequence[Process]) -> Iterator[Unseen]:
    """From the facts of processes."""
    executed = _executing_again(processes)
    for process in processes:
        if not _wrote_facts(process):
            yield Unseen(process.program, "silent")
        if process.counts is not None and process.counts.lost:
            yield Unseen(process.program, process.counts.why)
        for ring in ("io_uring", "libaio"):
            if ring in process.facts:
                yield Unseen(process.program, ring)
        noted = process.facts.get("unrecorded", [])
        for other, why in noted:
            yield Unseen(str(other), str(why))
        left = process.next_program and not process.ended and process.identity not in executed
        if left and process.next_program not in [other for other, _ in noted]:
            yield Unseen(process.next_program, "left")


def running_in(head: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Processes that had not ended when the program had, with their programs."""
    pairs = zip(head.get("running", []), head.get("running_programs", []), strict=False)
    return [
        (process, program)
        for process, program in pairs
        if isinstance(process, int) and isinstance(program, str)
    ]


def _running(processes: Sequence[Process], head: Mapping[str, Any]) -> Iterator[Unseen]:
    """Those of them that did not end later."""
    ended = {one.identity for one in processes if one.ended}
    for process, program in running_in(head):
        if (head.get("host"), process) not in ended:
            yield Unseen(f"{program} (process {process})", "running")


def _wrote_facts(process: Process) -> bool:
    return "weir_trace" in process.facts


def _executing_again(processes: Sequence[Process]) -> set[tuple[object, object]]:
    """Process numbers, with their hosts, under which several program images recorded."""
    return {identity for identity, images in Counter(one.identity for one in processes).items() if images > 1}


@dataclass
class _Lifetime:
    """A process from its first program image to its last, which exec replaces."""

    images: list[Process]
    children: "list[_Lifetime]" = field(default_factory=list)
    count: tuple[int, int] | None = None
    """By the kernel, at its end."""
    killed: bool = False

    @property
    def ended_ns(self) -> int:
        return self.images[-1].ended_ns

    def had_begun_at(self, start: Process) -> bool:
        """Was it there when that began, on the same host?"""
        first = self.images[0]
        alive = first.began_ns <= start.began_ns and not 0 < self.ended_ns < start.began_ns
        return alive and first.host == start.host

    @property
    def seen(self) -> tuple[int, int]:
        """Bytes of its own calls, and those that were moved before the recorder was loaded."""
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
        """The part of its parent's count that it accounts for."""
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
        """Did a signal kill it, or a child without a count?"""
        return self.count is None and (self.killed or any(child.is_vague for child in self.children))

    def outlives(self, parent: "_Lifetime") -> bool:
        return 0 < parent.ended_ns < self.ended_ns


def _sum(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    read, written = zip((0, 0), *pairs, strict=True)
    return sum(read), sum(written)


def _pair(process: Process, form: str) -> tuple[int, int] | None:
    read, written = (process.facts.get(form.format(way)) for way in ("read", "written"))
    return (int(read), int(written)) if isinstance(read, int) and isinstance(written, int) else None


def _recorded_by(process: Process) -> tuple[int, int]:
    """For a process that did not write its count: bytes by its records, and the records themselves, which it
    wrote too."""
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


def _lives(processes: Sequence[Process], head: Mapping[str, Any]) -> list[_Lifetime]:
    of: dict[tuple[object, object], list[_Lifetime]] = {}
    for process in sorted(processes, key=lambda one: one.began_ns):
        lives = of.setdefault(process.identity, [])
        goes_on = bool(lives) and not lives[-1].images[-1].ended and process.facts.get("how") == "start"
        if goes_on:
            lives[-1].images.append(process)
        else:
            lives.append(_Lifetime([process]))
    every = [life for lives in of.values() for life in lives]
    for life in every:
        first = life.images[0]
        parents = of.get((first.facts.get("host"), first.facts.get("parent")), [])
        before = [parent for parent in parents if parent.images[0].began_ns <= first.began_ns]
        if before and before[-1] is not life:
            before[-1].children.append(life)
            killed = [pid for image in before[-1].images for pid in image.facts.get("killed", [])]
            life.killed = first.facts.get("process") in killed
        if life.images[-1].ended:
            life.count = _pair(life.images[-1], "kernel_{}")
    # The launcher knows the count of the process that it started, unless a signal killed that.
    read, written = head.get("kernel_read"), head.get("kernel_written")
    started = of.get((head.get("host"), head.get("process")), [])
    if started and not head.get("killed_by", 0) and isinstance(read, int) and isinstance(written, int):
        started[0].count = (read, written)
    return every


def _compared(processes: Sequence[Process], head: Mapping[str, Any]) -> Iterator[Unseen]:
    silent_ones = [process for process in processes if not _wrote_facts(process)]
    for life in _lives(processes, head):
        untold = any(child.is_vague for child in life.children)
        # A process that could write nothing is reported as that, be it this one or a descendant, which cannot
        # say whose child it was. One that counted its calls is no gap.
        silent = any(image.lost_calls or not _wrote_facts(image) for image in life.images)
        if life.count is None or untold or silent or any(map(life.had_begun_at, silent_ones)):
            continue
        unseen = [
            bytes_ if bytes_ >= max(LEAST, LEAST_SHARE * count) else 0
            for bytes_, count in zip(life.unexplained(), life.count, strict=True)
        ]
        if any(unseen):
            others = [str(name) for image in life.images for name, _ in image.facts.get("unrecorded", [])]
            others += [child.images[-1].program for child in life.children if child.count is None]
            program = life.images[-1].program
            yield Unseen(program, "kernel", 1, unseen[0], unseen[1], tuple(dict.fromkeys(others)))

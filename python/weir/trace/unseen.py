"""What a trace cannot hold: programs that did not load the recorder, and calls that passed it.

The kernel counts the bytes that each process reads and writes. What remains of the count after the calls that
the recorder saw, and the counts of the children that it includes, was not seen by the recorder.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.trace.lives import Orphan, lives_of
from weir.trace.process import Process

LEAST = 2**18
LEAST_SHARE = 0.02
"""Less than that comes from the C library itself: read-ahead into buffers, the system's own files, and what
is written after the process has written its facts."""

MOST_SPAWNED = 2**31
"""By one process: a greater number is damaged."""


@dataclass(frozen=True)
class Unseen:
    """Something that a program did and that is not in the trace."""

    program: str
    reason: str
    """`kernel`: its count is greater; `static`, `rights`, `left`: it was started and did not load the
    recorder; `spawned`: so did processes that it started by MPI_Comm_spawn; `io_uring`, `libaio`: it set up a
    ring of requests; `silent`: it could write nothing to the
    trace; `misplaced`: records of its appends have other offsets than where their bytes landed; `running`: it
    had not ended when the program had; or in words, what it did so that calls were
    only counted after it."""
    times: int = 1
    read: int = 0
    written: int = 0
    others: tuple[str, ...] = ()
    """Programs that it may have been instead, where that is known."""

    @property
    def moved(self) -> bool:
        """Is it known to have moved bytes, or to have made requests?"""
        return self.read + self.written > 0 or self.reason in ("io_uring", "libaio", "silent")


def unseen_in(processes: Sequence[Process], head: Mapping[str, Any]) -> tuple[Unseen, ...]:
    """All of it, alike things merged. `head` is what `weir trace` knows."""
    found: dict[tuple[str, str], Unseen] = {}
    told = *_told(processes), *_spawned(processes)
    for one in (*told, *_running(processes, head), *_compared(processes, head)):
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
        if process.is_silent:
            yield Unseen(process.program, "silent")
        if process.counts is not None and process.counts.lost:
            yield Unseen(process.program, process.counts.why)
        for ring in ("io_uring", "libaio"):
            if ring in process.facts:
                yield Unseen(process.program, ring)
        if "misplaced_appends" in process.facts:
            yield Unseen(process.program, "misplaced")
        noted = process.facts.get("unrecorded", [])
        for other, why in noted:
            yield Unseen(str(other), str(why))
        left = process.next_program and not process.ended and process.identity not in executed
        if left and process.next_program not in [other for other, _ in noted]:
            yield Unseen(process.next_program, "left")


def _spawned(processes: Sequence[Process]) -> Iterator[Unseen]:
    """Processes that MPI_Comm_spawn started, and that recorded nothing here. Whose they were is not known:
    they count at the programs that started most."""
    missing = -sum(process.facts.get("was_spawned", 0) == 1 for process in processes)
    missing += sum(_started(process) for process in processes)
    for process in sorted(processes, key=_started, reverse=True):
        if (times := min(missing, _started(process))) > 0:
            yield Unseen(process.program, "spawned", times)
            missing -= times


def _started(process: Process) -> int:
    """By MPI_Comm_spawn; what is damaged counts as none."""
    return min(max(0, int(process.facts.get("spawned", 0))), MOST_SPAWNED)


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
    ended = {(one.host, one.facts.get("in_proc", one.facts.get("process"))) for one in processes if one.ended}
    for process, program in running_in(head):
        if (head.get("host"), process) not in ended:
            yield Unseen(f"{program} (process {process})", "running")


def _executing_again(processes: Sequence[Process]) -> set[tuple[object, ...]]:
    """Process numbers, with their hosts, under which several program images recorded."""
    return {identity for identity, images in Counter(one.identity for one in processes).items() if images > 1}


def _compared(processes: Sequence[Process], head: Mapping[str, Any]) -> Iterator[Unseen]:
    silent_ones = [process for process in processes if process.is_silent]
    lives, orphans = lives_of(processes, head)
    for life in lives:
        # A process that could write nothing is reported as that, be it this one or a descendant, which cannot
        # say whose child it was. One that counted its calls is no gap.
        silent = any(image.lost_calls or image.is_silent for image in life.images)
        count = life.final
        if count is None or not life.knows_seen or silent or any(map(life.had_begun_at, silent_ones)):
            continue
        unseen = _beyond_noise(life.unexplained(), count)
        if any(unseen):
            others = [str(name) for image in life.images for name, _ in image.facts.get("unrecorded", [])]
            others += [child.program for child in life.waited_for if child.count is None]
            yield Unseen(life.program, "kernel", 1, *unseen, tuple(dict.fromkeys(others)))
    if not silent_ones:
        yield from _unknown_orphans(orphans)


def _unknown_orphans(orphans: Sequence[Orphan]) -> Iterator[Unseen]:
    """Those without files of their own."""
    for one in orphans:
        unseen = _beyond_noise(one.moved, one.moved)
        if any(unseen):
            yield Unseen(one.program, "kernel", 1, *unseen)


def _beyond_noise(unseen: tuple[int, int], count: tuple[int, int]) -> tuple[int, int]:
    read, written = (
        bytes_ if bytes_ >= max(LEAST, LEAST_SHARE * all_) else 0
        for bytes_, all_ in zip(unseen, count, strict=True)
    )
    return read, written

"""Reads a recorded trace: processes to lanes on one clock, each process's numbers to names of the whole
trace."""

import errno
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from weir.bounded_parsing import decode_json
from weir.files.plain import read_plain
from weir.pattern import PAGE_BYTES, Memory
from weir.trace.at_a_time import threads_at_a_time
from weir.trace.clock_offsets import Clocks, compare_clocks, with_corrected_clocks
from weir.trace.lane import Clock, Lane
from weir.trace.layouts import LISTS, layouts_in
from weir.trace.model import Life, Lost, Trace
from weir.trace.names import Call, File
from weir.trace.process import Process, read_trace
from weir.trace.record.recorder import HEAD
from weir.trace.stream import Stream
from weir.trace.unseen import running_in, unseen_in

Name = TypeVar("Name")
DAMAGED = Call("DAMAGED", "unknown", "other")
"""Stands for a call without a name."""
_MOST_TOLD = 1 << 20
"""Ranks of a job that are looked for: a larger number is damaged."""
LONG_ENOUGH_NS = 10_000_000
"""Clocks that were compared over a shorter time give no good rate."""


def load_trace(folder: Path) -> Trace:
    """Read what the recorder wrote into a folder. Raises WeirError if it holds no trace."""
    found, head = read_trace(folder), folder / HEAD
    return assemble(str(folder), found, read_plain(head) if head.exists() else b"")


def assemble(name: str, found: list[Process], head: bytes) -> Trace:
    """A trace of these processes, of which there must be at least one; `head`: the content of HEAD."""
    known = _known(head)
    processes, launchers = _of_ranks(found)
    firsts = first_ranks(found)
    names = _Names(firsts)
    ranks = len({rank for rank, _ in processes})
    rates = _rates_of_hosts([process for _, process in processes])
    began = min(process.began_ns for _, process in processes)
    told = [lane for rank, process in processes for lane in _lanes(process, rank, began, rates, names)]
    told.sort(key=lambda lane: (lane.rank, lane.process, lane.thread))
    clocks = compare_clocks(told, list(names.calls), list(names.communicators), ranks)
    really = min(clocks.corrected_ns(process.host, process.began_ns) for _, process in processes)
    lanes = list(with_corrected_clocks(told, clocks, began - really))
    run_ns = _run_ns(processes, lanes, clocks, really)
    return Trace(
        name=name,
        command=_command(known, processes),
        ranks=ranks,
        hosts=tuple(sorted({process.host for _, process in processes})),
        began_real_ns=really,
        calls=tuple(names.calls),
        files=tuple(names.files),
        communicators=tuple(names.communicators),
        lanes=tuple(lanes),
        processes=len(processes),
        ranked=any(process.rank >= 0 for _, process in processes),
        run_ns=run_ns,
        end_known=not any(_loses(process) and not process.ended_ns for _, process in processes),
        alive_ns=_alive_ns([process for _, process in processes], began + run_ns),
        threads_at_a_time=threads_at_a_time(processes, began + run_ns),
        lives=tuple(_lives(processes, clocks, really)),
        unended=_unended(processes, known),
        missing=_missing(processes, firsts),
        lost=tuple(_lost(processes, rates)),
        lost_why=_lost_why([process for _, process in processes]),
        data_memory=_data_memory([process for _, process in processes]),
        unseen=unseen_in(found, known),
        layouts=layouts_in(known, list(names.files)),
        lost_from_ns=min(_lost_from([process for _, process in processes], really, rates), default=None),
        notes=(*_notes(processes, launchers, clocks), *note_of_jobs(firsts)),
        damaged=sum(len(process.notes) for process in found),
    )


def _known(head: bytes) -> dict[str, Any]:
    """What `weir trace` wrote into HEAD; nothing where another launcher was used."""
    try:
        known = decode_json(head, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}
    kinds = {"host": str, "process": int, "killed_by": int, "kernel_read": int, "kernel_written": int}
    kinds |= {"running": list, "running_programs": list, "orphans": list, "orphans_programs": list}
    kinds |= {"orphans_read": list, "orphans_written": list}
    kinds |= dict.fromkeys(LISTS, list)
    return {key: value for key, value in known.items() if isinstance(value, kinds.get(key, object))}


def _command(known: dict[str, Any], processes: list[tuple[int, Process]]) -> str:
    """The command of `weir trace`; with another launcher, that of the first rank."""
    words = known.get("command")
    if isinstance(words, list):
        return shlex.join(str(word) for word in words)
    return processes[0][1].command


def _of_ranks(found: list[Process]) -> tuple[list[tuple[int, Process]], list[Process]]:
    """Processes with their ranks, and those that launched them. Where no process has a rank, each that
    recorded anything counts as one."""
    firsts = first_ranks(found)
    ranked = [(one.rank + firsts.get(one.job, 0), one) for one in found if one.rank >= 0]
    if ranked:
        return ranked, [one for one in found if one.rank < 0]
    recording = [one for one in found if _recorded(one)] or found[:1]
    return list(enumerate(sorted(recording, key=lambda one: one.began_ns))), []


def _recorded(process: Process) -> bool:
    """A stream without records only counts bytes of files that are not recorded."""
    return bool(process.notes or process.lost) or any(
        len(stream.records) or stream.lost for stream in process.streams
    )


def _missing(processes: list[tuple[int, Process]], firsts: dict[int, int]) -> tuple[int, ...]:
    """Ranks without any process: of each job those below the number of ranks that its others told, as where a
    node does not have the recorder."""
    asked: set[int] = set()
    for _, process in processes:
        told = process.facts.get("ranks")
        if process.rank >= 0 and isinstance(told, int) and 0 < told <= _MOST_TOLD:
            first = firsts.get(process.job, 0)
            asked |= {*range(first, first + told)} if first + told - 1 not in asked else set()
    return tuple(sorted(asked - {rank for rank, _ in processes}))


def _unended(processes: list[tuple[int, Process]], known: dict[str, Any]) -> tuple[int, ...]:
    """Ranks of processes that did not end by themselves. Exec keeps the process number, with the recorder or
    without it. Those that `weir trace` saw end, or saw still running, do not count; nor, in a rank that began
    MPI, the helpers that it started: `./app | head` kills by a signal, and the rank goes on."""
    told: set[tuple[object, object]] = {(known.get("host"), process) for process, _ in running_in(known)}
    if known.get("killed_by") == 0:
        told.add((known.get("host"), known.get("process")))
    last = {process.identity: process.began_ns for _, process in processes}
    began_mpi = {rank for rank, process in processes if "ranks" in process.facts}
    return tuple(
        sorted(
            {
                rank
                for rank, process in processes
                if not process.ended and process.streams and process.counts is None
                if not process.next_program
                if "ranks" in process.facts or rank not in began_mpi
                if (process.host, process.facts.get("in_proc", process.facts.get("process"))) not in told
                if last[process.identity] == process.began_ns
            }
        )
    )


def _rates_of_hosts(processes: list[Process]) -> dict[str, float]:
    """Ticks in a nanosecond for each host, from the stream that compared its clocks over the longest time."""
    best: dict[str, tuple[int, float]] = {}
    for process in processes:
        for stream in process.streams:
            found = (stream.compared_over_ns, stream.ticks_per_ns)
            best[process.host] = max(best.get(process.host, (0, 1.0)), found)
    return {host: rate or 1.0 for host, (_, rate) in best.items()}


class _Numbered(dict[Name, int]):
    """Names, numbered in the order of their first use."""

    def __missing__(self, name: Name) -> int:
        number = self[name] = len(self)
        return number


class _Names:
    """Names of the whole trace."""

    def __init__(self, firsts: dict[int, int]) -> None:
        self.firsts = firsts
        """The number of the first rank of each job."""
        self.calls = _Numbered({DAMAGED: 0})
        self.files = _Numbered({File("", 0): 0})
        self.communicators = _Numbered({"": 0})

    def communicators_of(self, process: Process) -> NDArray[np.int64]:
        """From this process's numbers of communicators to those of the whole."""
        numbers = np.zeros(max(process.names.communicators, default=0) + 2, np.int64)
        first = self.firsts.get(process.job, 0)
        for number, ranks in process.names.communicators.items():
            numbers[number] = self.communicators[renumbered(ranks, first)]
        return numbers

    def indexes_of(self, process: Process) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """From this process's numbers of calls, files and marks to those of the whole. The last element
        stands for all numbers without a name."""
        calls = np.zeros(max(process.names.calls, default=0) + 2, np.int64)
        for number, call in process.names.calls.items():
            calls[number] = self.calls[call]
        files = np.zeros(max([*process.names.files, *process.names.marks], default=0) + 2, np.int64)
        for number, file in sorted(process.names.files.items()):
            parent = int(files[file.parent]) if file.parent < number else 0
            files[number] = self.files[file if file.parent == parent else File(file.name, parent)]
        for number, mark in process.names.marks.items():
            files[number] = self.files[File(mark, 0)]
        return calls, files


def _lanes(process: Process, rank: int, began: int, rates: dict[str, float], names: _Names) -> Iterator[Lane]:
    indexes = (*names.indexes_of(process), names.communicators_of(process), process.names.types)
    for stream in process.streams:
        if len(stream.records):
            clock = _clock(process, stream, began, rates)
            yield Lane(rank, process.host, stream.process, stream.thread, stream.records, clock, *indexes)


def _clock(process: Process, stream: Stream, began: int, rates: dict[str, float]) -> Clock:
    own = stream.ticks_per_ns if stream.compared_over_ns >= LONG_ENOUGH_NS else 0
    real_minus_monotonic = process.began_ns - int(process.facts.get("monotonic_ns", 0))
    start = stream.start_monotonic_ns + real_minus_monotonic - began
    return Clock(stream.start_ticks, start, own or rates.get(process.host, 1.0))


def _run_ns(processes: list[tuple[int, Process]], lanes: list[Lane], clocks: Clocks, began: int) -> int:
    ends = [clocks.corrected_ns(process.host, process.ended_ns) - began for _, process in processes]
    last_calls = [int(lane.clock.ns_at(lane.records[-1:]["end_ticks"])[0]) for lane in lanes]
    return max([0, *ends, *last_calls])


def _lost(processes: list[tuple[int, Process]], rates: dict[str, float]) -> Iterator[Lost]:
    """Calls beyond the bound, by name. A process that was killed left only their number."""
    sums: dict[str, list[int]] = {}
    for _, process in processes:
        counted = 0
        for fact in process.lost:
            row = sums.setdefault(str(fact["lost"]), [0, 0, 0])
            row[0] += int(fact["calls"])
            row[1] += int(fact["bytes"])
            row[2] += int(int(fact["ticks"]) / rates.get(process.host, 1.0))
            counted += int(fact["calls"])
        untold = sum(stream.lost for stream in process.streams) - counted
        if untold > 0:
            sums.setdefault("", [0, 0, 0])[0] += untold
    return (Lost(call, *row) for call, row in sorted(sums.items()))


def _data_memory(processes: list[Process]) -> dict[str, Memory]:
    """By interface, of the process with most."""
    found = {}
    for interface in ("posix", "mpi-io"):
        fact = interface.replace("-", "")
        told = [
            Memory(bytes=most, in_page=place)
            for process in processes
            if (most := int(process.facts.get(f"memory_{fact}", 0))) > 0
            and 0 <= (place := int(process.facts.get(f"in_page_{fact}", 0))) < PAGE_BYTES
        ]
        if told:
            found[interface] = max(told, key=lambda one: one.bytes)
    return found


def _loses(process: Process) -> bool:
    return process.lost_calls or any(stream.lost for stream in process.streams)


def _lost_why(processes: list[Process]) -> tuple[int, ...]:
    why = {stream.lost_why for process in processes for stream in process.streams if stream.lost_why}
    if any(process.lost_calls for process in processes):
        why.add(errno.ENOLINK)
    return tuple(sorted(why))


def _alive_ns(processes: list[Process], run_ended: int) -> int:
    """Sum of the lifetimes of all threads with calls. A process that calls exec lasts until its next image
    begins; one that was killed, until the run ends."""
    ends: dict[tuple[object, ...], int] = {}
    sum_ns = 0
    for process in sorted(processes, key=lambda one: one.began_ns, reverse=True):
        ended = process.ended_ns or ends.get(process.identity, run_ended)
        ends[process.identity] = process.began_ns
        threads = max(1, sum(len(stream.records) > 0 for stream in process.streams))
        sum_ns += max(0, ended - process.began_ns) * threads
    return sum_ns


def _lives(processes: list[tuple[int, Process]], clocks: Clocks, began: int) -> Iterator[Life]:
    """A process that calls exec lasts until its next image begins."""
    next_began: dict[tuple[object, ...], int] = {}
    for rank, process in sorted(processes, key=lambda one: one[1].began_ns, reverse=True):
        ended = process.ended_ns or next_began.get(process.identity, process.began_ns)
        next_began[process.identity] = process.began_ns
        times = (clocks.corrected_ns(process.host, ns) - began for ns in (process.began_ns, ended))
        yield Life(rank, int(process.facts.get("process", 0)), *times)


def _lost_from(processes: list[Process], began: int, rates: dict[str, float]) -> Iterator[int]:
    for process in processes:
        for stream in process.streams:
            if stream.lost and len(stream.records):
                last = stream.records[-1:]["end_ticks"]
                yield int(_clock(process, stream, began, rates).ns_at(last)[0])


def _notes(processes: list[tuple[int, Process]], launchers: list[Process], clocks: Clocks) -> Iterator[str]:
    if note := clocks.note():
        yield note
    if launchers:
        commands = sorted({process.command.split(" ", 1)[0] for process in launchers})
        who = "process without a rank is" if len(launchers) == 1 else "processes without a rank are"
        yield f"{len(launchers)} {who} left out ({', '.join(commands)})."
    for process in [*(process for _, process in processes), *launchers]:
        yield from process.notes
    compared: dict[str, int] = {}
    for _, process in processes:
        for stream in process.streams:
            compared[process.host] = max(compared.get(process.host, 0), stream.compared_over_ns)
    for host, over_ns in sorted(compared.items()):
        if over_ns < LONG_ENOUGH_NS // 10:
            yield f"Times on {host} are uncertain: its processes ended too soon to tell a tick's length."


_MOST = 2**31
"""No job has more ranks: the trace is damaged."""
_RANKS = re.compile(r"(\d+)(?:-(\d+))?(:\d+)?")


def first_ranks(found: Sequence[Process]) -> dict[int, int]:
    """The number in the trace of each job's rank 0, in the order in which jobs began: MPI_Comm_spawn starts
    processes with an MPI_COMM_WORLD, and so ranks, of their own."""
    firsts: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for process in sorted((one for one in found if one.rank >= 0), key=lambda one: one.began_ns):
        size = max(process.rank + 1, int(process.facts.get("ranks", 0)))
        sizes[process.job] = max(sizes.get(process.job, 0), min(size, _MOST))
    before = 0
    for job, size in sizes.items():
        firsts[job] = before
        before += size
    return firsts


def note_of_jobs(firsts: dict[int, int]) -> Iterator[str]:
    """A note where there are several jobs."""
    if len(firsts) > 1:
        later = ", ".join(f"{first:,}" for first in list(firsts.values())[1:5])
        yield (
            f"Processes of {len(firsts):,} worlds of MPI: ranks of those that were started later "
            f"(MPI_Comm_spawn) are counted on, from {later} on."
        )


def renumbered(ranks: str, first: int) -> str:
    """The ranks of a communicator, `0-3,8` or `0-6:2`, as they are counted in the trace."""
    if first == 0:
        return ranks

    def on(match: re.Match[str]) -> str:
        last = "" if match[2] is None else f"-{int(match[2]) + first}"
        return f"{int(match[1]) + first}{last}{match[3] or ''}"

    return _RANKS.sub(on, ranks)

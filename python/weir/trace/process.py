"""Processes, as the files of a trace's folder describe them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from weir.bounded_parsing import decode_json
from weir.errors import WeirError
from weir.files.plain import read_plain
from weir.trace.names import Names, parse_names
from weir.trace.stream import Stream, read_stream

VERSION = 1
_TEXTS = ("how", "host", "command", "clock", "becomes")
NOT_LOADED = ("static", "rights")
_COUNTED = ("calls", "bytes", "ticks")
_LISTED = ("left", "waited")


_COUNTS_HEAD = np.dtype(
    [
        ("magic", "S8"),
        ("process", "<u4"),
        ("entries", "<u4"),
        ("end_real_ns", "<i8"),
        ("end_monotonic_ns", "<i8"),
        ("why", "S96"),
    ]
)
_COUNTS_ENTRY = np.dtype([("call", "S40"), ("calls", "<u8"), ("bytes", "<u8"), ("ticks", "<u8")])
_COUNTS_MAGIC = b"WEIRCNT1"
_MOST_COUNT = 1 << 62
_MOST_STREAMS = 1 << 22
"""No process has more threads: a larger number is damaged."""


@dataclass(frozen=True)
class Counts:
    """Calls of a process, and of its children that have no files of their own."""

    why: str
    """What the process did: "it called chroot, …"."""
    end_real_ns: int
    """When it ended by itself; 0: not recorded."""
    lost: list[dict[str, Any]] = field(default_factory=list)
    """As in the facts of a process: `lost` (the call), `calls`, `bytes`, `ticks`."""


def parse_counts(data: bytes) -> Counts | None:
    """What a file `*.counts` holds; None where it is damaged."""
    if len(data) < _COUNTS_HEAD.itemsize:
        return None
    head = np.frombuffer(data, _COUNTS_HEAD, 1)[0]
    if bytes(head["magic"]) != _COUNTS_MAGIC:
        return None
    room = (len(data) - _COUNTS_HEAD.itemsize) // _COUNTS_ENTRY.itemsize
    entries = np.frombuffer(data, _COUNTS_ENTRY, min(int(head["entries"]), room), _COUNTS_HEAD.itemsize)
    lost = [
        {
            "lost": bytes(row["call"]).decode("utf-8", "replace"),
            "calls": min(int(row["calls"]), _MOST_COUNT),
            "bytes": min(int(row["bytes"]), _MOST_COUNT),
            "ticks": min(int(row["ticks"]), _MOST_COUNT),
        }
        for row in entries[entries["calls"] > 0]
    ]
    why = bytes(head["why"]).decode("utf-8", "replace")
    return Counts(why, max(0, int(head["end_real_ns"])), lost)


@dataclass(frozen=True)
class Process:
    """What one process recorded."""

    facts: dict[str, Any]
    """Its first line of facts, with what later lines added."""
    names: Names
    streams: list[Stream]
    ended: bool
    """Did it end by itself?"""
    lost: list[dict[str, Any]] = field(default_factory=list)
    """Of each call that went past the bound: what was counted of it."""
    notes: list[str] = field(default_factory=list)
    """What is missing or damaged."""
    counts: Counts | None = None
    """What it counted when it could write no more."""

    @property
    def host(self) -> str:
        """Its name; "" where it is not known."""
        return str(self.facts.get("host", ""))

    @property
    def identity(self) -> tuple[object, object, object]:
        """Host, namespace of process numbers, and process number; exec keeps them."""
        return self.facts.get("host"), self.facts.get("namespace", 0), self.facts.get("process")

    @property
    def rank(self) -> int:
        """In its MPI_COMM_WORLD; -1: it has none."""
        return int(self.facts.get("rank", -1))

    @property
    def job(self) -> int:
        """A number for its MPI_COMM_WORLD, which means nothing; 0: not known."""
        return int(self.facts.get("job", 0))

    @property
    def began_ns(self) -> int:
        """Since 1970."""
        return int(self.facts.get("real_ns", 0))

    @property
    def ended_ns(self) -> int:
        """Since 1970; 0 where it did not end by itself."""
        return int(self.facts.get("end_real_ns", 0))

    @property
    def program(self) -> str:
        """The first word of its command line."""
        return self.command.partition(" ")[0] or f"process {self.facts.get('process')}"

    @property
    def command(self) -> str:
        """Its command line."""
        return str(self.facts.get("command", ""))

    @property
    def is_silent(self) -> bool:
        """Could it write nothing, and was not killed as it began?"""
        return not {"weir_trace", "killed_at_begin", "facts_removed"} & self.facts.keys()

    @property
    def next_program(self) -> str:
        """The program that it executed in its place, with the recorder or without; "": none."""
        return str(self.facts.get("becomes", ""))

    @property
    def lost_calls(self) -> bool:
        """Did it only count calls in the end?"""
        return bool(self.counts and self.counts.lost)


def read_trace(folder: Path) -> list[Process]:
    """Read a trace's processes, by host and number. Raises WeirError if the folder holds none."""
    paths = {path.name: path for path in folder.iterdir()}
    streams: dict[str, list[Path]] = {}
    for name in sorted(name for name in paths if name.endswith(".records")):
        streams.setdefault(prefix_of(name), []).append(paths[name])
    processes = [
        _read_process(
            paths[facts], streams.get(prefix, []), paths.get(f"{prefix}.names"), paths.get(f"{prefix}.counts")
        )
        for facts in sorted(name for name in paths if name.endswith(".process"))
        for prefix in [facts.removesuffix(".process")]
    ]
    if not processes:
        raise WeirError(
            f"{folder} holds no trace",
            "there is no file *.process in it",
            "Record one with `weir trace -o FOLDER -- PROGRAM`.",
        )
    return processes + without_facts(paths)


def prefix_of(stream: str) -> str:
    """What the names of all files of a process begin with, by that of one of its streams."""
    return stream.rsplit(".", 2)[0]


def parse_process(data: bytes, where: str) -> tuple[dict[str, Any], list[dict[str, Any]], bool]:
    """A process's facts, what it lost, and whether it ended by itself. Programs that it started, and that do
    not load the recorder, stand under `unrecorded`, each with its reason; children that a signal killed under
    `killed`, each with the bytes that it read and wrote by the kernel's count, if known; those that it had
    not waited for at its end under `left`; those for which an adopter of orphans has waited under `waited`.
    Raises WeirError if they are of another version."""
    facts: dict[str, Any] = {}
    lost: list[dict[str, Any]] = []
    for line in data.splitlines():
        try:
            fact = decode_json(line, type=dict[str, Any])
        except msgspec.DecodeError:
            break  # cut off: the last one
        if "unrecorded" in fact:
            if isinstance(fact["unrecorded"], str) and fact.get("why") in NOT_LOADED:
                facts.setdefault("unrecorded", []).append((fact["unrecorded"], fact["why"]))
        elif "killed" in fact:
            if _is_number(fact["killed"]):
                moved = [fact.get(f"killed_{way}") for way in ("read", "written")]
                known = all(isinstance(one, int) and _is_number(one) and one >= 0 for one in moved)
                facts.setdefault("killed", []).append((fact["killed"], tuple(moved) if known else None))
        elif listed := [key for key in _LISTED if key in fact]:
            if _is_number(fact[listed[0]]):
                facts.setdefault(listed[0], []).append(fact[listed[0]])
        elif "lost" not in fact:
            facts |= {key: value for key, value in fact.items() if _is_fact(key, value)}
        elif isinstance(fact["lost"], str) and all(_is_number(fact.get(key)) for key in _COUNTED):
            lost.append(fact)
    version = facts.get("weir_trace", VERSION)
    if version != VERSION:
        raise WeirError(
            f"{where} is of another version",
            f"it is of version {version}, and this Weir reads version {VERSION}",
            "Read it with the Weir that recorded it.",
        )
    return facts, lost, "end_real_ns" in facts


def _is_fact(key: str, value: Any) -> bool:
    """Is it of the type that it must have? What is damaged counts as unknown."""
    return isinstance(value, str) if key in _TEXTS else _is_number(value)


def _is_number(value: Any) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _read_process(path: Path, records: list[Path], *others: Path | None) -> Process:
    """`others`: its table of names, and its counts."""
    streams, notes = _read_streams(records)
    texts = [read_plain(other) if other else None for other in others]
    process = assemble_process(path.stem, str(path), read_plain(path), *texts)
    process.streams.extend(streams)
    process.notes.extend([*notes, *notes_of_names(path.stem, process.names)])
    process.notes.extend(
        notes_of_removed(process, path.stem, [one.name for one in records], others[0] is None)
    )
    return process


def assemble_process(
    prefix: str, where: str, facts: bytes, names: bytes | None, counts: bytes | None
) -> Process:
    """A process without its streams, from its files. One that could write no facts is known by the name of
    that file, and has a table of names."""
    known, lost, ended = parse_process(facts, where)
    counted = parse_counts(counts or b"")
    if counted is not None:
        lost += counted.lost
    told = {**_facts_in(prefix), **known}
    if not facts and names is None and counts is None:
        told["killed_at_begin"] = 1
    ended = ended or (counted is not None and counted.end_real_ns > 0)
    return Process(told, parse_names(names or b""), [], ended, lost, [], counted)


def _facts_in(prefix: str) -> dict[str, Any]:
    """HOST-PID-TIME."""
    found = re.fullmatch(r"(.*)-(\d{1,10})-([0-9a-f]{1,16})", prefix)
    if found is None or int(found[3], 16) >= 2**63:
        return {}
    return {"host": found[1], "process": int(found[2]), "real_ns": int(found[3], 16)}


def notes_of_names(prefix: str, names: Names) -> list[str]:
    """What is to be said of a process's table of names."""
    return [f"{prefix}.names was cut off: some calls and files have no names."] if names.is_cut else []


def notes_of_removed(process: Process, prefix: str, streams: Sequence[str], no_names: bool) -> list[str]:
    """Of files that the recorder had written, and that are gone. `streams`: names of those still there. A
    process that made no call has no names: its stream counts bytes alone."""
    unread = len(streams) > len(process.streams)
    has_calls = unread or any(len(stream.records) or stream.lost for stream in process.streams)
    notes = [f"{prefix}.names is missing: no call has a name."] if no_names and has_calls else []
    gone = _streams_written(process, streams) - len(streams)
    return [*notes, f"{prefix}: streams of records are missing: {gone}."] if gone > 0 else notes


def _streams_written(process: Process, streams: Sequence[str]) -> int:
    """How many at least. A process that ended by itself says their number; else they are numbered,
    but a thread whose calls were only counted may have none."""
    told = int(process.facts.get("streams", -1))
    if 0 <= told <= _MOST_STREAMS:
        return told
    if process.lost or process.counts:
        return 0
    numbers = [int(part) for name in streams if (part := name.split(".")[-2]).isdecimal()]
    return max([*(one for one in numbers if one <= _MOST_STREAMS), bool(process.names.calls)])


def without_facts(names: Iterable[str]) -> list[Process]:
    """Those of whose files, by these names, that of facts is gone: nothing else of them can be placed."""
    known, others = set(), set()
    for name in names:
        if name.endswith(".process"):
            known.add(name.removesuffix(".process"))
        elif name.endswith((".names", ".records")):
            others.add(prefix_of(name) if name.endswith(".records") else name.removesuffix(".names"))
    return [
        Process(
            {**_facts_in(prefix), "facts_removed": 1},
            Names(),
            streams=[],
            ended=True,
            notes=[f"{prefix}.process is missing: what that process recorded is not read."],
        )
        for prefix in sorted(others - known)
    ]


def note_of_stream(name: str, note: str) -> list[str]:
    """What is to be said of a stream of this name."""
    return [f"{name} is damaged ({note})."] if note else []


def _read_streams(paths: list[Path]) -> tuple[list[Stream], list[str]]:
    """Those that can be read, and what is wrong with the others: one damaged stream hides no other."""
    streams: list[Stream] = []
    notes: list[str] = []
    for path in paths:
        try:
            streams.append(read_stream(path))
            notes += note_of_stream(path.name, streams[-1].note)
        except WeirError as error:
            notes.append(f"{error.problem} ({error.why}).")
    return streams, notes

"""The access pattern: what a program asks of storage, as data.

These types hold patterns as `weir-core` reads and writes them; it alone says whether one can be carried out.
docs/reference/pattern.md has what each key means.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pattern: no other keys than these, and those that say nothing are left out."""


class Level(_Part, frozen=True, kw_only=True):
    """One level of a nest of strides: so many places, so many bytes apart."""

    count: int
    stride: int


def levels_of(levels: Iterable[tuple[int, int]]) -> list[Level]:
    """Counts and strides as levels."""
    return [Level(count=count, stride=stride) for count, stride in levels]


class Extent(_Part, frozen=True, kw_only=True):
    """Pieces of `length` bytes: a start, and levels from the slowest to the fastest."""

    start: int
    levels: list[Level]
    length: int


class RankSet(_Part, frozen=True, kw_only=True):
    """The ranks first, first + step, ...: `count` of them."""

    first: int
    count: int
    step: int


def numbers(ranks: RankSet) -> range:
    """The ranks one by one."""
    return range(ranks.first, ranks.first + ranks.count * ranks.step, ranks.step)


def disjoint(one: RankSet, other: RankSet) -> bool:
    """Do they have no rank in common?"""
    fewer, more = sorted((numbers(one), numbers(other)), key=len)
    return not any(rank in more for rank in fewer)


Ranks = RankSet | list[RankSet] | UnsetType
"""The ranks of a step; all where it is left out."""

Mode = Literal["create", "read", "update"]


class Order(_Part, frozen=True, kw_only=True):
    """In which order a rank goes through its pieces."""

    kind: Literal["sequential", "shuffled", "random", "random-partition", "dealt"]
    seed: int | UnsetType = UNSET
    draws: int | UnsetType = UNSET


class Pace(_Part, frozen=True, kw_only=True):
    """How a rank keeps itself from going as fast as it can."""

    think_s: float
    most_bytes_per_s: int


class _OfFile(_Part, frozen=True, kw_only=True):
    """A step of some ranks that names a file and says no more."""

    file: int
    ranks: Ranks = UNSET
    file_advance: tuple[int, ...] = ()


class Open(_Part, frozen=True, kw_only=True):
    """Opens a file. Where repeats stand around a step, `file_advance` displaces the index with their turns.
    `collective`: a later phase accesses the file collectively. `makes`: the first and the number of the
    arrays that the file gets, the only ones accessed."""

    file: int
    mode: Mode
    collective: bool = False
    makes: tuple[int, int] | UnsetType = UNSET
    ranks: Ranks = UNSET
    file_advance: tuple[int, ...] = ()


class Preallocate(_Part, frozen=True, kw_only=True):
    """Reserves the file's space."""

    file: int
    bytes: int
    ranks: Ranks = UNSET
    file_advance: tuple[int, ...] = ()


class Wait(_OfFile, frozen=True, kw_only=True):
    """Waits until what was asked for asynchronously of the file is done."""


class Sync(_OfFile, frozen=True, kw_only=True):
    """Waits until the data of the file are on the device."""


class Close(_OfFile, frozen=True, kw_only=True):
    """Closes it."""


class Access(_Part, frozen=True, kw_only=True):
    """Requests of many ranks: the pieces of `extent`, displaced by `rank_levels`, those of lists, or each
    rank's part of an array. A list holds offset and length in turn; lists stand in the step, or in a file
    next to the pattern. An access to an array has no `order`, and is one request. With `ranks_per_group` the
    roots of groups of so many ranks access their members' parts: of one member each, or of all. One that
    `seeks` sets its file pointer before each request that it is elsewhere for."""

    verb: Literal["write", "read", "check", "mixed"]
    file: int
    ranks: RankSet
    rank_levels: list[Level] | UnsetType = UNSET
    extent: Extent | UnsetType = UNSET
    lists: list[list[int]] | UnsetType = UNSET
    lists_file: str | UnsetType = UNSET
    array: int | UnsetType = UNSET
    partition: int | UnsetType = UNSET
    ranks_per_group: int | UnsetType = UNSET
    member: int | UnsetType = UNSET
    order: Order | UnsetType = UNSET
    sync_each: bool | UnsetType = UNSET
    together: bool = False
    collective: bool = False
    asynchronous: bool = False
    seeks: bool = False
    read_percent: int | UnsetType = UNSET
    pace: Pace | UnsetType = UNSET
    advance: tuple[int, ...] = ()
    file_advance: tuple[int, ...] = ()


class Compute(_Part, frozen=True, kw_only=True):
    """Computes that long."""

    time_s: float
    ranks: Ranks = UNSET


class Barrier(_Part, frozen=True, kw_only=True):
    """Waits for the others."""

    ranks: Ranks = UNSET


class Seek(_Part, frozen=True, kw_only=True):
    """Stands at a byte of a file; counted, but no call of the system."""

    file: int
    to: int
    ranks: Ranks = UNSET
    advance: tuple[int, ...] = ()
    file_advance: tuple[int, ...] = ()


class Rename(_Part, frozen=True, kw_only=True):
    """A closed file takes the place of another one."""

    file: int
    to: int
    file_advance: tuple[int, ...] = ()
    to_advance: tuple[int, ...] = ()


class Remove(_Part, frozen=True, kw_only=True):
    """A closed file goes."""

    file: int
    file_advance: tuple[int, ...] = ()


class Broadcast(_Part, frozen=True, kw_only=True):
    """A message from the root to all of these ranks."""

    bytes: int
    root: int
    ranks: Ranks = UNSET


class Send(_Part, frozen=True, kw_only=True):
    """Messages from the ranks of one set to those of another, pair by pair. `from` is a word of Python's."""

    from_: RankSet = msgspec.field(name="from")
    to: RankSet
    bytes: int


class Move(_Part, frozen=True, kw_only=True):
    """Messages by which an array goes from one partition to another; none: rank 0 has all of it."""

    file: int
    array: int
    from_: int | UnsetType = msgspec.field(name="from", default=UNSET)
    to: int | UnsetType = UNSET


class InGroups(_Part, frozen=True, kw_only=True):
    """Messages between the root of each group of consecutive ranks and its members: parts of an array."""

    kind: Literal["gather", "scatter", "broadcast"]
    file: int
    array: int
    partition: int
    ranks_per_group: int


class Repeat(_Part, frozen=True, kw_only=True):
    """Makes steps again and again."""

    count: int
    steps: "list[Step]"


class Step(_Part, frozen=True, kw_only=True):
    """One of these."""

    open: Open | UnsetType = UNSET
    preallocate: Preallocate | UnsetType = UNSET
    access: Access | UnsetType = UNSET
    sync: Sync | UnsetType = UNSET
    close: Close | UnsetType = UNSET
    compute: Compute | UnsetType = UNSET
    barrier: Barrier | UnsetType = UNSET
    repeat: Repeat | UnsetType = UNSET
    seek: Seek | UnsetType = UNSET
    rename: Rename | UnsetType = UNSET
    remove: Remove | UnsetType = UNSET
    broadcast: Broadcast | UnsetType = UNSET
    send: Send | UnsetType = UNSET
    move: Move | UnsetType = UNSET
    wait: Wait | UnsetType = UNSET
    in_groups: InGroups | UnsetType = UNSET


class Reorder(_Part, frozen=True, kw_only=True):
    """Who does whose part of a phase."""

    kind: Literal["none", "shift", "shuffle"]
    shift: int | UnsetType = UNSET
    seed: int | UnsetType = UNSET


class Phase(_Part, frozen=True, kw_only=True):
    """Steps that are measured together."""

    name: str
    collective: bool
    reorder: Reorder
    time_limit_s: float
    wear_out: bool
    tail_limit_s: float | UnsetType = UNSET
    timed: bool | UnsetType = UNSET
    limited_by: str
    steps: list[Step]


class Member(_Part, frozen=True, kw_only=True):
    """A member of a compound element, `offset` bytes after the element's first."""

    name: str
    element: str
    offset: int


class Compound(_Part, frozen=True, kw_only=True):
    """An element of several members, of `bytes` in all, which may leave gaps."""

    bytes: int
    members: list[Member]


class Array(_Part, frozen=True, kw_only=True):
    """An array in a file, the slowest dimension first; `element` as NumPy writes types, or a compound.
    Without `offset` only formats store it. `attribute_of`: it is an attribute of that array of the file, or
    of the file itself, if that is empty."""

    name: str
    element: str | Compound
    shape: list[int]
    offset: int | UnsetType = UNSET
    attribute_of: str | UnsetType = UNSET


class Partition(_Part, frozen=True, kw_only=True):
    """How ranks divide an array: blocks on a grid of ranks, or counts along its slowest dimension; or all
    have the `same`, the first and the number of indices along that dimension."""

    grid: list[int] | UnsetType = UNSET
    block: list[int] | UnsetType = UNSET
    counts: list[int] | UnsetType = UNSET
    cycle: bool = False
    first_fastest: bool = False
    same: tuple[int, int] | UnsetType = UNSET


class File(_Part, frozen=True, kw_only=True):
    """A file: one for all ranks, or one of that name for each."""

    name: str
    per_rank: bool
    dataset_bytes: int = 0
    arrays: list[Array] | UnsetType = UNSET


PAGE_BYTES = 4096
"""Places in pages are counted in these."""


class Memory(_Part, frozen=True, kw_only=True):
    """Memory that a rank's requests take their data from, one behind the other: `bytes`, or 0 for one buffer
    for the largest; and how far behind the begin of a page it begins, in bytes."""

    bytes: int = 0
    in_page: int = 0


class Pattern(_Part, frozen=True, kw_only=True):
    """All that a program asks of storage."""

    weir_pattern: int
    name: str
    ranks: int
    inexact: tuple[str, ...] = ()
    """Why it is not exactly what the program requested."""
    scales: Literal["none", "weak", "strong"] | UnsetType = UNSET
    memory: Memory | UnsetType = UNSET
    """That a rank's data lie in; absent: one buffer, from the begin of a page on."""
    files: list[File]
    partitions: list[Partition] | UnsetType = UNSET
    phases: list[Phase]


def phase_of(name: str, steps: list[Step], *, collective: bool = False) -> Phase:
    """A phase without limits, in which each rank does its own part."""
    return Phase(
        name=name,
        collective=collective,
        reorder=Reorder(kind="none"),
        time_limit_s=0,
        wear_out=False,
        limited_by="",
        steps=steps,
    )


def steps_of(steps: list[Step]) -> Iterator[Step]:
    """All that are no repeats, once each, in the order in which they are written."""
    for step in steps:
        if step.repeat is UNSET:
            yield step
        else:
            yield from steps_of(step.repeat.steps)


def with_steps(steps: list[Step], change: Callable[[Step], Step]) -> list[Step]:
    """The same steps, with what `change` makes of each that is no repeat."""
    return [
        change(step)
        if step.repeat is UNSET
        else Step(repeat=replace(step.repeat, steps=with_steps(step.repeat.steps, change)))
        for step in steps
    ]

"""From a trace's files to a pattern's: which are one for each rank, and their names."""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from weir.distinct import distinct
from weir.trace.names import File
from weir.trace.pattern.nests import Integers
from weir.trace.pattern.operations.operation import Operations

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class PatternFile:
    """A file of the pattern."""

    name: str
    per_rank: bool
    originals: tuple[tuple[int, str], ...]
    """Ranks and the names of their files in the trace; of a shared file one, with rank -1."""


def with_pattern_files(operations: Operations, files: tuple[File, ...]) -> list[PatternFile]:
    """Sets `file` of operations to its number among the pattern's files, which are numbered by first use, and
    returns those. Files of one rank each whose names differ only in numbers that depend on the rank, such as
    `out.3`, are one file per process."""
    file, rank = operations["file"], operations["rank"]
    used = np.flatnonzero(np.bincount(file, minlength=1))
    used = used[used > 0]
    first_use, lowest = np.full((2, len(files)), np.iinfo(np.int64).max)
    highest = np.full(len(files), -1)
    np.minimum.at(first_use, file, operations["begin_ns"])
    np.minimum.at(lowest, file, rank)
    np.maximum.at(highest, file, rank)
    first_use, lowest, highest = first_use[used], lowest[used], highest[used]
    owner = np.where(lowest == highest, lowest, -1)
    names = [files[number].name for number in used.tolist()]
    family = families(names, owner)
    number, made = _numbered(names, owner, family, first_use)
    numbers = np.zeros(len(files), np.int64)
    numbers[used] = number
    operations["file"] = np.where(file > 0, numbers[file], file)
    return made


def _numbered(
    names: list[str], owner: Integers, family: Integers, first_use: Integers
) -> tuple[Integers, list[PatternFile]]:
    """The number of each file's pattern file, and those."""
    family = np.unique(family, return_inverse=True)[1].reshape(-1)
    first = np.full(int(family.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, family, first_use)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    members: list[list[int]] = [[] for _ in first]
    number = place[family]
    for i, at in enumerate(number.tolist()):
        members[at].append(i)
    plain = PlainNames()
    made = []
    for some in members:
        per_rank = len(some) > 1
        name = _common([names[i] for i in some]) if per_rank else names[some[0]]
        originals = tuple((int(owner[i]) if per_rank else -1, names[i]) for i in some)
        made.append(PatternFile(plain.of(name.rpartition("/")[2]), per_rank, tuple(sorted(originals))))
    return number, made


def _common(names: list[str]) -> str:
    """A name without the numbers in which these differ."""
    fields = list(zip(*(_DIGITS.findall(name) for name in names[:2]), strict=True))
    texts = _DIGITS.split(names[0])
    kept = ["" if a != b else a for a, b in fields]
    common = "".join(text + field for text, field in zip(texts, [*kept, ""], strict=True))
    return re.sub(r"([._-])[._-]+", r"\1", common).rstrip("._-")


def families(names: list[str], owner: Integers) -> Integers:
    """The number of each file's family. Files without an owner (-1) are families of their own, and so are
    those in whose names no number depends on the owner."""
    family = np.arange(len(names))
    alike: dict[str, list[int]] = defaultdict(list)
    for i in np.flatnonzero(owner >= 0).tolist():
        alike[_DIGITS.sub("#", names[i])].append(i)
    for some in alike.values():
        if len(some) > 1:
            members = np.array(some)
            family[members] = members[_same_but_for_owner([names[i] for i in some], owner[members])]
    return family


def _same_but_for_owner(names: list[str], owner: Integers) -> Integers:
    """Of names that differ in numbers only: for each, the first that differs from it only in numbers that
    depend on the owner."""
    alone = np.arange(len(names))
    columns = [
        np.unique(np.array(c), return_inverse=True)[1] for c in zip(*map(_DIGITS.findall, names), strict=True)
    ]
    owners = np.unique(owner, return_inverse=True)[1]
    count = int(owners.max()) + 1
    if count == 1:
        return alone
    by_owner = [_goes_with(column, owners, count) for column in columns]
    if not any(by_owner):
        return alone
    rest = np.array([c for c, goes in zip(columns, by_owner, strict=True) if not goes] or [alone * 0]).T
    _, first, family = np.unique(rest, axis=0, return_index=True, return_inverse=True)
    family = family.reshape(-1)
    if len(distinct(family * count + owners)) < len(names):
        return alone  # several files of one rank in one family
    return first[family]


def _goes_with(column: Integers, owners: Integers, count: int) -> bool:
    """Has each owner one value, and no two the same?"""
    values = int(column.max()) + 1
    return values == count and len(distinct(column * count + owners)) == count


_STRANGE = re.compile(r"[^\x21-\x7e]|/")
_OF_A_RANK = re.compile(r"\.(\d+)$")
LONGEST = 150
"""Bytes; the engine adds a prefix and a suffix."""


class PlainNames:
    """Names that a pattern may have: without directories, unique, none that could be a rank's file of
    another."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def of(self, name: str) -> str:
        """A name for this one. `a.3` becomes `a-3`: it would be rank 3's own of a file `a`."""
        plain = _STRANGE.sub("_", name)[-LONGEST:]
        plain = _OF_A_RANK.sub(r"-\1", plain)
        plain = plain if plain.strip(".") else "file"
        count = self._given[plain] = self._given.get(plain, 0) + 1
        if count == 1:
            return plain
        again = f"{plain}~{count}"
        self._given[again] = self._given.get(again, 0) + 1
        return again if self._given[again] == 1 else self.of(again)

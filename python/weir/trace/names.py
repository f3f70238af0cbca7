"""The table of names of a process: its calls and its files."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

ENTRY = struct.Struct("<4I")
"""Kind, number, bytes of the text that follows, parent."""
_CALL, FILE, _COMMUNICATOR, MARK, _TYPE = 1, 2, 3, 4, 5
_MOST_CALLS = 2**16 - 1


class Call(NamedTuple):
    """A function that was recorded."""

    interface: str
    name: str
    kind: str


class File(NamedTuple):
    """A file, or a dataset in one."""

    name: str
    parent: int


@dataclass(frozen=True)
class Names:
    """Numbers of records to what they stand for."""

    calls: dict[int, Call] = field(default_factory=dict)
    files: dict[int, File] = field(default_factory=dict)
    communicators: dict[int, str] = field(default_factory=dict)
    """The ranks of each, as `0-3,8`."""
    marks: dict[int, str] = field(default_factory=dict)
    types: dict[int, str] = field(default_factory=dict)
    """How MPI datatypes were constructed, from types with lower numbers."""
    is_cut: bool = False
    """Does the table end within an entry?"""


def entries(data: bytes) -> Iterator[tuple[int, int, int, int, bytes | None]]:
    """Offset, kind, number, parent and text of each entry of a table; the text of the last is None where it
    is cut off."""
    at = 0
    while at + ENTRY.size <= len(data):
        kind, number, length, parent = ENTRY.unpack_from(data, at)
        if kind == 0:
            return
        begin = at + ENTRY.size
        yield at, kind, number, parent, data[begin : begin + length] if begin + length <= len(data) else None
        at = begin + (length + 7) // 8 * 8


def parse_names(data: bytes) -> Names:
    """A table's names; without an entry that is cut off at its end, and entries of unknown kinds."""
    names, is_cut, end = Names(), False, 0
    tables: dict[int, dict[int, Any]] = {
        _CALL: names.calls,
        FILE: names.files,
        _COMMUNICATOR: names.communicators,
        MARK: names.marks,
        _TYPE: names.types,
    }
    most = len(data) // ENTRY.size  # all but calls are numbered in the order of their entries
    for at, kind, number, parent, text in entries(data):
        if text is None:
            is_cut = True
            break
        end = at + ENTRY.size + (len(text) + 7) // 8 * 8
        if kind in tables and number <= (_MOST_CALLS if kind == _CALL else most):  # else damaged
            name = (_name if len(text) <= _SHORT else _name.__wrapped__)(kind, text, parent)
            if name is not None:
                tables[kind][number] = name
    is_cut = is_cut or end > len(data) or (len(data) < end + ENTRY.size and any(data[end:]))
    return replace(names, is_cut=is_cut)


_SHORT = 1 << 13
"""Longer texts, of datatypes, are not kept for other processes."""


@lru_cache(maxsize=4096)  # processes of one program have most names in common
def _name(kind: int, text: bytes, parent: int) -> Call | File | str | None:
    words = text.decode("utf-8", "surrogateescape")
    if kind == _CALL:
        parts = words.split(" ")
        return Call(*parts) if len(parts) == len(Call._fields) else None
    return File(words, parent) if kind == FILE else words

"""The table of names of a process: its calls and its files."""

import struct
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

_HEAD = struct.Struct("<4I")
_CALL, _FILE, _COMMUNICATOR, _MARK, _TYPE = 1, 2, 3, 4, 5
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
    """How datatypes of MPI were made, of types with lower numbers."""
    is_cut: bool = False
    """Does the table end within an entry?"""


def parse_names(data: bytes) -> Names:
    """A table's names, none of a process that has recorded nothing; an entry that is cut off at its end, and
    entries of kinds that are not known, are left out."""
    names, is_cut, size = Names(), False, len(data)
    tables: dict[int, dict[int, Any]] = {
        _CALL: names.calls,
        _FILE: names.files,
        _COMMUNICATOR: names.communicators,
        _MARK: names.marks,
        _TYPE: names.types,
    }
    most = size // _HEAD.size  # all but calls are numbered in the order of their entries
    at = 0
    while at + _HEAD.size <= size:
        kind, number, length, parent = _HEAD.unpack_from(data, at)
        end = at + _HEAD.size + length
        is_cut = kind != 0 and end > size
        if kind == 0 or is_cut:
            break
        if kind in tables and number <= (_MOST_CALLS if kind == _CALL else most):  # else damaged
            name = _name(kind, data[at + _HEAD.size : end], parent)
            if name is not None:
                tables[kind][number] = name
        at += _HEAD.size + (length + 7) // 8 * 8
    is_cut = is_cut or at > size or (size < at + _HEAD.size and any(data[at:]))
    return replace(names, is_cut=is_cut)


@lru_cache(maxsize=4096)  # processes of one program have most names in common
def _name(kind: int, text: bytes, parent: int) -> Call | File | str | None:
    words = text.decode("utf-8", "surrogateescape")
    if kind == _CALL:
        parts = words.split(" ")
        return Call(*parts) if len(parts) == len(Call._fields) else None
    return File(words, parent) if kind == _FILE else words

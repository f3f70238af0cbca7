"""The table of names of a process: its calls and its files."""

import struct
from dataclasses import dataclass, field, replace
from typing import NamedTuple

_HEAD = struct.Struct("<4I")
_CALL, _FILE, _COMMUNICATOR, _MARK = 1, 2, 3, 4


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
    is_cut: bool = False
    """Does the table end within an entry?"""


def parse_names(data: bytes) -> Names:
    """A table's names, none of a process that has recorded nothing; an entry that is cut off at its end, and
    entries of kinds that are not known, are left out."""
    names, is_cut = Names(), False
    most = len(data) // _HEAD.size  # all but calls are numbered in the order of their entries
    at = 0
    while at + _HEAD.size <= len(data):
        kind, number, length, parent = _HEAD.unpack_from(data, at)
        end = at + _HEAD.size + length
        is_cut = kind != 0 and end > len(data)
        if kind == 0 or is_cut:
            break
        text = data[at + _HEAD.size : end].decode("utf-8", "surrogateescape")
        if kind == _CALL:
            words = text.split(" ")
            if len(words) == len(Call._fields) and number < 2**16:
                names.calls[number] = Call(*words)
        elif number > most:
            pass  # damaged
        elif kind == _FILE:
            names.files[number] = File(text, parent)
        elif kind == _COMMUNICATOR:
            names.communicators[number] = text
        elif kind == _MARK:
            names.marks[number] = text
        at += _HEAD.size + (length + 7) // 8 * 8
    is_cut = is_cut or at > len(data) or (len(data) < at + _HEAD.size and any(data[at:]))
    return replace(names, is_cut=is_cut)

"""A trace without the names of people's things: as files of a folder, and as what was read of one."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from weir.files.plain import read_plain
from weir.files.walk import entry
from weir.files.write import write
from weir.redaction import Redactor
from weir.trace.names import ENTRY, FILE, MARK, entries
from weir.trace.record.recorder import HEAD

if TYPE_CHECKING:
    from weir.trace.model import Trace
    from weir.trace.unseen import Unseen

_PLAIN = ("how", "clock", "lost", "why")
"""Texts among the facts of a process that Weir chose."""
NOTE = "Arguments, paths, host names and the names of marks are replaced by hashes."


def redacted(trace: Trace, redactor: Redactor) -> Trace:
    """The trace with hashes in place of names. Its notes, which quote names, are left out."""
    return replace(
        trace,
        name=redactor.word(trace.name),
        command=" ".join(redactor.words(trace.command.split())),
        hosts=tuple(map(redactor.word, trace.hosts)),
        files=tuple(file._replace(name=redactor.path(file.name)) for file in trace.files),
        lanes=tuple(replace(lane, host=redactor.word(lane.host)) for lane in trace.lanes),
        unseen=tuple(_unseen(one, redactor) for one in trace.unseen),
        notes=(NOTE,),
    )


def _unseen(one: Unseen, redactor: Redactor) -> Unseen:
    program, *others = redactor.words([one.program, *one.others])
    return replace(one, program=program, others=tuple(others))


def redact_folder(folder: Path, redactor: Redactor) -> None:
    """Replace names in the files of a trace that has ended, and in their names. Raises OSError where that
    cannot be done."""
    for path in sorted(folder.iterdir()):
        name = redacted_name(path.name, redactor)
        if not name:
            continue
        with entry(path) as (above, old):
            if path.suffix != ".records":
                write(path, redacted_text(old, read_plain(path), redactor))
            os.rename(old, name, src_dir_fd=above, dst_dir_fd=above)


def redacted_name(name: str, redactor: Redactor) -> str:
    """`HOST-PID-TIME.…` with the host's hash; empty for a file that is no part of a trace."""
    if name == HEAD:
        return name
    host, rest = _parts(name)
    return f"{redactor.word(host)}-{rest}" if host else ""


def redacted_text(name: str, data: bytes, redactor: Redactor) -> bytes:
    """What a file of that name is to hold. Streams of records hold no names."""
    if name.endswith(".names"):
        return _table(data, redactor)
    if name.endswith(".process"):
        return b"".join(_facts(line, redactor) for line in data.splitlines())
    return _facts(data, redactor).rstrip(b"\n") if name == HEAD else data


def _parts(name: str) -> tuple[str, str]:
    if not name.endswith((".process", ".names", ".counts", ".records")):
        return "", name
    pieces = name.rsplit("-", 2)
    return (pieces[0], "-".join(pieces[1:])) if len(pieces) == 3 else ("", name)


def _facts(line: bytes, redactor: Redactor) -> bytes:
    """A line of facts; nothing of one that cannot be read, since it may hold anything."""
    try:
        facts = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError):
        return b""
    return msgspec.json.encode({key: _fact(key, value, redactor) for key, value in facts.items()}) + b"\n"


def _fact(key: str, value: Any, redactor: Redactor) -> Any:
    match value:
        case str() if key in _PLAIN:
            return value
        case str():
            return " ".join(redactor.words(value.split()))
        case list() if all(type(one) is int for one in value):
            return value
        case list():
            return redactor.words([str(word) for word in value])
        case bool() | int() | float() | None:
            return value
        case _:
            return None


def _table(data: bytes, redactor: Redactor) -> bytes:
    """The table of names; of an entry that is cut off, its head alone, so that readers see that it is."""
    table = bytearray()
    for at, kind, number, parent, text in entries(data):
        if text is None:
            return bytes(table + data[at : at + ENTRY.size])
        if kind in (FILE, MARK):  # the other kinds hold no names of people's things
            text = redactor.path(text.decode("utf-8", "surrogateescape")).encode()  # noqa: PLW2901
        table += ENTRY.pack(kind, number, len(text), parent) + text + bytes(-len(text) % 8)
    return bytes(table)

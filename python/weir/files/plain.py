"""Files that Weir finds by itself, such as those in a run's folder: opened without waiting, and only if they
are files; neither a link nor a pipe that stands in the way is touched."""

import errno
import os
from pathlib import Path
from typing import BinaryIO

from weir.bounded_parsing import MIB, read_at_most
from weir.files import refusals
from weir.files.permission import file_mode, is_trusted
from weir.files.walk import entry
from weir.files.write import check_owner, check_plain

MOST_BYTES = 4096 * MIB
# A pipe without a reader would make open() wait for ever; a terminal could become this process's own.
_CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def open_plain(path: Path) -> BinaryIO:
    """The file, open for reading. Raises WeirError if it is a link or no file, OSError where it cannot be
    read."""
    return os.fdopen(plain_descriptor(path), "rb")


def plain_descriptor(path: Path) -> int:
    """The same as a descriptor."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    except OSError as error:
        raise _said(error, path) from error
    try:
        check_plain(os.fstat(descriptor), path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_plain(path: Path, most: int = MOST_BYTES) -> bytes:
    """What it holds. Raises WeirError too where that is more than `most` bytes."""
    with open_plain(path) as file:
        return read_at_most(file, most, path)


def is_plain(path: Path) -> bool:
    """Is it a file, and no link to one?"""
    return path.is_file() and not path.is_symlink()


def read_own(path: Path) -> bytes:
    """The same of a file that is relied on: raises WeirError too if it belongs neither to the caller nor to
    root."""
    with open_plain(path) as file:
        owner = os.fstat(file.fileno()).st_uid
        if not is_trusted(owner):
            raise refusals.foreign(path, owner, "file")
        return file.read()


def open_new(path: Path) -> int:
    """A descriptor of a new file, for writing. Raises FileExistsError if anything of that name is there."""
    return _open_own(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def open_to_append(path: Path) -> int:
    """A descriptor that appends to the caller's file of that name, which is made if need be. Raises WeirError
    if a link, a file of another user or one of several names stands there, OSError where it cannot be
    opened."""
    return _open_own(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def open_to_change(path: Path) -> int:
    """The same for reading and writing; the file must be there."""
    return _open_own(path, os.O_RDWR)


def _open_own(path: Path, flags: int) -> int:
    with entry(path) as (folder, name):
        try:
            descriptor = os.open(name, flags | _CAREFULLY, file_mode(), dir_fd=folder)
        except OSError as error:
            raise _said(error, path) from error
    try:
        facts = os.fstat(descriptor)
        check_plain(facts, path)
        check_owner(facts, path)
        if facts.st_nlink > 1:
            raise refusals.no_file(path, "a file that has other names too")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _said(error: OSError, path: Path) -> Exception:
    """What the system's refusal to open it means."""
    if error.errno == errno.ELOOP:
        return refusals.link(path)
    if error.errno == errno.ENXIO:
        return refusals.no_file(path, "a pipe or a device")
    return error

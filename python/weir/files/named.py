"""Files that a person names on the command line: opened through links, but without waiting, and only if they
are files. A pipe may never be written to, and a device or what the kernel makes up never end."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from weir.bounded_parsing import read_at_most
from weir.errors import WeirError
from weir.files.write import kind_of

_CAREFULLY = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def open_named(path: Path, what: str, advice: str) -> BinaryIO:
    """The file, open for reading. Raises WeirError, "cannot read WHAT 'PATH'" with the reason and the advice,
    if it is none or cannot be opened."""
    try:
        descriptor = os.open(path, _CAREFULLY)
        try:
            why = _why_no_file(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
    except OSError as error:
        raise _unread(path, what, _why_not_open(error, path), advice) from error
    if why:
        os.close(descriptor)
        raise _unread(path, what, why, advice)
    return os.fdopen(descriptor, "rb")


def read_named(path: Path, most: int, what: str, advice: str) -> bytes:
    """What it holds. Raises WeirError as `open_named`, and where that cannot be read or is more than `most`
    bytes."""
    with open_named(path, what, advice) as file:
        try:
            return read_at_most(file, most, path)
        except OSError as error:
            raise _unread(path, what, error.strerror or str(error), advice) from error


def check_named(path: Path, what: str, advice: str) -> None:
    """Raises WeirError as `open_named`."""
    open_named(path, what, advice).close()


def why_no_folder(path: Path) -> str:
    """What stands there in the place of a folder, in words: "it is a pipe, not a folder"; empty where it is
    one."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "there is no such folder"
    except OSError as error:
        return error.strerror or str(error)
    return "" if stat.S_ISDIR(mode) else f"it is {_kind(mode)}, not a folder"


def _why_not_open(error: OSError, path: Path) -> str:
    """What the system's refusal to open it means; a socket has no other way to say what it is."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    try:
        mode = path.stat().st_mode
    except OSError:
        return error.strerror or str(error)
    return f"it is {kind_of(mode)}, not a file" if stat.S_ISSOCK(mode) else error.strerror or str(error)


def _why_no_file(descriptor: int) -> str:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        return f"it is {kind_of(facts.st_mode)}, not a file"
    # The kernel's own file systems have no size, nor have their files.
    if facts.st_size == 0 and os.fstatvfs(descriptor).f_blocks == 0:
        return "it is a file that the kernel makes up as it is read"
    return ""


def _kind(mode: int) -> str:
    return "a file" if stat.S_ISREG(mode) else kind_of(mode)


def _unread(path: Path, what: str, why: str, advice: str) -> WeirError:
    return WeirError(f"cannot read {what} '{path}'", why, advice)

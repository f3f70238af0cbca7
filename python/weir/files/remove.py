"""Removing what is in a folder by descriptors, so that no link is followed and nothing outside is touched."""

import contextlib
import errno
import os

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def empty_folder(descriptor: int, spare: str = "") -> None:
    """Remove all that is in the folder but the entry `spare`. Raises OSError for what cannot be removed, and
    for another file system mounted in there."""
    device = os.fstat(descriptor).st_dev
    again = os.open(".", _FOLDER, dir_fd=descriptor)
    try:
        _empty(again, device, spare)
    finally:
        os.close(again)


def remove_entry(above: int, name: str) -> None:
    """Remove the file, link or folder of that name in a folder; fine if it is not there."""
    with contextlib.suppress(FileNotFoundError):
        _remove(above, name, os.fstat(above).st_dev)


def _empty(descriptor: int, device: int, spare: str) -> None:
    with os.scandir(descriptor) as entries:
        names = [entry.name for entry in entries if entry.name != spare]
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            _remove(descriptor, name, device)


def _remove(above: int, name: str, device: int) -> None:
    try:
        inner = os.open(name, _FOLDER, dir_fd=above)
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        os.unlink(name, dir_fd=above)
        return
    try:
        if os.fstat(inner).st_dev != device:
            raise OSError(errno.EXDEV, "another file system is mounted there", name)
        _empty(inner, device, "")
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=above)

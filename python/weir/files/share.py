"""Letting others read what another program has made for its owner alone."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from weir.files.permission import permission
from weir.files.walk import folder

_CAREFULLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def share_files(path: Path) -> None:
    """If that is permitted, give the caller's files in the folder the mode that the umask leaves them."""
    if not permission().share:
        return
    os.umask(umask := os.umask(0o077))
    with folder(path) as descriptor:
        listing = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=descriptor)
        try:
            with os.scandir(listing) as entries:
                for entry in entries:
                    _share(listing, entry.name, 0o666 & ~umask)
        finally:
            os.close(listing)


def _share(above: int, name: str, mode: int) -> None:
    with suppress(OSError):
        file = os.open(name, _CAREFULLY, dir_fd=above)
        try:
            facts = os.fstat(file)
            if stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid():
                os.fchmod(file, mode)
        finally:
            os.close(file)

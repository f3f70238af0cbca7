"""The person's cache: what takes time to find out and stays the same, each in a file of its own."""

import os
from contextlib import suppress
from pathlib import Path

from weir.errors import WeirError
from weir.files.write import write


def cache_folder() -> Path:
    """Weir's folder in it; it need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weir"


def identity(program: Path) -> str:
    """Another one after each new build or version of a program or library, for the name of a file. Raises
    OSError where it is not there."""
    status = program.stat()
    return f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"


def keep(path: Path, content: bytes) -> None:
    """Save it; where that is not possible, it is just found out again the next time. A home that is not there
    is not made."""
    if not os.environ.get("XDG_CACHE_HOME") and not Path.home().is_dir():
        return
    with suppress(OSError, WeirError):
        write(path, content, make=True)

"""Other users: files that are theirs, and what happens to them when they run Weir. Both take root."""

import os
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

STRANGER, CALLER = 65534, 65533
"""Two users who are not root, and need no entry in the password file."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as several users")


def give_away(*paths: Path, owner: int = STRANGER) -> None:
    """Each path, and all below it, now belongs to that user; links themselves, not what they lead to."""
    for path in paths:
        below = sorted(path.rglob("*")) if path.is_dir() and not path.is_symlink() else []
        for one in (path, *below):
            os.chown(one, owner, owner, follow_symlinks=False)


def done_by(user: int, act: Callable[[], object]) -> str:
    """What the act comes to if that user does it: empty if it goes well, else the error in words."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = ""
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            act()
        except Exception as error:
            said = f"{error} {''.join(traceback.format_exception(error))}"
        os.write(writer, said.encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read().decode()
    os.waitpid(child, 0)
    return said

"""What a command may do to files apart from the usual: said once at the edge, as the umask is, and kept to by
every writer."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Permission:
    """`share`: others may read what is made, as far as the umask lets them. `foreign`: folders and files of
    other users may be written to, and their links followed on the way to a folder."""

    share: bool = False
    foreign: bool = False
    has_options: bool = False
    """Whether the verb that runs has options for these, so that they can be advised."""


_USUAL = Permission()
_current: ContextVar[Permission] = ContextVar("permission", default=_USUAL)


def permission() -> Permission:
    """What is permitted now."""
    return _current.get()


@contextmanager
def permitted(*, share: bool = False, foreign: bool = False) -> Iterator[None]:
    """Permits it as long as the context lasts."""
    token = _current.set(Permission(share, foreign, has_options=True))
    try:
        yield
    finally:
        _current.reset(token)


def file_mode() -> int:
    """The mode of a file that is made; the umask still takes from it."""
    return 0o666 if permission().share else 0o600


def folder_mode() -> int:
    """The same of a folder."""
    return 0o777 if permission().share else 0o700


def is_trusted(owner: int) -> bool:
    """Whether a link or folder of that user can be relied on: the caller's own, and root's."""
    return owner in (0, os.geteuid())

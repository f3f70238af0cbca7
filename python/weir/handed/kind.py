"""What a kind of thing is, and which there are."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from weir.registry import Registry

BEGIN_BYTES = 4096
"""So many bytes of a file are enough to recognise it."""


@dataclass(frozen=True)
class Thing:
    """A path that a person named, as far as its kind needs it."""

    word: str

    @property
    def path(self) -> Path:
        """As named."""
        return Path(self.word)

    @cached_property
    def is_folder(self) -> bool:
        """Links are followed, as by the verbs."""
        return self.path.is_dir()

    @cached_property
    def begin(self) -> bytes:
        """The first bytes of a file; nothing of what is none, or cannot be read."""
        try:
            descriptor = os.open(self.word, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        except (OSError, ValueError):
            return b""
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            return os.read(descriptor, BEGIN_BYTES) if is_file else b""
        except OSError:
            return b""
        finally:
            os.close(descriptor)

    def holds(self, pattern: str) -> bool:
        """Does the folder have such a file?"""
        try:
            return self.is_folder and next(self.path.glob(pattern), None) is not None
        except OSError:
            return False


Recognise = Callable[[Thing], bool]


@dataclass(frozen=True)
class Kind:
    """`what` it is, in words; `use`: what takes it, with {0} for its path and {1} for how to start it;
    `instead`: for the names of other kinds, how to get one of those from it."""

    name: str
    what: str
    use: str
    recognises: Recognise
    instead: dict[str, str]

    @property
    def is_general(self) -> bool:
        """Without a use of its own: it says nothing of what lies in it."""
        return not self.use


_kinds = Registry[Kind]("weir.handed.kinds", "kind of file")


def kind(name: str, what: str, use: str, **instead: str) -> Callable[[Recognise], Recognise]:
    """Registers a kind by the function that recognises it."""

    def keep(recognises: Recognise) -> Recognise:
        _kinds.register(name)(Kind(name, what, use, recognises, instead))
        return recognises

    return keep


def kind_named(name: str) -> Kind:
    """Raises WeirError if there is none."""
    return _kinds.find(name)


def kinds_of(thing: Thing) -> Iterator[Kind]:
    """All that it may be; none that is general."""
    return (one for one in _kinds.all().values() if not one.is_general and one.recognises(thing))

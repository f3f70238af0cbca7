"""What a reader of another benchmark's output is, and where readers are found."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from weir.reading.result import ReadLaunch
from weir.registry import Registry


class Reader(ABC):
    """Reads what one benchmark prints. Subclasses register with `@reader`."""

    what: ClassVar[str]
    """What it reads, in words: "IMB"."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Is this the benchmark's output, whatever other programs printed into it? The file's name says
        nothing."""

    @abstractmethod
    def read(self, text: str) -> list[ReadLaunch]:
        """What each start of the benchmark printed, in order."""


_readers = Registry[type[Reader]]("weir.reading.readers", "reader")


def reader(kind: type[Reader]) -> type[Reader]:
    """Class decorator: make the reader known."""
    return _readers.register(kind.__module__)(kind)


def readers() -> Iterator[Reader]:
    """One of each; every module of `weir.reading.readers` registers its own."""
    return (kind() for kind in _readers.all().values())


def reader_of(text: str) -> Reader | None:
    """The reader that recognises the text; None where none does."""
    return next((one for one in readers() if one.recognises(text)), None)

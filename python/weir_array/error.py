"""The one exception, and how the library tells of errors."""

import ctypes
from enum import IntEnum


class Code(IntEnum):
    """What went wrong, as in `weir_code` of include/weir/array.h."""

    OK = 0
    BAD_ARGUMENT = 1
    DISAGREE = 2
    OVERLAP = 3
    HOLES = 4
    OTHER_COMM = 5
    IO = 6
    SHORT_FILE = 7
    CHECKSUM = 8
    NO_MEMORY = 9
    MPI = 10
    INTERNAL = 11


class Error(Exception):
    """A failed call: `problem (reason) suggestion`.

    code: what kind of failure.
    rank: where it happened, in the plan's communicator; -1: everywhere, or in a local call.
    """

    def __init__(self, code: int, rank: int, message: str) -> None:
        super().__init__(message)
        self.code = Code(code)
        self.rank = rank

    def __reduce__(self) -> tuple[type["Error"], tuple[int, int, str]]:
        return Error, (int(self.code), self.rank, str(self))


class CError(ctypes.Structure):
    """`weir_error`."""

    _fields_ = (("code", ctypes.c_int), ("rank", ctypes.c_int), ("message", ctypes.c_char * 1024))

    def check(self) -> None:
        """Raise what the library told, if it told of an error."""
        if self.code != Code.OK:
            raise Error(self.code, self.rank, self.message.decode(errors="replace"))

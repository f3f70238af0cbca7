"""Finds and loads libweir_array.so, and raises its errors."""

import ctypes
import functools
import os
import sys
from enum import IntEnum
from pathlib import Path


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
        """Raise the error that the library reported, if any."""
        if self.code != Code.OK:
            raise Error(self.code, self.rank, self.message.decode(errors="replace"))


VARIABLE = "WEIR_ARRAY_LIBRARY"
NAME = "libweir_array.so.0"

_int, _long, _text, _handle = ctypes.c_int, ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p
_longs, _handles, _error = ctypes.POINTER(_long), ctypes.POINTER(_handle), ctypes.POINTER(CError)
MOVE = ctypes.CFUNCTYPE(_int, _handle, _int, _long, _long, _handle, ctypes.POINTER(ctypes.c_char))


class CTimes(ctypes.Structure):
    """`weir_times`."""

    _fields_ = (
        *((name, ctypes.c_double) for name in ("total", "open", "exchange", "wait", "storage", "sync")),
        ("checksum", ctypes.c_double),
        ("rounds", _long),
        ("requests", _long),
        ("messages", _long),
    )


class CTarget(ctypes.Structure):
    """`weir_target`."""

    _fields_ = (("context", _handle), ("write", MOVE), ("read", MOVE))


_ARGUMENTS: dict[str, tuple[type | None, tuple[type, ...]]] = {
    "array_block": (_int, (_int, _longs, _longs, ctypes.c_size_t, _int, _handles, _error)),
    "array_block_cyclic": (_int, (_int, _longs, _longs, _longs, ctypes.c_size_t, _int, _handles, _error)),
    "array_boxes": (_int, (_int, _longs, _long, _longs, _longs, ctypes.c_size_t, _int, _handles, _error)),
    "array_pieces": (_int, (_long, _long, _longs, _longs, ctypes.c_size_t, _handles, _error)),
    "array_replicated": (_int, (_long, ctypes.c_size_t, _handles, _error)),
    "array_alike": (_int, (_handle, ctypes.c_size_t, _handles, _error)),
    "array_ghosts": (_int, (_handle, _longs, _longs, _error)),
    "array_memory_order": (_int, (_handle, _int, _error)),
    "array_within": (_int, (_handle, _longs, _longs, _error)),
    "array_fill_value": (_int, (_handle, _handle, _error)),
    "array_local": (_int, (_handle, _long, _long, _longs, _longs, _longs, _longs, _error)),
    "array_free": (None, (_handle,)),
    "plan_make_f": (_int, (_int, _int, _handles, _text, _handles, _error)),
    "plan_explain": (_text, (_handle,)),
    "plan_memory": (_long, (_handle,)),
    "plan_file_bytes": (_long, (_handle,)),
    "plan_times": (_int, (_handle, ctypes.POINTER(CTimes))),
    "plan_free": (None, (_handle,)),
    "write": (_int, (_handle, _text, _long, _handles, _error)),
    "read": (_int, (_handle, _text, _long, _handles, _error)),
    "write_at": (_int, (_handle, _text, _longs, _handles, _error)),
    "read_at": (_int, (_handle, _text, _longs, _handles, _error)),
    "write_target": (_int, (_handle, ctypes.POINTER(CTarget), _handles, _error)),
    "read_target": (_int, (_handle, ctypes.POINTER(CTarget), _handles, _error)),
    "write_start": (_int, (_handle, _text, _long, _handles, _handles, _error)),
    "test": (_int, (_handle,)),
    "wait": (_int, (_handle, _error)),
    "redistribute": (_int, (_handle, _handles, _handle, _handles, _error)),
    "version": (_text, ()),
}


def find_library() -> str:
    """The library to load: WEIR_ARRAY_LIBRARY if set; else the one of the prefix or of the checkout that this
    file is in; else that of this Python's prefix; else the name alone, for the system's loader to find."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    folders = [
        place
        for parent in Path(__file__).resolve().parents
        for place in (parent, parent / "build" / "release" / "lib")
    ]
    prefix = Path(sys.prefix)
    folders += [prefix / "lib", prefix / "lib64"]
    return next((str(folder / NAME) for folder in folders if (folder / NAME).exists()), NAME)


@functools.cache
def library() -> ctypes.CDLL:
    """The library, loaded once. Raises Error where it cannot be loaded, or uses another MPI than mpi4py."""
    path = find_library()
    try:
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _ARGUMENTS.items():
            function = getattr(loaded, f"weir_{name}")
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise Error(
            Code.BAD_ARGUMENT,
            -1,
            f"cannot load {path} ({error}). Install Weir with `cmake --install`, or set {VARIABLE} to the "
            f"path of {NAME}",
        ) from error
    _same_mpi(loaded, path)
    return loaded


def version() -> str:
    """The library's version, as "0.1.0"."""
    return str(library().weir_version().decode())


def _same_mpi(loaded: ctypes.CDLL, path: str) -> None:
    """Two MPIs in one process would take each other's communicators for something else."""
    from mpi4py import MPI  # noqa: PLC0415  it starts MPI, which importing this package should not

    text, length = ctypes.create_string_buffer(8192), _int()
    loaded.MPI_Get_library_version(text, ctypes.byref(length))
    theirs, ours = (
        text.value.decode(errors="replace").strip("\0 \n"),
        MPI.Get_library_version().strip("\0 \n"),
    )
    if theirs != ours:
        raise Error(
            Code.MPI,
            -1,
            f"mpi4py and {path} use two MPIs ({_first_words(ours)}; {_first_words(theirs)}). Install mpi4py "
            "for the MPI that Weir was built with",
        )


def _first_words(text: str) -> str:
    return " ".join(text.splitlines()[0].split(",")[0].split()) if text else "unknown"

"""Plans: made once, then written and read with at every dump. Collective where nothing else is said."""

import ctypes
import os
import warnings
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from weir_array.array import Array, longs
from weir_array.checks import Wrong, integer, integers, wrong_type
from weir_array.library import MOVE, CError, Code, CTarget, CTimes, Error, library

if TYPE_CHECKING:
    from mpi4py import MPI


import numpy as np
from numpy.typing import NDArray

from weir_array.array import Local, Order

Buffer = NDArray[np.generic] | None


class Expected:
    """What a plan needs of a buffer on this rank. `shape`: of an array that has all dimensions."""

    def __init__(
        self, nbytes: int, order: Order, dtype: np.dtype[np.generic], shape: tuple[int, ...]
    ) -> None:
        self.nbytes = nbytes
        self.order = order
        self.dtype = dtype
        self.shape = shape

    def wrong(self, buffer: object, into: bool) -> str:
        """What is wrong with the buffer; empty where nothing is. `into`: it is read into."""
        if not isinstance(buffer, np.ndarray):
            return f"a {type(buffer).__name__} was given (NumPy arrays are needed). Pass numpy.asarray of it"
        if isinstance(buffer, np.ma.MaskedArray):
            return "the array is masked (a file has no place for the mask). Pass array.filled(value)"
        return wrong_type(buffer.dtype, self.dtype) or self._wrong_place(buffer, into)

    def _wrong_place(self, buffer: NDArray[np.generic], into: bool) -> str:
        if not buffer.flags.forc:
            return (
                "the array is not contiguous (it is a view of a larger one). Describe its border with ghosts "
                "and pass the larger one, or pass a copy"
            )
        if not buffer.flags[self.order]:
            return f"the array is not in {self.order} order (as the plan expects). Say so with memory_order"
        if buffer.nbytes != self.nbytes:
            return (
                f"the array has {buffer.nbytes} bytes (this rank's part, ghosts included, has {self.nbytes})"
                ". Array.empty makes one of the right shape"
            )
        if buffer.ndim == len(self.shape) and buffer.shape != self.shape:
            return (
                f"the array has the shape {buffer.shape} (this rank's, ghosts included, is {self.shape}). "
                "Array.empty makes one of the right shape"
            )
        return "the array is read-only (it is to be read into)" if into and not buffer.flags.writeable else ""


class Buffers:
    """The addresses of a call's buffers. What is wrong is handed on as null: then the call fails on all
    ranks, where an exception on this one alone would leave the others waiting."""

    def __init__(
        self, buffers: Sequence[Buffer], expected: Sequence[Expected], rank: int, into: bool
    ) -> None:
        self._rank = rank
        self._wrong = wrong_number("arrays", len(buffers), len(expected))
        self.addresses = (ctypes.c_void_p * len(expected))()
        if self._wrong:
            return
        for i, (buffer, wanted) in enumerate(zip(buffers, expected, strict=True)):
            wrong = "" if buffer is None else wanted.wrong(buffer, into)
            self._wrong = self._wrong or wrong
            self.addresses[i] = None if wrong or buffer is None else buffer.ctypes.data

    def check(self, error: CError) -> None:
        """Raise the call's error, if it failed: this rank's own, if there is one. A rank that holds nothing
        may give what it likes."""
        if self._wrong and error.code != Code.OK:
            raise Error(Code.BAD_ARGUMENT, self._rank, self._wrong)
        error.check()


def wrong_number(what: str, given: int, arrays: int) -> str:
    """What is wrong with the length of a list that has an entry for each array of a plan; empty where nothing
    is."""
    if given == arrays:
        return ""
    return f"{given} {what} were given for the plan's {arrays} (one each is needed)"


def _handles(arrays: Sequence[object]) -> tuple["ctypes.Array[ctypes.c_void_p]", str]:
    """The library's arrays, null for what is none or was not taken; and the first that is wrong with them."""
    handles, wrong = (ctypes.c_void_p * len(arrays))(), ""
    for i, array in enumerate(arrays):
        if isinstance(array, Array):
            handles[i], why = array.handle, array.wrong
        else:
            why = f"array {i} is a {type(array).__name__} (it must be one that this package describes)"
        wrong = wrong or why
    return handles, wrong


_NO_OPTIONS = b"?"
"""What the library refuses: a mistake of one rank fails the plan on all."""


def _words(options: object) -> tuple[bytes, str]:
    """The options as the library takes them, and what is wrong with them."""
    try:
        if isinstance(options, str):
            return options.encode(), ""
    except UnicodeEncodeError as error:
        return _NO_OPTIONS, f"the options are no text ({error.reason})"
    return _NO_OPTIONS, f"the options are {options!r} (a text is needed). Write for example 'holes=keep'"


def _raise_first(wrong: Sequence[str]) -> None:
    """Raises the first rank's mistake, the same error on all ranks, of rank -1 if all made it; nothing if
    there is none."""
    if wrong[0] and len(set(wrong)) == 1:
        raise Error(Code.BAD_ARGUMENT, -1, wrong[0])
    for rank, words in enumerate(wrong):
        if words:
            raise Error(Code.BAD_ARGUMENT, rank, words)


Path = str | os.PathLike[str]
Move = Callable[[int, int, memoryview], None]
"""Writes, or fills, contiguous bytes of an array: (number of the array, its first byte, bytes)."""

_ALREADY_CLOSED = "the plan is closed"


class Times(NamedTuple):
    """Seconds that the last write or read spent, on this rank; see `weir_times` in include/weir/array.h."""

    total: float
    open: float
    exchange: float
    wait: float
    storage: float
    sync: float
    checksum: float
    rounds: int
    requests: int
    messages: int


class Plan:
    """All that repeated dumps of arrays have in common.

    Used in a `with` statement, it is closed at its end by all ranks together, after a dump that is on its
    way. Where an exception other than `Error` leaves the statement, perhaps on one rank alone, the plan is
    left as it is.
    """

    def __init__(self, comm: "MPI.Comm", *arrays: Array, options: str = "") -> None:
        self._handle: ctypes.c_void_p | None = None
        self._request: Request | None = None
        made, error = ctypes.c_void_p(), CError()
        handles, wrong = _handles(arrays)
        words, wrong_options = _words(options)
        library().weir_plan_make_f(
            *(comm.py2f(), len(arrays), handles, words, ctypes.byref(made), ctypes.byref(error))
        )
        self._rank = comm.Get_rank()
        if error.code != Code.OK:  # on all ranks
            _raise_first(comm.allgather(wrong or wrong_options))
        error.check()
        self._handle = made
        self._expected = [_expected(array, array.local(comm)) for array in arrays]

    def write(
        self, path: Path, *buffers: Buffer, offset: int = 0, offsets: Sequence[int] | None = None
    ) -> None:
        """Write one local array for each array of the plan: one after the other from byte `offset` of the
        file on, or each from its own of `offsets` on. None will do where this rank holds nothing."""
        self._transfer("write", path, buffers, offset, offsets)

    def read(
        self, path: Path, *buffers: Buffer, offset: int = 0, offsets: Sequence[int] | None = None
    ) -> None:
        """Read into one local array for each array of the plan."""
        self._transfer("read", path, buffers, offset, offsets)

    def write_start(self, path: Path, *buffers: Buffer, offset: int = 0) -> "Request":
        """Start a write; returns when the buffers may be changed again."""
        checked, error, started = self._buffers(buffers, into=False), CError(), ctypes.c_void_p()
        (name, wrong_name), (place, wrong) = _name(path), _place(offset)
        library().weir_write_start(
            *(self.handle, name, place, checked.addresses), *(ctypes.byref(started), ctypes.byref(error))
        )
        self._check(wrong_name or wrong, checked, error)
        self._request = Request(started)
        return self._request

    def write_to(self, move: Move, *buffers: Buffer) -> None:
        """Write to something other than a file: aggregators call `move` for each contiguous piece of an
        array, perhaps on several ranks at once. What it raises becomes the call's error on all ranks."""
        self._move("write", move, self._buffers(buffers, into=False))

    def read_from(self, move: Move, *buffers: Buffer) -> None:
        """Read from something other than a file: `move` fills the bytes."""
        self._move("read", move, self._buffers(buffers, into=True))

    @property
    def explanation(self) -> str:
        """One line: what was chosen, and why. Local."""
        return str(library().weir_plan_explain(self.handle).decode())

    @property
    def memory(self) -> int:
        """Bytes of memory that the plan holds on this rank, buffers included. Local."""
        return int(library().weir_plan_memory(self.handle))

    @property
    def file_bytes(self) -> int:
        """Bytes of all arrays in the file, from the first to the last. Local."""
        return int(library().weir_plan_file_bytes(self.handle))

    @property
    def times(self) -> Times:
        """Where the last write or read spent its time. Local."""
        spent = CTimes()
        library().weir_plan_times(self.handle, ctypes.byref(spent))
        return Times(*(getattr(spent, name) for name in Times._fields))

    @property
    def handle(self) -> ctypes.c_void_p:
        """The library's own, for calls that this package does not have."""
        if self._handle is None:
            raise Error(Code.BAD_ARGUMENT, -1, _ALREADY_CLOSED)
        return self._handle

    def close(self) -> None:
        """Free the plan, after a dump that is on its way; raises its error. A second call does nothing."""
        try:
            if self._request is not None:
                self._request.wait()
        finally:
            if self._handle is not None:
                library().weir_plan_free(self._handle)
                self._handle = None

    def _buffers(self, buffers: Sequence[Buffer], *, into: bool) -> Buffers:
        return Buffers(buffers, self._expected, self._rank, into)

    def _transfer(
        self, verb: str, path: Path, buffers: Sequence[Buffer], offset: int, offsets: Sequence[int] | None
    ) -> None:
        checked, error = self._buffers(buffers, into=verb == "read"), CError()
        function = getattr(library(), f"weir_{verb}" if offsets is None else f"weir_{verb}_at")
        name, wrong_name = _name(path)
        place, wrong = _place(offset) if offsets is None else _places(offsets, len(self._expected))
        function(self.handle, name, place, checked.addresses, ctypes.byref(error))
        self._check(wrong_name or wrong, checked, error)

    def _check(self, wrong: str, checked: Buffers, error: CError) -> None:
        if wrong:
            raise Error(Code.BAD_ARGUMENT, self._rank, wrong)
        checked.check(error)

    def _move(self, verb: str, move: Move, checked: Buffers) -> None:
        function, error = MOVE(_reporting(move)), CError()
        target = CTarget(None, function, function)
        getattr(library(), f"weir_{verb}_target")(
            self.handle, ctypes.byref(target), checked.addresses, ctypes.byref(error)
        )
        checked.check(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, Error):
            self.close()

    def __del__(self) -> None:
        if self._handle is not None:
            warnings.warn(
                "a weir_array.Plan was not closed: use it in a `with` statement",
                ResourceWarning,
                stacklevel=1,
            )


class Request:
    """A dump on its way. It must be waited for before anything else is asked of its plan."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle: ctypes.c_void_p | None = handle

    def test(self) -> bool:
        """Has this rank's part ended? Local."""
        return self._handle is None or bool(library().weir_test(self._handle))

    def wait(self) -> None:
        """Return when the dump is complete, or raise its error. A second call does nothing."""
        if self._handle is not None:
            error, handle = CError(), self._handle
            self._handle = None
            library().weir_wait(handle, ctypes.byref(error))
            error.check()


def redistribute(source: Plan, from_: Sequence[Buffer], target: Plan, to: Sequence[Buffer]) -> None:
    """Move arrays from the distribution of one plan to that of another, in memory."""
    sources, targets, error = source._buffers(from_, into=False), target._buffers(to, into=True), CError()
    library().weir_redistribute(
        source.handle, sources.addresses, target.handle, targets.addresses, ctypes.byref(error)
    )
    sources.check(error)
    targets.check(error)


def _expected(array: Array, held: Local) -> Expected:
    return Expected(held.nbytes, array.order, array.dtype, array.local_shape(held))


def _name(path: object) -> tuple[bytes | None, str]:
    """The file's name as the library takes it, and what is wrong; null where something is."""
    try:
        name = os.fsencode(path)  # type: ignore[arg-type]
    except (TypeError, UnicodeError) as error:
        return None, f"the file's name cannot be used ({error}). Pass a str or a pathlib.Path"
    if b"\0" in name:
        return None, f"the file's name cannot be used (it has a byte 0: {path!r}). Pass another one"
    return name, ""


def _place(offset: object) -> tuple[int, str]:
    """The offset as the library takes it, and what is wrong. What is wrong on this rank is handed on as an
    offset that no file has, so that the call fails on all ranks, as null does for buffers."""
    try:
        return integer("the offset", offset), ""
    except Wrong as wrong:
        return -1, str(wrong)


def _places(offsets: Sequence[int], arrays: int) -> tuple["ctypes._Pointer[ctypes.c_int64] | None", str]:
    """The same of a list with an offset for each array: null where it is wrong."""
    try:
        found = integers("offsets", offsets)
        wrong = wrong_number("offsets", len(found), arrays)
        return (None, wrong) if wrong else (longs(found), "")
    except Wrong as wrong_list:
        return None, str(wrong_list)


def _reporting(move: Move) -> Callable[..., int]:
    def call(
        _: object, array: int, start: int, nbytes: int, data: int, message: "ctypes._Pointer[ctypes.c_char]"
    ) -> int:
        try:
            move(array, start, memoryview((ctypes.c_char * nbytes).from_address(data)).cast("B"))
        except Exception as error:
            text = f"{type(error).__name__}: {error}".encode()[:1023]
            ctypes.memmove(message, text + b"\0", len(text) + 1)
            return 1
        return 0

    return call

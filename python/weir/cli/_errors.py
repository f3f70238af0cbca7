"""What the person sees when a verb fails: one message on standard error, and the right exit code."""

import contextlib
import errno
import os
import sys
import traceback
from pathlib import Path

import typer

from weir.cli._streams import OutputLost
from weir.errors import INTERRUPTED, ExitCode, Interrupted, WeirError
from weir.files.refusals import how_to_get_room
from weir.printable import printable_lines

_TAKES_NO_MORE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}
"""A file system that takes no more is no defect of Weir."""

_MAY = "see to it that you may use it and the folders above, or name another"
_NOT_TO_BE_USED = {
    errno.EACCES: _MAY,
    errno.EPERM: _MAY,
    errno.ELOOP: "name what the links should lead to",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "name a place whose path has only folders",
    errno.EIO: "ask who looks after this file system",
    errno.ESTALE: "give the same command again, when it is mounted again",
}
"""Nor is one that keeps a person from a file, or has lost it; and what the person can do."""


def exit_code_of(error: BaseException, *, as_json: bool) -> int:
    """Report the error and return the code to exit with; errors of the command-line library are passed on."""
    match error:
        case KeyboardInterrupt() | Interrupted():
            print(INTERRUPTED, file=sys.stderr)
            return int(ExitCode.INTERRUPTED)
        case OutputLost(reader_gone=True):
            return int(ExitCode.FINE)  # as `weir show RUN | head` ends: all was read that was wanted
        case BrokenPipeError():
            # The reader of our output went away, as `weir list | head` does; nothing more can be said to it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return int(ExitCode.FINE)
        case Exception() if not _belongs_to_the_command_line(error):
            said = _said_of(error)
            _say(said, as_json=as_json)
            return int(said.exit_code)
        case _:
            raise error


def _said_of(error: Exception) -> WeirError:
    """The error as the user sees it."""
    match error:
        case WeirError():
            return error
        case OutputLost():
            return WeirError(
                "cannot write to standard output", str(error), f"{error.advice}, or write elsewhere"
            )
        case MemoryError():
            return WeirError(
                "out of memory",
                "the system gives this process no more",
                "give it more (ulimit -v, a cgroup's bound), or let it see less",
            )
        case OSError():
            return _of_the_system(error)
        case UnicodeEncodeError() if error.reason.startswith("surrogates"):
            return _not_utf8(error)
    return _internal(error)


def _belongs_to_the_command_line(error: Exception) -> bool:
    """True for the exits and usage errors that Typer itself turns into messages."""
    return isinstance(error, (typer.Exit, typer.Abort, typer.BadParameter))


def _of_the_system(error: OSError) -> WeirError:
    """What a file system says of itself, or of a name that it was given."""
    why = error.strerror or str(error)
    if error.errno == errno.ENOENT and _stands_nowhere():
        return WeirError(
            "the current directory is not there any more",
            "it was removed, and relative paths begin in it",
            "change to another directory (cd) and give the same command again",
        )
    if error.errno in _TAKES_NO_MORE:
        what = f"cannot write '{error.filename}'" if error.filename else "cannot write a file"
        of_space = error.errno == errno.ENOSPC
        room = "free some space, the temporary directory's included," if of_space else how_to_get_room(error)
        advice = f"{room} and give the same command again"
        return WeirError(what, why, advice)
    if error.errno == errno.ENOENT and not error.filename and why.startswith("No usable temporary directory"):
        return WeirError(
            "there is no temporary directory",
            f"none of these can be written to: {why.partition('[')[2].rstrip(']')}",
            "free space there, or name another in TMPDIR",
        )
    if error.filename and error.errno in _NOT_TO_BE_USED:
        return WeirError(f"cannot use '{os.fsdecode(error.filename)}'", why, _NOT_TO_BE_USED[error.errno])
    return _internal(error)


def _stands_nowhere() -> bool:
    """Was the current directory removed?"""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    except OSError:
        pass
    return False


def _not_utf8(error: UnicodeEncodeError) -> WeirError:
    return WeirError(
        f"'{error.object}' cannot be written down",
        "it holds bytes that are no UTF-8, and what Weir keeps is JSON",
        "give the file or directory another name, or a link with one",
    )


def _internal(error: Exception) -> WeirError:
    return WeirError(
        f"internal error: {type(error).__name__}: {error}",
        "this is a defect in Weir",
        "run again with WEIR_DEBUG=1 for the traceback, and report it",
        ExitCode.INTERNAL,
    )


def _say(error: WeirError, *, as_json: bool) -> None:
    if os.environ.get("WEIR_DEBUG") == "1":
        traceback.print_exc()
    print(printable_lines(f"weir: {error}"), file=sys.stderr)
    if as_json:
        from weir.cli._streams import print_json

        with contextlib.suppress(OutputLost):
            print_json({"error": error.as_data()})

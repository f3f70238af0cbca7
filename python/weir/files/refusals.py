"""Why a file or folder is not touched, in words, and what helps where the system takes no more of one."""

import contextlib
import errno
import pwd
from collections.abc import Iterator
from pathlib import Path

from weir.errors import ExitCode, WeirError
from weir.files.permission import permission

OPTION = "--foreign-folder"


def user(owner: int) -> str:
    """The user's name, or number where it has none."""
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return str(owner)


def _or_trust() -> str:
    """The other remedy, of verbs that have it."""
    return f", or say {OPTION} if that user may be trusted" if permission().has_options else ""


def foreign(path: Path, owner: int, what: str) -> WeirError:
    """`what` at `path` belongs to another user."""
    return WeirError(
        f"cannot use '{path}'",
        f"the {what} belongs to user {user(owner)}, who could redirect what is written",
        f"choose another place{_or_trust()}",
    )


def foreign_link(path: Path, owner: int) -> WeirError:
    """A link of another user is on the way."""
    return WeirError(
        f"cannot go through '{path}'",
        f"it is a link of user {user(owner)}, who could point it anywhere",
        f"give the path that it stands for{_or_trust()}",
    )


def link(path: Path) -> WeirError:
    """A link stands where a file is expected."""
    return WeirError(
        f"cannot use '{path}'",
        "it is a link, and what it leads to could be anybody's",
        "remove the link, or name the file itself",
    )


def no_folder(path: Path) -> WeirError:
    """Something else stands where a folder is expected."""
    return WeirError(f"cannot use '{path}'", "it is not a folder", "remove it, or choose another place")


def no_file(path: Path, what: str) -> WeirError:
    """Something else stands where a file is expected: `what`."""
    return WeirError(f"cannot use '{path}'", f"it is {what}, not a file", "remove it, or name another")


_FREE = "free space there"
_ADVICE = {
    errno.EFBIG: "raise the limit on file sizes (ulimit -f)",
    errno.EDQUOT: "free space there, for your quota is used up",
    errno.EROFS: "let it be written to",
    errno.EBADF: "leave it open",
}


def how_to_get_room(error: OSError) -> str:
    """The advice: free space, but where that is not what is wanting."""
    return _ADVICE.get(error.errno or 0, _FREE)


@contextlib.contextmanager
def no_room_told(path: Path, exit_code: ExitCode = ExitCode.USAGE) -> Iterator[None]:
    """Turns what the system says of a file of a run that cannot be written into a WeirError with that exit
    code."""
    try:
        yield
    except FileNotFoundError as error:
        raise WeirError(
            f"cannot write '{path}'",
            "its folder is gone",
            "let nobody remove a run while it is written, and give the same command again",
            exit_code,
        ) from error
    except (FileExistsError, NotADirectoryError):
        raise
    except OSError as error:
        raise WeirError(
            f"cannot write '{path}'",
            error.strerror or str(error),
            f"{how_to_get_room(error)} and give the same command again, which goes on with what is kept; or "
            "choose another --out",
            exit_code,
        ) from error

"""Files and folders that appear under their names when they are whole, and the mode of files that other
programs make."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from weir.files import refusals
from weir.files.permission import file_mode, folder_mode, is_trusted, permission
from weir.files.walk import entry, folder, remove_entry

DRAFT = ".weir-"
"""What the names of files begin with that are not whole yet."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Without waiting: a pipe may never have a reader.
_IN_PLACE = os.O_WRONLY | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_ATTEMPTS = 20


@contextmanager
def written(path: Path, *, make: bool = False, named: bool = False) -> Iterator[BinaryIO]:
    """The open file, which takes its name when the context ends well: nobody reads half of one, and a file of
    that name is replaced. With `make`, folders above it are made.

    A device or pipe is written to as it is if the person has `named` it. Raises WeirError for a link, for
    anything else that is no file, as a pipe that nobody reads, and for a file or folder of another user;
    OSError where writing fails.
    """
    with entry(path, make=make) as (folder, name):
        if named and _is_in_place(folder, name):
            with naming(path), os.fdopen(_open_in_place(folder, name, path), "wb") as file:
                yield file
            return
        check_replaceable(folder, name, path)
        with naming(path, always=True):
            descriptor, draft = new_file(folder)
        try:
            with naming(path), os.fdopen(descriptor, "wb") as file:
                yield file
            with naming(path, always=True):
                os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft, dir_fd=folder)
            raise


@contextmanager
def naming(path: Path | str, *, always: bool = False) -> Iterator[None]:
    """What fails without a name, as writing does, names the path; `always` where nobody has heard of the name
    that it has, as that of a draft."""
    try:
        yield
    except OSError as error:
        if always or error.filename is None:
            error.filename, error.filename2 = str(path), None
        raise


def write(path: Path, content: bytes, *, make: bool = False, named: bool = False) -> int:
    """The same with that content; its bytes."""
    with written(path, make=make, named=named) as file:
        return file.write(content)


def check_writable(path: Path) -> None:
    """Raises as `written` where a file of that name could not be made now; writes nothing."""
    with entry(path) as (folder, name):
        if not _is_in_place(folder, name):
            check_replaceable(folder, name, path)
            if not os.access(".", os.W_OK, dir_fd=folder):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def new_file(folder: int) -> tuple[int, str]:
    """A new file in the folder, open for writing, and its name, which nobody can know before."""
    for _ in range(_ATTEMPTS):
        name = f"{DRAFT}{secrets.token_hex(8)}"
        with suppress(FileExistsError):
            return os.open(name, _NEW, file_mode(), dir_fd=folder), name
    raise FileExistsError(f"{DRAFT}*")


def check_replaceable(folder: int, name: str, path: Path) -> None:
    """Raises WeirError unless the name is free, or that of a file of the caller's."""
    with suppress(FileNotFoundError):
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(facts.st_mode):
            raise IsADirectoryError(21, os.strerror(21), str(path))
        check_plain(facts, path)
        check_owner(facts, path)


def check_plain(facts: os.stat_result, path: Path) -> None:
    """Raises WeirError unless these are the facts of a regular file."""
    if stat.S_ISLNK(facts.st_mode):
        raise refusals.link(path)
    if not stat.S_ISREG(facts.st_mode):
        raise refusals.no_file(path, kind_of(facts.st_mode))


def check_owner(facts: os.stat_result, path: Path) -> None:
    """Raises WeirError for a file of another user."""
    if facts.st_uid != os.geteuid() and not permission().foreign:
        raise refusals.foreign(path, facts.st_uid, "file")


def kind_of(mode: int) -> str:
    """What it is, in words."""
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISLNK, "a link"),
    )
    return next((words for test, words in kinds if test(mode)), "a device")


def _is_in_place(folder: int, name: str) -> bool:
    """Is it a device or pipe of the caller's or root's; or one of the system's links to them, as /dev/stdout
    and those in /proc/self/fd are?"""
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(facts.st_mode):
        above = os.fstat(folder)
        return above.st_dev == Path("/proc").stat().st_dev or os.path.samestat(above, Path("/dev").stat())
    return not (stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)) and is_trusted(facts.st_uid)


def _open_in_place(folder: int, name: str, path: Path) -> int:
    """A descriptor that waits when it is written to, but not until somebody reads."""
    try:
        descriptor = os.open(name, _IN_PLACE, dir_fd=folder)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        kind = kind_of(os.stat(name, dir_fd=folder).st_mode)
        what = f"{kind} that nobody reads" if kind == "a pipe" else kind
        raise refusals.no_file(path, what) from error
    os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the name when the context ends well, and is removed if it does not.
    Raises WeirError for a place of another user, OSError if something of that name is there or it cannot be
    made."""
    with entry(path) as (above, name):
        draft = f"{DRAFT}{secrets.token_hex(8)}"
        with naming(path, always=True):
            os.mkdir(draft, folder_mode(), dir_fd=above)
        try:
            yield path.with_name(draft)
            with naming(path, always=True):
                os.rename(draft, name, src_dir_fd=above, dst_dir_fd=above)
        except BaseException:
            remove_entry(above, draft)
            raise


_CAREFULLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def share_files(path: Path) -> None:
    """If that is permitted, give the caller's files in the folder the mode that the umask leaves them."""
    if not permission().share:
        return
    os.umask(umask := os.umask(0o077))
    with folder(path) as descriptor:
        listing = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=descriptor)
        try:
            with os.scandir(listing) as entries:
                for entry in entries:
                    _share(listing, entry.name, 0o666 & ~umask)
        finally:
            os.close(listing)


def _share(above: int, name: str, mode: int) -> None:
    with suppress(OSError):
        file = os.open(name, _CAREFULLY, dir_fd=above)
        try:
            facts = os.fstat(file)
            if stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid():
                os.fchmod(file, mode)
        finally:
            os.close(file)

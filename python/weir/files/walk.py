"""The way to a folder, a component at a time, so that what was looked at is what is used; and removing what
is in one."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.errors import WeirError
from weir.files import refusals
from weir.files.permission import folder_mode, is_trusted, permission

MOST_LINKS = 40
"""As many as the kernel follows."""
# A descriptor that only names a folder needs no right to read it. O_DIRECTORY has automounters mount it.
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ANYTHING = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def folder(path: Path, *, make: bool = False, follow: bool = True) -> Iterator[int]:
    """A descriptor of the folder, as long as the context lasts; with `make`, what is missing is made.

    Links on the way are followed if they belong to root or the caller, who alone could lead them elsewhere;
    without `follow`, none is, nor is "..". Raises WeirError for other links, OSError where the folder is not
    there or is none.
    """
    descriptor = _open(path, make=make, follow=follow)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def real_path(path: Path) -> Path:
    """The folder's own path, without links: what `folder` came to, and nobody can lead elsewhere since."""
    with folder(path) as descriptor:
        return path_of(descriptor)


def path_of(descriptor: int) -> Path:
    """Of an open folder. Raises WeirError where the system does not tell."""
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except FileNotFoundError:
        raise WeirError(
            "cannot tell a folder's path", "/proc is not mounted", "mount it: mount -t proc proc /proc"
        ) from None


def _open(path: Path, *, make: bool, follow: bool) -> int:
    here = os.open("/" if path.is_absolute() else ".", _FOLDER)
    pending = [part for part in reversed(path.parts) if part != "/"]
    passed: list[str] = ["/"] if path.is_absolute() else []
    links = 0
    try:
        while pending:
            name = pending.pop()
            passed.append(name)
            if name == ".." and not follow:
                raise refusals.link(Path(*passed))
            found = _step(here, name, Path(*passed), make=make, follow=follow)
            if isinstance(found, str):
                links += 1
                if links > MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
                target = Path(found)
                pending += [part for part in reversed(target.parts) if part != "/"]
                passed.pop()
                if target.is_absolute():
                    passed = ["/"]
                    found = os.open("/", _FOLDER)
                else:
                    continue
            os.close(here)
            here = found
    except BaseException:
        os.close(here)
        raise
    return here


def _step(here: int, name: str, where: Path, *, make: bool, follow: bool) -> int | str:
    """The folder of that name in the folder `here`, or what a link of that name says."""
    try:
        return os.open(name, _FOLDER, dir_fd=here)
    except FileNotFoundError:
        if not make:
            raise
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, folder_mode(), dir_fd=here)
        return os.open(name, _FOLDER, dir_fd=here)
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        return _link(here, name, where, follow=follow)


def _link(here: int, name: str, where: Path, *, follow: bool) -> str:
    found = os.open(name, _ANYTHING, dir_fd=here)
    try:
        facts = os.fstat(found)
        if not stat.S_ISLNK(facts.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(where))
        if not follow:
            raise refusals.link(where)
        if not (is_trusted(facts.st_uid) or permission().foreign):
            raise refusals.foreign_link(where, facts.st_uid)
        return os.readlink("", dir_fd=found)
    finally:
        os.close(found)


@contextmanager
def entry(path: Path, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """A descriptor of the folder that a file is to be written to, and the file's name in it. Raises WeirError
    for a folder that belongs neither to the caller nor to root."""
    if path.name in ("", ".."):
        raise WeirError(f"cannot write '{path}'", "it is a folder", "name a file")
    with folder(path.parent, make=make) as descriptor:
        owner = os.fstat(descriptor).st_uid
        if not (is_trusted(owner) or permission().foreign):
            raise refusals.foreign(path, owner, "folder")
        yield descriptor, path.name


def make_own_folder(path: Path, *, follow: bool = True) -> bool:
    """Makes the folder, with those above it; False if it was there. Raises WeirError if it belongs to
    another user or a link of another stands in its place (without `follow`, any link), OSError where it
    cannot be made."""
    if path.name in ("", ".."):
        check_own_folder(path)
        return False
    with folder(path.parent, make=True) as above:
        try:
            os.mkdir(path.name, folder_mode(), dir_fd=above)
            made = True
        except FileExistsError:
            made = False
        facts = os.stat(path.name, dir_fd=above, follow_symlinks=False)
        if stat.S_ISLNK(facts.st_mode) and not follow:
            raise refusals.link(path)
    check_own_folder(path)
    return made


def check_own_folder(path: Path) -> None:
    """Raises WeirError if the folder belongs to another user, OSError where it is none."""
    with folder(path) as descriptor:
        owner = os.fstat(descriptor).st_uid
        if owner != os.geteuid() and not permission().foreign:
            raise refusals.foreign(path, owner, "folder")


# By descriptors, so that no link is followed and nothing outside is touched.
_READABLE = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def empty_folder(descriptor: int, spare: str = "") -> None:
    """Remove all that is in the folder but the entry `spare`. Raises OSError for what cannot be removed, and
    for another file system mounted in there."""
    device = os.fstat(descriptor).st_dev
    again = os.open(".", _READABLE, dir_fd=descriptor)
    try:
        _empty(again, device, spare)
    finally:
        os.close(again)


def remove_entry(above: int, name: str) -> None:
    """Remove the file, link or folder of that name in a folder; fine if it is not there."""
    with contextlib.suppress(FileNotFoundError):
        _remove(above, name, os.fstat(above).st_dev)


def remove_if_empty(path: Path) -> None:
    """Remove the folder at that path, if it is one and holds nothing."""
    with contextlib.suppress(OSError), entry(path) as (above, name):
        os.rmdir(name, dir_fd=above)


def _empty(descriptor: int, device: int, spare: str) -> None:
    with os.scandir(descriptor) as entries:
        names = [entry.name for entry in entries if entry.name != spare]
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            _remove(descriptor, name, device)


def _remove(above: int, name: str, device: int) -> None:
    try:
        inner = os.open(name, _READABLE, dir_fd=above)
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        os.unlink(name, dir_fd=above)
        return
    try:
        if os.fstat(inner).st_dev != device:
            raise OSError(errno.EXDEV, "another file system is mounted there", name)
        _empty(inner, device, "")
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=above)

"""A directory that Weir made, and can prove so: it holds a file that says for which run."""

import os
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from weir.errors import WeirError, system_errors
from weir.files import refusals
from weir.files.walk import empty_folder, folder, remove_entry

MARKER = ".weir-scratch"
_ATTEMPTS = 20
_PAUSE_S = 0.25
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o700


def draw_mark() -> str:
    """What nobody else can know: one for each run."""
    return secrets.token_hex(16)


class MarkedFolder:
    """It is known by what it is, not by its name: should another take its place, that is left alone."""

    def __init__(self, path: Path, facts: os.stat_result) -> None:
        self.path = path
        self._identity = _identity(facts)

    @classmethod
    def make(cls, path: Path, mark: str) -> "MarkedFolder":
        """Make the directory and its marker. Raises WeirError where it cannot be made, or is there."""
        with system_errors(f"cannot make '{path}'", "choose another --dir"):
            with folder(path.parent) as above:
                os.mkdir(path.name, _MODE, dir_fd=above)
                descriptor = os.open(path.name, _FOLDER, dir_fd=above)
            try:
                made = cls(path, os.fstat(descriptor))
                _write_marker(descriptor, mark)
            finally:
                os.close(descriptor)
        return made

    @classmethod
    def recognise(cls, path: Path, mark: str) -> "MarkedFolder":
        """The directory that an earlier process made with that mark. Raises WeirError if it is anything else:
        a link, or reached by one; another user's; or without the mark."""
        try:
            with folder(path.parent, follow=False) as above:
                facts = os.stat(path.name, dir_fd=above, follow_symlinks=False)
                _check(path, facts)
                descriptor = os.open(path.name, _FOLDER, dir_fd=above)
            try:
                facts = os.fstat(descriptor)
                _check(path, facts)
                if not mark or _read_marker(descriptor) != mark:
                    raise _not_ours(path, f"no file {MARKER} in it says that this run made it")
            finally:
                os.close(descriptor)
        except OSError as error:
            raise _not_ours(path, error.strerror or str(error)) from error
        return cls(path, facts)

    def empty(self) -> None:
        """Remove all in it but the marker. Raises WeirError where that cannot be done."""
        self._with_retries(lambda descriptor: empty_folder(descriptor, MARKER))

    def renew(self, name: str) -> None:
        """Make a folder in it again, without what it held. Raises WeirError where that cannot be done."""

        def make_again(descriptor: int) -> None:
            remove_entry(descriptor, name)
            os.mkdir(name, _MODE, dir_fd=descriptor)

        self._with_retries(make_again)

    def remove(self) -> None:
        """Remove it with all in it; fine if it is not there. Raises WeirError where that cannot be done."""

        def remove_all(descriptor: int) -> None:
            empty_folder(descriptor)
            with folder(self.path.parent) as above:
                if _identity(os.stat(self.path.name, dir_fd=above, follow_symlinks=False)) == self._identity:
                    os.rmdir(self.path.name, dir_fd=above)

        if self.path.is_dir():
            self._with_retries(remove_all)

    def _with_retries(self, act: Callable[[int], None]) -> None:
        """Tried for a while, since ranks that are just being ended can still make a file."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._once(act)
            except OSError as error:
                if attempt == _ATTEMPTS - 1:
                    why = error.strerror or str(error)
                    raise WeirError(f"cannot remove '{self.path}'", why, "remove it by hand") from error
            time.sleep(_PAUSE_S)

    def _once(self, act: Callable[[int], None]) -> None:
        with folder(self.path.parent) as above:
            descriptor = os.open(self.path.name, _FOLDER, dir_fd=above)
        try:
            if _identity(os.fstat(descriptor)) != self._identity:
                raise _not_ours(self.path, "another directory has taken its place")
            act(descriptor)
        finally:
            os.close(descriptor)


def _check(path: Path, facts: os.stat_result) -> None:
    if not stat.S_ISDIR(facts.st_mode):
        raise _not_ours(path, "it is a link" if stat.S_ISLNK(facts.st_mode) else "it is no directory")
    if facts.st_uid != os.geteuid():
        raise _not_ours(path, f"it belongs to user {refusals.user(facts.st_uid)}")


def _identity(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_dev, facts.st_ino


def _write_marker(descriptor: int, mark: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(MARKER, flags, 0o600, dir_fd=descriptor), "wb") as file:
        file.write(msgspec.json.encode({"weir": "scratch", "run": mark}) + b"\n")


def _read_marker(descriptor: int) -> str | None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        found = os.open(MARKER, flags, dir_fd=descriptor)
    except OSError:
        return None
    with os.fdopen(found, "rb") as file:
        facts = os.fstat(found)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
            return None
        try:
            said = msgspec.json.decode(file.read(1024), type=dict[str, str])
        except (msgspec.DecodeError, msgspec.ValidationError):
            return None
    return said.get("run")


def _not_ours(path: Path, why: str) -> WeirError:
    return WeirError(
        f"'{path}' is not known as Weir's own, and is left alone",
        why,
        "look at it, remove it by hand if it is not needed, or choose another --out",
    )

"""The stripes that a study asks for: whether a file system gives them, and having directories of Weir's own
give them to their files."""

import secrets
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir.core.front_options import STRIPE_BYTES, STRIPE_COUNT
from weir.errors import WeirError
from weir.files.passing import passing_folder
from weir.files.walk import folder, remove_entry
from weir.files.write import write
from weir.machine.card import run_command
from weir.machine.mount_table import Mount, mount_of, parse_mounts
from weir.machine.striping.base import CannotSet, Reading, Run, Stripes, Striping, stripings
from weir.units import count_words, format_bytes


def stripes_asked(options: Mapping[str, Any]) -> Stripes | None:
    """What a case of these options asks for; None where it leaves all to the file system."""
    asked = Stripes(options.get(STRIPE_COUNT), options.get(STRIPE_BYTES))
    return None if asked == Stripes() else asked


def in_words(stripes: Stripes) -> str:
    """ "4 stripes of 1 MiB"; what is unknown is not said."""
    count = "stripes" if stripes.count is None else count_words(stripes.count, "stripe")
    return count if stripes.bytes is None else f"{count} of {format_bytes(stripes.bytes)}"


def folder_name(asked: Stripes) -> str:
    """A folder for files with these stripes."""
    return f"stripes-{asked.count or 'any'}-{asked.bytes or 'any'}"


def _mounts_here() -> list[Mount]:
    text = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    return parse_mounts(text)


@dataclass(frozen=True)
class Striper:
    """Asks and sets by the file systems' own programs; tests have others."""

    run: Run = run_command
    mounts: Callable[[], list[Mount]] = field(default_factory=lambda: _mounts_here)

    def look(self, path: Path) -> Reading | None:
        """The stripes of new files of a directory, or of a file; None where there are none, or it is not
        known."""
        try:
            kind, mount = self._kind(path)
            return kind.look(path, mount)
        except (CannotSet, OSError, ValueError, subprocess.SubprocessError):
            return None

    def set(self, directory: Path, asked: Stripes) -> Reading:
        """Have new files of a directory, which must be Weir's own, get these stripes; returns those that a
        new file there really has. Raises CannotSet."""
        kind, _ = self._kind(directory)
        kind.set(directory, asked)
        file = directory / f".weir-probe-{secrets.token_hex(4)}"
        try:
            write(file, b"")
            try:
                found = self.look(file)
            finally:
                with folder(directory) as inside:
                    remove_entry(inside, file.name)
        except (OSError, WeirError) as error:
            raise CannotSet(f"no file can be made there: {error}") from error
        if found is None:
            raise CannotSet(f"{kind.called} does not say which stripes a new file has")
        _check(asked, found.stripes)
        return found

    def try_in(self, directory: Path, asked: Stripes) -> Reading:
        """The same in a folder that is made there for it and removed."""
        try:
            with passing_folder(directory) as made:
                return self.set(made, asked)
        except OSError as error:
            raise CannotSet(f"no folder can be made there: {error.strerror}") from error

    def _kind(self, path: Path) -> tuple[Striping, Mount]:
        mount = mount_of(path.resolve(), self.mounts())
        known = stripings()
        if mount is None or mount.type not in known:
            raise CannotSet(f"{mount.type if mount else 'an unknown file system'} has no stripes to set")
        return known[mount.type](self.run), mount


def _check(asked: Stripes, found: Stripes) -> None:
    """Raises CannotSet where a new file has other stripes, or nobody knows which."""
    for wanted, there in ((asked.count, found.count), (asked.bytes, found.bytes)):
        if wanted is not None and wanted != there:
            what = "stripes that cannot be read" if there is None else in_words(found)
            raise CannotSet(f"a new file has {what}, and {in_words(asked)} were asked for")

"""What stripes are, what a file system that has them can be asked, and where such file systems are found."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from weir.machine.mount_table import Mount
from weir.registry import Registry

Run = Callable[[Sequence[str]], str]
"""Standard output of a command; raises OSError if it is not there, SubprocessError if it fails or hangs."""
ALL = -1
"""The count of stripes where files lie on all servers that there are."""
_LONGEST = 200


@dataclass(frozen=True)
class Stripes:
    """Over how many servers a file is spread (`ALL`: over all of them), and how many bytes in a row lie on
    one; None is unknown, or in a request left as it is."""

    count: int | None = None
    bytes: int | None = None

    def as_data(self) -> dict[str, int | None]:
        """For JSON."""
        return {"stripe_count": self.count, "stripe_bytes": self.bytes}


UNKNOWN = Stripes()


@dataclass(frozen=True)
class Part:
    """A part of a file that has stripes of its own, up to `end_bytes` (None: to the end)."""

    end_bytes: int | None
    stripes: Stripes

    def as_data(self) -> dict[str, int | None]:
        """For JSON."""
        return {"end_bytes": self.end_bytes, **self.stripes.as_data()}


@dataclass(frozen=True)
class Reading:
    """What a file system says of a directory or a file: the command without the path, its text, the stripes
    read out of it, and the parts of a layout that has several; its stripes are those of the last one."""

    command: str
    text: str
    stripes: Stripes
    parts: tuple[Part, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """For JSON; `parts` only where there are several."""
        data = {"command": self.command, "text": self.text, **self.stripes.as_data()}
        return data | ({"parts": [part.as_data() for part in self.parts]} if self.parts else {})


class CannotSet(Exception):
    """Stripes were not set; its text says why."""


class Striping(ABC):
    """A kind of file system with stripes. Subclasses register with `@striping(TYPE)`, the type of its
    mounts."""

    called: ClassVar[str]
    """Its name for people."""
    can_set: ClassVar[bool] = True

    def __init__(self, run: Run) -> None:
        self._run = run

    @abstractmethod
    def look(self, path: Path, mount: Mount) -> Reading:
        """The stripes that new files of a directory get, or that a file has. Raises OSError where the file
        system's program is not there, SubprocessError where it fails."""

    def set(self, directory: Path, asked: Stripes) -> None:
        """Have new files of the directory get these stripes. Raises CannotSet."""
        raise CannotSet(f"{self.called} has no stripes that can be set")

    def _try(self, commands: Sequence[Sequence[str]]) -> tuple[Sequence[str], str]:
        """The first of these whose program is there, and what it prints. Raises as `look`."""
        for command in commands[:-1]:
            try:
                return command, self._run(command)
            except FileNotFoundError:
                continue
        return commands[-1], self._run(commands[-1])

    def _change(self, commands: Sequence[Sequence[str]]) -> None:
        """Carry out the first of these whose program is there. Raises CannotSet."""
        programs = " nor ".join(dict.fromkeys(command[0] for command in commands))
        try:
            self._try(commands)
        except FileNotFoundError as error:
            raise CannotSet(f"there is no {programs} in PATH") from error
        except subprocess.CalledProcessError as error:
            raise CannotSet(said_by(error)) from error
        except (OSError, subprocess.SubprocessError) as error:
            raise CannotSet(f"{programs}: {error}") from error


def said_by(error: subprocess.CalledProcessError) -> str:
    """The first line that a program which failed has printed, with what it was told to do."""
    command = error.cmd if isinstance(error.cmd, (list, tuple)) else [str(error.cmd)]
    lines = [line.strip() for line in f"{error.stderr or ''}\n{error.stdout or ''}".splitlines()]
    first = next((line for line in lines if line), f"it ended with {error.returncode}")
    return f"{' '.join(map(str, command[:2]))} says: {first[:_LONGEST]}"


_stripings = Registry[type[Striping]]("weir.machine.striping", "file system with stripes")
striping = _stripings.register
"""Class decorator: make the kind of file system known under the type of its mounts."""
stripings = _stripings.all

"""At most one process writes to a run.

The lock is a file made with O_EXCL, which every shared file system in use keeps its promise about, unlike
flock. It names its owner, so that the lock of a process that was killed is recognised and taken over.
"""

import os
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec

from weir.batch.base import JobPlace, is_over, job_of_process
from weir.bounded_parsing import MIB, decode_json
from weir.errors import ExitCode, WeirError
from weir.files.permission import file_mode
from weir.files.plain import read_plain
from weir.files.refusals import no_room_told
from weir.files.walk import entry, remove_entry

LOOK_EVERY_S = 1.0
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Owner(msgspec.Struct, frozen=True):
    """A process, distinguished from a later one that got the same number by its start time (clock ticks since
    boot)."""

    host: str
    pid: int
    start_ticks: int | None = None
    boot: str | None = None
    job: JobPlace | None = None
    """Of a batch system, which knows whether it is over where this host does not."""

    @classmethod
    def this_process(cls) -> Self:
        """Whoever calls."""
        pid = os.getpid()
        return cls(socket.gethostname(), pid, _start_ticks(pid), _boot(), job_of_process())

    @property
    def words(self) -> str:
        """ "process 12", "process 12 on host n1, of job 7,"."""
        where = f" on host {self.host}" if self.host != socket.gethostname() else ""
        return f"process {self.pid}{where}" + (f", of job {self.job.id}," if self.job else "")

    def is_gone(self) -> bool | None:
        """Whether the process has ended; None where that is not known, as on another host in no job."""
        if self.host != socket.gethostname():
            return None if self.job is None else is_over(self.job, job_of_process())
        if self.boot is not None and _boot() is not None and self.boot != _boot():
            return True
        running = _start_ticks(self.pid)
        return running is None or (self.start_ticks is not None and running != self.start_ticks)


def holder_of(path: Path) -> Owner | None:
    """Who holds the lock there; None where nobody does, and where its process surely has ended. Raises
    WeirError where it cannot be read."""
    owner = Lock(path).read()
    return None if owner is None or owner.is_gone() else owner


class TakenOver(WeirError):
    """Another process goes on with what this one held: nothing of it may be touched any more."""


class Lock:
    """Holds the lock file of a run, or of `what`; use as a context. Raises WeirError if another process holds
    it."""

    def __init__(self, path: Path, what: str = "") -> None:
        self._path = path
        self._what = what
        self.was_stale = False
        """Whether the lock of a killed process was found and taken over."""
        self._mine = Owner.this_process()
        self._looked_s = 0.0

    def __enter__(self) -> Self:
        if not self._create():
            self._take_over()
            if not self._create():
                raise self._held("another process was quicker")
        return self

    def __exit__(self, *_: object) -> None:
        # Where somebody removed the run meanwhile, its lock is gone, and what there is to say has been said.
        with suppress(FileNotFoundError), entry(self._path) as (folder, name):
            if self._is_mine():
                remove_entry(folder, name)

    def check(self) -> None:
        """Raises TakenOver where another process has the lock now: its batch system believes this one to be
        dead, as behind a network that was cut. Looks once in LOOK_EVERY_S."""
        if time.monotonic() - self._looked_s < LOOK_EVERY_S:
            return
        self._looked_s = time.monotonic()
        owner = self.read(self._path)
        if owner is not None and owner != self._mine:
            raise TakenOver(
                f"run '{self._path.parent}' was taken over by another process",
                f"process {owner.pid} on host {owner.host} goes on with it",
                "leave it to that one",
                ExitCode.INTERRUPTED,
            )

    def _is_mine(self) -> bool:
        with suppress(WeirError):
            return self.read(self._path) == self._mine
        return False

    def _create(self) -> bool:
        try:
            with no_room_told(self._path), entry(self._path) as (folder, name):
                descriptor = os.open(name, _NEW, file_mode(), dir_fd=folder)
        except FileExistsError:
            return False
        with no_room_told(self._path):
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(msgspec.json.encode(self._mine))
            except OSError:
                # Half a lock would keep everybody out.
                with entry(self._path) as (folder, name):
                    remove_entry(folder, name)
                raise
        return True

    def _take_over(self) -> None:
        owner = self.read(self._path)
        if owner is None:
            return
        if not owner.is_gone():
            raise self._held(f"{owner.words} holds it")
        self.was_stale = True
        moved = self._path.with_name(f"{self._path.name}.stale.{secrets.token_hex(8)}")
        with entry(self._path) as (folder, name):
            try:
                os.rename(name, moved.name, src_dir_fd=folder, dst_dir_fd=folder)
            except FileNotFoundError:
                return
            if self.read(moved) != owner:
                # Between our look and our rename somebody else took the lock over: what we moved is a living
                # one.
                os.rename(moved.name, name, src_dir_fd=folder, dst_dir_fd=folder)
                raise self._held("another process was quicker")
            os.unlink(moved.name, dir_fd=folder)

    def read(self, path: Path | None = None) -> Owner | None:
        """Who the lock, or that moved one, says holds it; None where there is none."""
        try:
            return decode_json(read_plain(path or self._path, MIB), type=Owner)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise self._held(f"its lock cannot be read: {error}") from error

    def _held(self, why: str) -> WeirError:
        name, advice = f"run '{self._path.parent}'", "wait for it, or choose another --out"
        if self._what:
            name, advice = self._what, "wait for it"
        return WeirError(
            f"{name} is in use", why, f"{advice}; if that process is gone, remove '{self._path}'"
        )


def _start_ticks(pid: int) -> int | None:
    """Field 22 of /proc/PID/stat (proc(5)); None for a process that is not there or is a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    return None if fields[0] in "ZX" else int(fields[19])


def _boot() -> str | None:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None

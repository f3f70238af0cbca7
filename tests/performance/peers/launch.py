"""Starts a program on ranks, one side exactly as the other, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from weir.launch.base import LaunchSpec, find_launcher

LONGEST_S = 120


class LaunchFailed(Exception):
    """A side could not do what was asked; the text is the last that it said."""


class Ranks:
    """Launches of a number of ranks, bound to cores."""

    def __init__(self, ranks: int, mpi_io: str | None = None, longest_s: int = LONGEST_S) -> None:
        self.env: dict[str, str] = {}
        self.ranks = ranks
        self._longest_s = longest_s
        self._spec = LaunchSpec(ranks, mpi_io=mpi_io)
        self._launcher = find_launcher("mpirun")
        self._launcher.prepare()

    def run(self, *program: str | Path, folder: Path | None = None) -> str:
        """What the program printed on standard output, started in that folder. Raises LaunchFailed where it
        did not end with 0."""
        command = self._launcher.command(self._spec, tuple(map(str, program)))
        try:
            done = subprocess.run(
                command.argv,
                cwd=folder,
                env={**os.environ, **command.env, **self.env},
                capture_output=True,
                text=True,
                timeout=self._longest_s,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise LaunchFailed(f"it did not end within {self._longest_s} s") from error
        if done.returncode != 0:
            raise LaunchFailed(reason_in(done.stdout + done.stderr) or f"exit code {done.returncode}")
        return done.stdout


def reason_in(text: str) -> str:
    """The line that speaks of an error, else the last one."""
    lines = [line.strip() for line in text.splitlines() if line.strip().strip("-")]
    speaking = [line for line in lines if "error" in line.lower()]
    return (speaking or lines[-1:] or [""])[0]


@contextmanager
def scratch(directory: Path) -> Iterator[Path]:
    """A folder of our own on the storage, removed in the end."""
    made = Path(tempfile.mkdtemp(prefix="weir-peers-", dir=directory))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def empty(directory: Path, keep: Sequence[str] = ()) -> None:
    """Remove what a side that failed left behind."""
    for path in directory.iterdir():
        if path.name not in keep:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def drop(paths: Sequence[Path]) -> None:
    """Drop files from the page cache: what is dirty is written first, since only clean pages can go."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fdatasync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)

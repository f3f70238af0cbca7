"""A directory of Weir's own on the storage under test: made before, removed after, whatever happens in
between."""

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from weir.errors import WeirError
from weir.study.case import DIRECTORY_OPTION, Case

_ATTEMPTS = 20
_PAUSE_S = 0.25


def check_directory(directory: Path) -> None:
    """Raises WeirError unless the directory is there and files can be made in it; leaves nothing behind."""
    problem = f"cannot measure in '{directory}'"
    if not directory.exists():
        raise WeirError(
            problem, "it does not exist", f"make it with `mkdir -p {directory}`, or choose another --dir"
        )
    if not directory.is_dir():
        raise WeirError(problem, "it is not a directory", "choose another --dir")
    probe = directory / f".weir-probe-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        raise WeirError(
            problem, error.strerror or str(error), "choose a directory that you can write to with --dir"
        ) from error


def scratch_name(run_name: str, run_path: Path) -> str:
    """`weir-<run>-<hash>`: the hash tells apart runs of one name, and lets the folder be recognised as
    Weir's."""
    seed = f"{run_path.resolve()}\0{secrets.token_hex(8)}"
    return f"weir-{run_name}-{hashlib.sha256(seed.encode()).hexdigest()[:8]}"


class Scratch:
    """The directories that a run's cases work in, one on each storage that the study names. Use as a context.

    With `keep`, each case has a folder of its own in there, made anew before each launch, and all stays in
    the end.
    """

    def __init__(self, paths: Mapping[str | None, Path], *, keep: bool) -> None:
        self._paths = paths
        self.keep = keep
        self.stale: list[Path] = []
        """Directories that a killed run had left behind."""

    def __enter__(self) -> Self:
        try:
            for path in self._paths.values():
                if path.is_dir() and not self.keep:
                    self.stale.append(path)
                    remove_tree(path)
                _make(path, exist_ok=self.keep)
        except WeirError:
            self._remove_all()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.keep:
            self._remove_all()

    def directory_of(self, case: Case) -> str | None:
        """Where the case works; None if it needs no directory."""
        if not case.uses_directory:
            return None
        path = self._paths[case.options[DIRECTORY_OPTION]]
        return str(path / case.id if self.keep else path)

    def prepare(self, cases: Iterable[Case]) -> None:
        """Before a launch: kept files of the round before go, since to overwrite is another thing than to
        create."""
        for case in cases:
            directory = self.directory_of(case)
            if self.keep and directory is not None:
                remove_tree(Path(directory))
                _make(Path(directory))

    def empty(self) -> None:
        """After a launch that could not clean up after itself: remove its files, unless they are to be
        kept."""
        if not self.keep:
            for path in self._paths.values():
                remove_tree(path)
                _make(path)

    def _remove_all(self) -> None:
        for path in self._paths.values():
            remove_tree(path)


def remove_tree(path: Path) -> None:
    """Remove the directory with all in it; fine if it is not there. Raises WeirError if it cannot be removed.

    Tried for a while, since ranks that are just being ended can still make a file.
    """
    for attempt in range(_ATTEMPTS):
        try:
            shutil.rmtree(path)
            return
        except FileNotFoundError:
            if not path.exists():
                return
        except OSError as error:
            if attempt == _ATTEMPTS - 1:
                why = error.strerror or str(error)
                raise WeirError(f"cannot remove '{path}'", why, "remove it by hand") from error
        time.sleep(_PAUSE_S)


def _make(path: Path, *, exist_ok: bool = False) -> None:
    try:
        path.mkdir(exist_ok=exist_ok)
    except OSError as error:
        why = error.strerror or str(error)
        raise WeirError(f"cannot make '{path}'", why, "choose another --dir") from error

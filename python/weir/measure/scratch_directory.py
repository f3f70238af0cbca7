"""A directory of Weir's own on the storage under test: made before, removed after, whatever happens in
between."""

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from weir.errors import WeirError, system_errors
from weir.files.scratch_marker import MarkedFolder
from weir.files.walk import folder as open_folder
from weir.study.case import DIRECTORY_OPTION, Case

_SCRATCH_NAME = re.compile(r"weir-.+-[0-9a-f]{8}")


def check_directory(directory: Path) -> None:
    """Raises WeirError unless the directory is there, no link of another user leads to it, and files can be
    made in it; leaves nothing behind."""
    problem = f"cannot measure in '{directory}'"
    if not directory.exists():
        raise WeirError(
            problem, "it does not exist", f"make it with `mkdir -p {directory}`, or choose another --dir"
        )
    if not directory.is_dir():
        raise WeirError(problem, "it is not a directory", "choose another --dir")
    probe = f".weir-probe-{os.getpid()}-{secrets.token_hex(4)}"
    with (
        system_errors(problem, "choose a directory that you can write to with --dir"),
        open_folder(directory) as descriptor,
    ):
        os.mkdir(probe, 0o700, dir_fd=descriptor)
        os.rmdir(probe, dir_fd=descriptor)


def scratch_name(run_name: str) -> str:
    """`weir-<run>-<8 random hex digits>`: what nobody can foresee, and what is recognised as Weir's."""
    return f"weir-{run_name}-{secrets.token_hex(4)}"


def check_scratch_name(path: Path) -> None:
    """Raises WeirError unless `scratch_name` can have made the last part of the path."""
    if not _SCRATCH_NAME.fullmatch(path.name):
        raise WeirError(
            f"'{path}' is no scratch directory of Weir's",
            "its name is none that Weir gives",
            "the run names it in run.json: choose another --out",
        )


class Scratch:
    """The directories that a run's cases work in, one on each storage that the study names. Use as a context.

    With `keep`, each case has a folder of its own in there, made again before each launch, and all stays in
    the end. A directory that is there already is used or removed only if it carries the run's `mark`.

    A case that runs on a node by itself works in the directory that the study names, or `beside`, since that
    may be the node's own: the core makes a directory of its own there and removes it.
    """

    def __init__(
        self, paths: Mapping[str | None, Path], *, keep: bool, mark: str, beside: Path | None = None
    ) -> None:
        self._paths = paths
        self._beside = beside or Path()
        self._mark = mark
        self._folders: dict[str | None, MarkedFolder] = {}
        self.keep = keep
        self.stale: list[Path] = []
        """Directories that a killed run had left behind."""

    def __enter__(self) -> Self:
        try:
            for name, path in self._paths.items():
                check_scratch_name(path)
                self._folders[name] = self._enter(path)
        except WeirError:
            if not self.keep:
                self._remove_all()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if not self.keep:
            self._remove_all()

    def directory_of(self, case: Case) -> str | None:
        """Where the case works; None if it needs no directory."""
        if not case.uses_directory:
            return None
        if not case.works_here:
            return str(Path(case.options[DIRECTORY_OPTION] or self._beside).absolute())
        path = self._paths[case.options[DIRECTORY_OPTION]]
        return str(path / case.id if self.keep else path)

    def prepare(self, cases: Iterable[Case]) -> None:
        """Before a launch: kept files of the round before go, since to overwrite is another thing than to
        create."""
        for case in cases:
            if self.keep and case.works_here:
                self._folders[case.options[DIRECTORY_OPTION]].renew(case.id)

    def empty(self) -> None:
        """After a launch that could not clean up after itself: remove its files, unless they are to be
        kept."""
        if not self.keep:
            for folder in self._folders.values():
                folder.empty()

    def _enter(self, path: Path) -> MarkedFolder:
        if os.path.lexists(path):
            there = MarkedFolder.recognise(path, self._mark)
            if self.keep:
                return there
            self.stale.append(path)
            there.remove()
        return MarkedFolder.make(path, self._mark)

    def _remove_all(self) -> None:
        for folder in self._folders.values():
            folder.remove()

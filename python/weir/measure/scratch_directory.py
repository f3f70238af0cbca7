"""A directory of Weir's own on the storage under test: made before, removed after, whatever happens in
between."""

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from weir.core.front_options import DIRECTORY_OPTION
from weir.errors import ExitCode, WeirError, system_errors
from weir.files.passing import passing_folder
from weir.files.scratch_marker import MarkedFolder
from weir.machine.striping.base import CannotSet, Stripes
from weir.measure.stripe_settings import Striper, folder_name, in_words, stripes_asked
from weir.store.lock import TakenOver
from weir.study.case import Case

_SCRATCH_NAME = re.compile(r"weir-.+-[0-9a-f]{8}", re.DOTALL)


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
    with (
        system_errors(problem, "choose a directory that you can write to with --dir"),
        passing_folder(directory),
    ):
        pass


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
        self,
        paths: Mapping[str | None, Path],
        *,
        keep: bool,
        mark: str,
        beside: Path | None = None,
        striper: Striper | None = None,
    ) -> None:
        self._paths = paths
        self._beside = beside or Path()
        self._mark = mark
        self._striper = striper or Striper()
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

    def __exit__(self, _: object, error: object, __: object) -> None:
        if not self.keep and not isinstance(error, TakenOver):
            self._remove_all()

    def directory_of(self, case: Case) -> str | None:
        """Where the case works; None if it needs no directory."""
        if not case.uses_directory:
            return None
        if not case.works_here:
            return str(Path(case.options[DIRECTORY_OPTION] or self._beside).absolute())
        path = self._paths[case.options[DIRECTORY_OPTION]]
        return str(path / self._inside(case))

    def prepare(self, cases: Iterable[Case]) -> None:
        """Before a launch: kept files of the round before go, since to overwrite is another thing than to
        create; and the folders of cases that ask for stripes are made. Raises WeirError where these are not
        to be had any more."""
        for case in cases:
            inside = self._inside(case) if case.works_here else ""
            if inside and (self.keep or not (self._of(case).path / inside).is_dir()):
                self._of(case).renew(inside)
                self._set_stripes(self._of(case).path / inside, stripes_asked(case.options))

    def _of(self, case: Case) -> MarkedFolder:
        return self._folders[case.options[DIRECTORY_OPTION]]

    def _inside(self, case: Case) -> str:
        """The folder of its own that a case has in there; empty where it shares all of it with others."""
        asked = stripes_asked(case.options)
        return case.id if self.keep else folder_name(asked) if asked else ""

    def _set_stripes(self, path: Path, asked: Stripes | None) -> None:
        if asked is None:
            return
        try:
            self._striper.set(path, asked)
        except CannotSet as error:
            raise WeirError(
                f"'{path}' does not get {in_words(asked)}",
                str(error),
                "choose another stripe_count or stripe_bytes",
                ExitCode.CASE_FAILED,
            ) from error

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

"""The files that a page names: all; of very many, those with the most calls."""

from dataclasses import replace

import numpy as np

from weir.printable import printable
from weir.trace.model import Trace

from .columns import Columns

MOST_NAMES = 20_000


class Files:
    """Numbers of files in a page."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._calls = np.zeros(len(trace.files), np.int64)
        self._number = np.arange(len(trace.files))
        self.named = list(range(len(trace.files)))
        """For each of the page's files, the trace's."""

    def add(self, calls: Columns) -> None:
        """Count these calls."""
        self._calls += np.bincount(calls.file, minlength=len(self._calls))

    def choose(self, listed: Columns) -> None:
        """Settle which are named, those of the listed calls among them, when all calls are counted."""
        if len(self._calls) <= MOST_NAMES:
            return
        most = np.argsort(-self._calls, kind="stable")[:MOST_NAMES]
        named = np.union1d(most, listed.file)
        parents = np.array([self._trace.files[number].parent for number in named])
        named = np.unique(np.concatenate([[0], named, parents]))
        self.named = named.tolist()
        self._number = np.full(len(self._calls), len(self.named), np.int64)
        self._number[named] = np.arange(len(named))

    @property
    def left_out(self) -> int:
        """How many have no name in the page."""
        return len(self._calls) - len(self.named)

    @property
    def count(self) -> int:
        """How many names there are."""
        return len(self.named) + bool(self.left_out)

    def names(self) -> list[tuple[str, int]]:
        """Each with its parent's number; the last one stands for those that are left out."""
        files = [self._trace.files[number] for number in self.named]
        names = [(printable(file.name), int(self._number[file.parent])) for file in files]
        return (
            [*names, (f"one of {self.left_out:,} files without a name here", 0)] if self.left_out else names
        )

    def of(self, calls: Columns) -> Columns:
        """The calls, with the page's numbers of their files."""
        return replace(calls, file=self._number[calls.file]) if self.left_out else calls

"""What phases are called."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.names import File

from .operations import Kind, Operations


class PhaseNames:
    """Names phases as the program has marked them, or by what they move: `write 1`, `read 1`, `write 2`."""

    def __init__(self, marks: NDArray[Any], files: tuple[File, ...]) -> None:
        """Marks of dtype SPAN; their names are indexes into `files`."""
        self._marks, self._files = marks, files
        self._counts: dict[str, int] = {}

    def of(self, operations: Operations) -> str:
        """A name for the phase of these, which no other has."""
        word = self._marked(operations) or _moved(operations["kind"])
        count = self._counts[word] = self._counts.get(word, 0) + 1
        return f"{word} {count}"

    def _marked(self, operations: Operations) -> str:
        """The shortest mark around all that some rank did."""
        begin, end = self._marks["begin_ns"], self._marks["end_ns"]
        first = operations["rank"] == operations["rank"][0]
        own = operations[first & (operations["kind"] < Kind.COMPUTE)]
        if not len(own):
            return ""
        around = (begin <= own["begin_ns"].min()) & (end >= own["end_ns"].max())
        if not around.any():
            return ""
        took = np.where(around, end - begin, np.iinfo(np.int64).max)
        return self._files[int(self._marks["what"][int(np.argmin(took))])].name


def _moved(kinds: NDArray[np.int64]) -> str:
    reads, writes = bool((kinds == Kind.READ).any()), bool((kinds == Kind.WRITE).any())
    if reads and writes:
        return "read and write"
    return "read" if reads else "write" if writes else "open and close"

"""A study file as a place that errors point to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from weir.errors import WeirError

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Source:
    """Name of a file and the line on which each of its keys stands (from 1)."""

    file: str
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line of that key, else of the nearest table around it; None where nothing is known."""
        for length in range(len(path), 0, -1):
            found = self.lines.get(tuple(path[:length]))
            if found is not None:
                return found
        return None

    def place(self, path: Sequence[str | int]) -> str:
        """`file:line` of a key, or the file alone."""
        line = self.line(path)
        return self.file if line is None else f"{self.file}:{line}"

    def error(
        self, path: Sequence[str | int], problem: str, why: str = "", suggestion: str = ""
    ) -> WeirError:
        """An error at that key."""
        return WeirError(f"{self.place(path)}: {problem}", why, suggestion)

    def placed(self, path: Sequence[str | int], error: WeirError) -> WeirError:
        """The same error, with its place in front."""
        return self.error(path, error.problem, error.why, error.suggestion)

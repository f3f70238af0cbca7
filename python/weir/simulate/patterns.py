"""The pattern that is simulated: a file, or what an application would do, for any number of ranks."""

import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Raw

from weir.bounded_parsing import decode_json
from weir.core.client import Core
from weir.errors import WeirError, did_you_mean
from weir.files.named import read_named
from weir.pattern import Pattern
from weir.replay.prepare import MOST_PATTERN_BYTES
from weir.simulate.functions import mpi_functions
from weir.simulate.functions.words import function_words

_NAME_ONE = (
    'name a file that `weir pattern` made, an application: "flash-io --blocks 80", the benchmark: '
    '"storage --transfer 1MiB", or MPI functions: "Bcast --bytes 1MiB"'
)
_CLOSE = "close each quotation mark that is opened"


class _Phase(msgspec.Struct):
    name: str


class _Head(msgspec.Struct):
    """What is read of a pattern that may have a million ranks."""

    weir_pattern: int
    ranks: int
    phases: list[_Phase]


@dataclass(frozen=True)
class PatternSource:
    """`word`: as a person writes it: a file, or an application's name with its options."""

    word: str
    core: Core

    @property
    def name(self) -> str:
        """For titles: "flash-io --blocks 80", or the file's name without its ending."""
        return self.word if self.is_application or self.is_of_functions else Path(self.word).stem

    @property
    def is_of_functions(self) -> bool:
        """Calls of MPI functions, whose pattern depends on the machine."""
        return function_words(self.word) is not None

    @property
    def is_application(self) -> bool:
        """One of the core's own."""
        words = self.word.split(maxsplit=1)
        return bool(words) and self.core.schema().benchmark(words[0]) is not None

    @cached_property
    def words(self) -> list[str]:
        """An application's name and its options. Raises WeirError where a quotation is not closed."""
        try:
            return shlex.split(self.word)
        except ValueError as error:
            raise WeirError(f"cannot read '{self.word}'", str(error).lower(), _CLOSE) from error

    @property
    def ranks(self) -> int:
        """As many as it is for, where nobody says more. Raises WeirError for an application."""
        if self.is_application or self.is_of_functions:
            raise WeirError(
                f"nothing says on how many ranks {self.word} runs", "", "write for example --ranks 64"
            )
        return self._head().ranks

    def for_ranks(self, ranks: int) -> Raw:
        """Its JSON. Raises WeirError where it is none, or cannot be made for so many."""
        if self.is_application:
            return Raw(self._emitted(ranks))
        own = self._head()
        found = self.core.prepare(Path(self.word), ranks=None if ranks == own.ranks else ranks, gaps=True)
        # Files that it only finds are there already.
        return Raw(msgspec.json.encode(_without_first(found, len(found.phases) - len(own.phases))))

    def _emitted(self, ranks: int) -> bytes:
        name, *options = self.words
        try:
            found = self.core.emit_pattern(name, options, ranks)
        except WeirError as error:
            if "'--emit-pattern'" not in error.problem:
                raise
            raise WeirError(f"'{name}' has no pattern", "it tells none for other ranks", _NAME_ONE) from error
        if not found.startswith(b"{"):  # help, in place of a pattern
            raise WeirError(f"'{self.word}' makes no pattern", "it prints text", "leave such options out")
        return found

    def _refuse_if_misspelt(self) -> None:
        """What is no file may nearly be an application or a function."""
        first = self.word.split(maxsplit=1)[0].split(",")[0]
        known = [*mpi_functions.all(), *(benchmark.name for benchmark in self.core.schema().benchmarks)]
        near = did_you_mean(first, known)
        if "use one of" not in near:
            raise WeirError(f"'{first}' is no application, no MPI function and no file", "", near)

    def _head(self) -> _Head:
        if not self.word.strip():
            raise WeirError("the pattern is empty", "", _NAME_ONE)
        try:
            content = read_named(Path(self.word), MOST_PATTERN_BYTES, "the pattern", _NAME_ONE)
        except WeirError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                self._refuse_if_misspelt()
            raise
        try:
            return decode_json(content, type=_Head)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise WeirError(f"cannot read the pattern '{self.word}'", str(error), _NAME_ONE) from error


def _without_first(pattern: Pattern, phases: int) -> Pattern:
    return msgspec.structs.replace(pattern, phases=pattern.phases[phases:])

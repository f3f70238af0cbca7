"""Where each key of a study's text stands, for errors with their line: tomllib gives that only for errors of
syntax."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from weir.errors import WeirError

KeyPath = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""
    [ \t\r]+ | \#[^\n]*                                                  # blanks and comments
    | (?P<token> \n | [][{}=,.]
      | \"{3} (?: \\. | [^\\] )*? \"{3,5} | '{3} .*? '{3,5}              # strings of several lines
      | " (?: [^"\\\n] | \\. )* " | ' [^'\n]* '
      | [^][{}=,.\s\#"']+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_END_OF_LINE, _OPENING, _BETWEEN = frozenset("\n"), frozenset("["), frozenset("\n,")
_AFTER_SCALAR = frozenset(["\n", ",", "]", "}", ""])


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

    @contextmanager
    def placing(self, path: Sequence[str | int]) -> Iterator[None]:
        """Errors raised inside get that place in front."""
        try:
            yield
        except WeirError as error:
            raise self.error(path, error.problem, error.why, error.suggestion) from error


def locate_keys(text: str) -> dict[KeyPath, int]:
    """Line (from 1) of every table, key and array element. The text must be TOML that tomllib accepts."""
    return _Locator(text).locate()


class _Locator:
    """Reads the text token by token; of each only its first characters and its line matter."""

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {}
        self._last_index: dict[KeyPath, int] = {}
        self._tokens: list[tuple[str, int]] = []
        line = 1
        for found in _TOKEN.finditer(text):
            if found.lastgroup == "token":
                self._tokens.append((found.group(), line))
            line += found.group().count("\n")
        self._tokens = [*self._tokens, ("", line)][::-1]

    def locate(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip(_END_OF_LINE):
            if self._next == "[":
                table = self._header()
            else:
                self._pair(table)
        return self._lines

    @property
    def _next(self) -> str:
        return self._tokens[-1][0]

    def _take(self) -> tuple[str, int]:
        return self._tokens.pop()

    def _skip(self, words: frozenset[str]) -> str:
        """The next token that is none of these, not taken yet; empty at the end."""
        while self._next in words:
            self._take()
        return self._next

    def _header(self) -> KeyPath:
        """`[a.b]` or `[[a.b]]`: the path of the table that begins here."""
        _, line = self._take()
        is_array = self._next == "["
        self._skip(_OPENING)
        keys = self._keys()
        self._take()
        if is_array:
            self._take()
            path = (*self._resolve(keys[:-1]), keys[-1])
            self._last_index[path] = self._last_index.get(path, -1) + 1
        path = self._resolve(keys)
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], line)
        return path

    def _resolve(self, keys: list[str]) -> KeyPath:
        """The path of a header, going into the last element of every array of tables on the way."""
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            if path in self._last_index:
                path = (*path, self._last_index[path])
        return path

    def _pair(self, path: KeyPath) -> None:
        line = self._tokens[-1][1]
        for key in self._keys():
            path = (*path, key)
            self._lines.setdefault(path, line)
        self._take()  # the equals sign
        self._value(path)

    def _keys(self) -> list[str]:
        keys: list[str] = []
        while not keys or self._next == ".":
            if keys:
                self._take()
            raw, _ = self._take()
            keys.append(next(iter(tomllib.loads(f"{raw} = 0"))))
        return keys

    def _value(self, path: KeyPath) -> None:
        word, line = self._take()
        self._lines.setdefault(path, line)
        match word:
            case "[":
                index = 0
                while self._skip(_BETWEEN) != "]":
                    self._value((*path, index))
                    index += 1
                self._take()
            case "{":
                while self._skip(_BETWEEN) != "}":
                    self._pair(path)
                self._take()
            case _:
                while self._next not in _AFTER_SCALAR:
                    self._take()

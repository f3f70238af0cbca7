"""Where each key of a study's text stands, for errors with their line: tomllib tells that only for errors of
syntax."""

import bisect
import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

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

    @contextmanager
    def placing(self, path: Sequence[str | int]) -> Iterator[None]:
        """Errors raised inside get that place in front."""
        try:
            yield
        except WeirError as error:
            raise self.error(path, error.problem, error.why, error.suggestion) from error


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r]|#[^\n]*)*")
_BLANK_LINES = re.compile(r"(?:\s|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}\n#]+")
_BASIC_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL_STRING = re.compile(r"'[^'\n]*'")


def locate_keys(text: str) -> dict[KeyPath, int]:
    """Line (from 1) of every table, key and array element. The text must be TOML that tomllib accepts."""
    return _Locator(text).locate()


class _Locator:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._newlines = [found.start() for found in re.finditer("\n", text)]
        self._lines: dict[KeyPath, int] = {}
        self._last_index: dict[KeyPath, int] = {}

    def locate(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip(_BLANK_LINES)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK_LINES)
        return self._lines

    def _header(self) -> KeyPath:
        opening = "[[" if self._text.startswith("[[", self._at) else "["
        line = self._line()
        self._at += len(opening)
        keys = self._keys()
        self._at += len(opening)
        parent = self._resolve(keys[:-1])
        path: KeyPath = (*parent, keys[-1])
        if opening == "[[":
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

    def _pair(self, table: KeyPath) -> None:
        line = self._line()
        path = table
        for key in self._keys():
            path = (*path, key)
            self._lines.setdefault(path, line)
        self._at += 1  # the equals sign
        self._skip(_BLANK)
        self._value(path)

    def _keys(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_BLANK)
            keys.append(self._key())
            self._skip(_BLANK)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _key(self) -> str:
        pattern = {'"': _BASIC_STRING, "'": _LITERAL_STRING}.get(self._text[self._at], _BARE_KEY)
        raw = self._take(pattern)
        parsed: dict[str, Any] = tomllib.loads(f"{raw} = 0")
        return next(iter(parsed))

    def _value(self, path: KeyPath) -> None:
        self._lines.setdefault(path, self._line())
        for quotes in ('"""', "'''"):
            if self._text.startswith(quotes, self._at):
                self._long_string(quotes)
                return
        match self._text[self._at]:
            case '"':
                self._take(_BASIC_STRING)
            case "'":
                self._take(_LITERAL_STRING)
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case _:
                self._take(_SCALAR)

    def _long_string(self, quotes: str) -> None:
        escape = r"\\.|" if quotes == '"""' else ""
        self._take(re.compile(rf"{quotes}(?:{escape}.)*?{quotes}+", re.DOTALL))

    def _array(self, path: KeyPath) -> None:
        self._at += 1
        self._skip(_BLANK_LINES)
        index = 0
        while self._text[self._at] != "]":
            self._value((*path, index))
            index += 1
            self._skip_comma()
        self._at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        self._skip(_BLANK_LINES)
        while self._text[self._at] != "}":
            self._pair(path)
            self._skip_comma()
        self._at += 1

    def _skip_comma(self) -> None:
        self._skip(_BLANK_LINES)
        if self._text[self._at] == ",":
            self._at += 1
            self._skip(_BLANK_LINES)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None or found.end() == self._at:
            raise ValueError(f"not TOML at line {self._line()}")
        self._at = found.end()
        return found.group()

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        if found is not None:
            self._at = found.end()

    def _line(self) -> int:
        return bisect.bisect_left(self._newlines, self._at) + 1

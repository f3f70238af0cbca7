"""Names of people's things replaced by hashes, so that what Weir has written can be given to others."""

import hashlib
import os
import re
import secrets
from collections.abc import Sequence
from typing import Any

_PATH = re.compile(r"(?<![\w/.<>-])/[^\s'\"`,;:()\[\]{}<>|]+")
"""An absolute path within a text."""
_BYTES = 6
"""Of a hash: among a million names, two share one in fewer than one of 500 outputs."""
_WHOLE = frozenset({"source", "host", "hostname", "mark", "node"})
"""Keys whose texts name something of the machine's, or of the run's, as a whole."""
_OPTIONS = frozenset({"options"})
_WORDS = frozenset({"command", "argv"})


class Redactor:
    """Replaces equal names by equal hashes within one output. Its key is drawn for that output and kept
    nowhere, so that no one can find a name by trying. `known` are names that are replaced wherever they
    stand."""

    def __init__(self, known: Sequence[str] = (), key: bytes | None = None) -> None:
        self._key = secrets.token_bytes(32) if key is None else key
        self._known = tuple(sorted(filter(None, known), key=len, reverse=True))

    def word(self, text: str) -> str:
        """A name as its hash; nothing stays nothing."""
        if not text:
            return text
        return hashlib.blake2b(os.fsencode(text), key=self._key, digest_size=_BYTES).hexdigest()

    def path(self, path: str) -> str:
        """Each component of a path as its hash: what lies in one folder still does."""
        return "/".join(self.word(part) if part not in (".", "..") else part for part in path.split("/"))

    def words(self, words: Sequence[str]) -> list[str]:
        """A command line: the program and its arguments."""
        return [self.path(word) if "/" in word else self.word(word) for word in words]

    def text(self, text: str) -> str:
        """A text, with the absolute paths and the known names in it replaced."""
        text = _PATH.sub(lambda found: self.path(found.group()), text)
        for name in self._known:
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", self.word(name), text)
        return text

    def tree(self, data: Any) -> Any:
        """The same of all texts in data as JSON has it; what stands under a key that names the machine, and
        command lines, are replaced as a whole."""
        match data:
            case str():
                return self.text(data)
            case dict():
                return {key: self._value(key, value) for key, value in data.items()}
            case list() | tuple():
                return [self.tree(value) for value in data]
            case _:
                return data

    def _value(self, key: Any, value: Any) -> Any:
        if key in _WHOLE and isinstance(value, str):
            return self.path(value) if "/" in value else self.word(value)
        if key in _OPTIONS and isinstance(value, dict):  # whose keys are a benchmark's own words
            return {
                name: self.text(one) if isinstance(one, str) else self.tree(one)
                for name, one in value.items()
            }
        if key in _WORDS and isinstance(value, list):
            return self.words([str(word) for word in value])
        return self.tree(value)

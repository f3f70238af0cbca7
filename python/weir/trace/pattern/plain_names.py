"""Names that a pattern may have: without directories, each once, none that could be a rank's own of
another."""

import re

_STRANGE = re.compile(r"[^\x21-\x7e]|/")
_OF_A_RANK = re.compile(r"\.(\d+)$")
LONGEST = 150
"""Bytes; the engine puts something before and behind."""


class PlainNames:
    """Gives out names."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def of(self, name: str) -> str:
        """A name for this one. `a.3` becomes `a-3`: it would be rank 3's own of a file `a`."""
        plain = _STRANGE.sub("_", name)[-LONGEST:]
        plain = _OF_A_RANK.sub(r"-\1", plain)
        plain = plain if plain.strip(".") else "file"
        count = self._given[plain] = self._given.get(plain, 0) + 1
        if count == 1:
            return plain
        again = f"{plain}~{count}"
        self._given[again] = self._given.get(again, 0) + 1
        return again if self._given[again] == 1 else self.of(again)

"""The mark of an argument that says which kinds of things it takes, and the refusal of others."""

import difflib
import os
import shlex
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from weir.errors import WeirError
from weir.files.thing import Thing

from .kind import kind_named, kinds_of

MOST_NEIGHBOURS = 2000
NEAR = 0.75


@dataclass(frozen=True)
class Takes:
    """Stands in the annotation of a verb's argument. What is of no known kind passes: then the verb itself
    says what it lacks. `names`: kinds; `labelled`: words may be NAME=FILE; `first`: the first word is a
    program's, the others are its own; `named`: a word may be a name that is of no file."""

    names: tuple[str, ...]
    labelled: bool = False
    first: bool = False
    named: bool = False

    def check(self, verb: str, words: Iterable[str]) -> None:
        """Raises WeirError for what is of other kinds alone, and for what is not there but misspelt."""
        for word in [*words][: 1 if self.first else None]:
            if not (self.first and shutil.which(word)):
                self._check_one(verb, self._file_of(word))

    def _file_of(self, word: str) -> str:
        """Without a label; a file may have such a name itself."""
        labelled = self.labelled and not os.path.lexists(word)
        return word.partition("=")[2] or word if labelled else word

    def _check_one(self, verb: str, word: str) -> None:
        thing = Thing(word)
        if not os.path.lexists(word):
            self._suggest(thing)
            return
        if any(kind_named(name).recognises(thing) for name in self.names):
            return
        found = next(kinds_of(thing), None)
        if found is None:
            return
        instead = next((found.instead[name] for name in self.names if name in found.instead), found.use)
        *others, last = (kind_named(name).what for name in self.names)
        wanted = f"{', '.join(others)} or {last}" if others else last
        quoted = shlex.quote(word)
        started = quoted if "/" in word else f"./{quoted}"
        raise WeirError(
            f"'{word}' is {found.what}", f"`weir {verb}` takes {wanted}", instead.format(quoted, started)
        )

    def _suggest(self, thing: Thing) -> None:
        if any(kind_named(name).recognises(thing) for name in self.names):
            return  # a name, such as that of a study
        if (self.first or self.named) and "/" not in thing.word:
            return  # one of a program, or of a study of somebody's own
        near = near_path(thing.path)
        if near is not None:
            raise WeirError(f"there is no file or folder '{thing.word}'", "", f"did you mean '{near}'?")


def near_path(path: Path) -> Path | None:
    """What stands beside where it should be, under almost the same name."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for _, entry in zip(range(MOST_NEIGHBOURS), entries, strict=False)]
    except OSError:
        return None
    found = difflib.get_close_matches(path.name, names, n=1, cutoff=NEAR)
    return path.with_name(found[0]) if found else None

"""What a kind of thing is, and which there are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from weir.files.thing import Thing
from weir.registry import Registry

Recognise = Callable[[Thing], bool]


@dataclass(frozen=True)
class Kind:
    """`what` it is, in words; `use`: what takes it, with {0} for its path and {1} for how to start it;
    `instead`: for the names of other kinds, how to get one of those from it; `parts`: of a folder, patterns
    of the files in it that are its own."""

    name: str
    what: str
    use: str
    recognises: Recognise
    instead: dict[str, str]
    parts: tuple[str, ...] = ()

    @property
    def is_general(self) -> bool:
        """Without a use of its own: it says nothing of what lies in it."""
        return not self.use


_kinds = Registry[Kind]("weir.handed.kinds", "kind of file")


def kind(
    name: str, what: str, use: str, parts: tuple[str, ...] = (), **instead: str
) -> Callable[[Recognise], Recognise]:
    """Registers a kind by the function that recognises it."""

    def keep(recognises: Recognise) -> Recognise:
        _kinds.register(name)(Kind(name, what, use, recognises, instead, parts))
        return recognises

    return keep


def kind_named(name: str) -> Kind:
    """Raises WeirError if there is none."""
    return _kinds.find(name)


def kinds_of(thing: Thing) -> Iterator[Kind]:
    """All that it may be; none that is general."""
    return (one for one in _kinds.all().values() if not one.is_general and one.recognises(thing))


def is_part_of(file: Path, folder: Path) -> bool:
    """Whether the file, there or not, is one that the thing in the folder consists of, such as the samples of
    a run; what was only written beside them is none."""
    try:
        place = file.resolve().relative_to(folder.resolve()).as_posix()
        thing, itself = Thing(str(folder)), Thing(str(file))
        own = [one for one in _kinds.all().values() if one.parts and one.recognises(thing)]
        if any(fnmatchcase(place, pattern) for one in own for pattern in one.parts):
            return True
        return not itself.is_folder and any(one.name.startswith("dump-") for one in kinds_of(itself))
    except (OSError, RuntimeError, ValueError):
        return False  # not below the folder

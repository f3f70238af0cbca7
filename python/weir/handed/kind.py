"""What a kind of thing is, and which there are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weir.files.thing import Thing
from weir.registry import Registry

Recognise = Callable[[Thing], bool]


@dataclass(frozen=True)
class Kind:
    """`what` it is, in words; `use`: what takes it, with {0} for its path and {1} for how to start it;
    `instead`: for the names of other kinds, how to get one of those from it."""

    name: str
    what: str
    use: str
    recognises: Recognise
    instead: dict[str, str]

    @property
    def is_general(self) -> bool:
        """Without a use of its own: it says nothing of what lies in it."""
        return not self.use


_kinds = Registry[Kind]("weir.handed.kinds", "kind of file")


def kind(name: str, what: str, use: str, **instead: str) -> Callable[[Recognise], Recognise]:
    """Registers a kind by the function that recognises it."""

    def keep(recognises: Recognise) -> Recognise:
        _kinds.register(name)(Kind(name, what, use, recognises, instead))
        return recognises

    return keep


def kind_named(name: str) -> Kind:
    """Raises WeirError if there is none."""
    return _kinds.find(name)


def kinds_of(thing: Thing) -> Iterator[Kind]:
    """All that it may be; none that is general."""
    return (one for one in _kinds.all().values() if not one.is_general and one.recognises(thing))

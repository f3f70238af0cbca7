"""What registers itself by a decorator in a module of a room's part: adding one is creating a module."""

import importlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import weir
from weir.errors import WeirError, did_you_mean

T = TypeVar("T")


class Registry(Generic[T]):
    """Things by the names under which they register; `noun` is what one of them is called in messages.

    `part`: where their modules are, "weir.launch" for one package; "questions" for the package of that name
    in the kernel and in every room: `weir.questions`, `weir.network.questions`. Where a room has a single
    module of that name, `weir.network.questions` may be that.
    """

    def __init__(self, part: str, noun: str) -> None:
        self._part = part
        self._noun = noun
        self._found: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """The decorator that makes something known under the name."""

        def keep(one: T) -> T:
            self._found[name] = one
            return one

        return keep

    def modules(self) -> list[str]:
        """The names of the modules, where these are those of what they register. Imports none."""
        return sorted(name.rpartition(".")[2] for name in modules_of(self._part))

    def all(self) -> dict[str, T]:
        """Everything, by name; imports every module."""
        for module in modules_of(self._part):
            importlib.import_module(module)
        return dict(sorted(self._found.items()))

    def find(self, name: str, others: Iterable[str] = ()) -> T:
        """The one of that name; imports its module alone where that is called like it. Raises WeirError if
        there is none; `others` that there are beside these are named then."""
        for module in modules_of(self._part):
            if module.endswith(f".{name}"):
                importlib.import_module(module)
        if name not in self._found and name not in self.all():
            known = [*self.all(), *others]
            advice = did_you_mean(name, known)
            why = "" if all(one in advice for one in known) else f"known are {', '.join(known)}"
            raise WeirError(f"there is no {self._noun} '{name}'", why, advice)
        return self._found[name]


@cache
def modules_of(part: str) -> tuple[str, ...]:
    """The whole names of the modules of a part, those of the kernel first; names with "_" are left out."""
    top = Path(weir.__file__).parent
    if part.startswith("weir."):
        return tuple(_modules(top.joinpath(*part.split(".")[1:])))
    places = [top, *sorted(room for room in top.iterdir() if (room / "__init__.py").is_file())]
    return tuple(name for place in places for name in _modules(place / part))


def _modules(place: Path) -> list[str]:
    """Of a package those that are in it; of a module itself."""
    prefix = ".".join(["weir", *place.relative_to(Path(weir.__file__).parent).parts])
    if place.with_suffix(".py").is_file():
        return [prefix]
    names = {one.stem for one in place.glob("*.py")} | {
        one.parent.name for one in place.glob("*/__init__.py")
    }
    return [f"{prefix}.{name}" for name in sorted(names) if not name.startswith("_")]

"""What registers itself by a decorator in a module of a package: adding one is creating a module there."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Generic, TypeVar

from weir.errors import WeirError, did_you_mean

T = TypeVar("T")


class Registry(Generic[T]):
    """Things by the names under which they register. `package` is where their modules are; `noun` is what one
    of them is called in messages."""

    def __init__(self, package: str, noun: str) -> None:
        self._package = package
        self._noun = noun
        self._found: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """The decorator that makes something known under the name."""

        def keep(one: T) -> T:
            self._found[name] = one
            return one

        return keep

    def modules(self) -> list[str]:
        """The names of the package's modules, where these are those of what they register. Imports none."""
        path = importlib.import_module(self._package).__path__
        return sorted(one.name for one in pkgutil.iter_modules(path) if not one.name.startswith("_"))

    def all(self) -> dict[str, T]:
        """Everything, by name; imports every module of the package."""
        for module in self.modules():
            importlib.import_module(f"{self._package}.{module}")
        return dict(sorted(self._found.items()))

    def find(self, name: str) -> T:
        """The one of that name; imports its module alone where that is called like it. Raises WeirError if
        there is none."""
        if name in self.modules():
            importlib.import_module(f"{self._package}.{name}")
        if name not in self._found and name not in self.all():
            known, advice = list(self.all()), did_you_mean(name, self.all())
            why = "" if all(one in advice for one in known) else f"known are {', '.join(known)}"
            raise WeirError(f"there is no {self._noun} '{name}'", why, advice)
        return self._found[name]

"""A machine model: a file's values in base units, each with its source."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import msgspec

from weir.errors import WeirError, did_you_mean
from weir.simulate.checks import check
from weir.simulate.curve import CURVE, Curve, parse_curve
from weir.simulate.keys import NONE, TIMES, Key
from weir.simulate.kinds import Base
from weir.simulate.schema import KEYS, Given, MachineFile, Path
from weir.toml.shape import read_toml, shaped
from weir.toml.source import Source

SOURCES = ("paper", "sheet", "measured", "fitted", "assumed")
"""Where a value may be from; what stands behind it says which, or why."""
CHANGED = "what if"
"""In place of a source, of a value that a person tries."""


@dataclass(frozen=True)
class Machine:
    """A model that is right. `source` says where its keys stand."""

    file: MachineFile
    source: Source

    @property
    def name(self) -> str:
        """As files and options call it."""
        return self.file.name

    @cached_property
    def values(self) -> dict[Path, Base]:
        """All in base units, defaults included; what has none is left out."""
        found: dict[Path, Base] = {}
        for path in KEYS:
            _resolve(path, self, found)
        return found

    def given(self, path: Path) -> Given | None:
        """As it is written; null where it is a default."""
        found: Any = self.file
        for step in path:
            found = getattr(found, step)
        assert found is None or isinstance(found, Given)
        return found

    def number(self, *path: str) -> float:
        """A value that is a number and is there."""
        return float(self.values[path])

    def curve(self, *path: str) -> Curve | None:
        """Times for sizes; null where the model has none."""
        text = self.values.get(path)
        return None if text is None else parse_curve(text)

    def as_core(self, without: Container[Path] = ()) -> dict[str, Any]:
        """As `weir-core simulate` takes it: keys end in their unit. `without`: keys that are left out."""
        found: dict[str, Any] = {"name": self.name}
        for path, value in self.values.items():
            if path in without:
                continue
            table = found
            for step in path[:-1]:
                table = table.setdefault(step, {})
            of_core = parse_curve(value).points if KEYS[path].kind is CURVE else value
            table[path[-1] + KEYS[path].kind.suffix] = of_core
        return found

    def changed(self, changes: Mapping[Path, Base], source: str = CHANGED) -> "Machine":
        """The same with other values, in base units, of that source. Raises WeirError where they are
        impossible together."""
        tree = msgspec.to_builtins(self.file)
        for path, base in changes.items():
            table = tree
            for step in path[:-1]:
                table = table.setdefault(step, {})
            table[path[-1]] = {"value": _written(KEYS[path], base), "source": source}
        machine = Machine(msgspec.convert(tree, MachineFile), Source(f"{self.source.file}, changed"))
        check(machine.values, machine.source)
        return machine


def _written(key: Key, base: Base) -> str | int:
    return base if isinstance(base, int) and not key.kind.suffix else key.kind.spell(base)


def assumed_storage(machine: Machine) -> bool:
    """Whether every value of its storage is assumed: then times of files are no forecast."""
    storage = [given.source for path, given in given_values(machine) if path[0] == "storage"]
    return all(source.partition(":")[0] == "assumed" for source in storage)


def path_of(name: str) -> Path:
    """The key of that name: whole ("storage.targets.write") or its end, where there is but one such. Raises
    WeirError where there is none, or several."""
    words = tuple(name.split("."))
    found = [path for path in KEYS if path == words] or [
        path for path in KEYS if path[-len(words) :] == words
    ]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(map(".".join, found))
        raise WeirError(f"'{name}' means several keys of a machine", several, f"write {'.'.join(found[0])}")
    known = [end for path in KEYS for end in (".".join(path), ".".join(path[-2:]), path[-1])]
    near = did_you_mean(name, known)
    advice = near if near.startswith("did") else "see docs/reference/machines.md for all keys"
    raise WeirError(f"a machine has no '{name}'", "", advice)


def parse_machine(text: str, name: str) -> Machine:
    """The model in that text, `name` its file's. Raises WeirError, with the line, for what is not right."""
    data, source = read_toml(text, name, 'name = "sp-piofs"')
    for path, key in KEYS.items():
        _check_has_value(path, key, data, source)
    machine = Machine(shaped(data, MachineFile, source), source)
    for path, given in given_values(machine):
        _check_given(path, given, source)
    check(machine.values, source)
    return machine


def given_values(machine: Machine) -> Iterator[tuple[Path, Given]]:
    """Those that are written, in the order of the keys."""
    return ((path, given) for path in KEYS if (given := machine.given(path)))


def _check_has_value(path: Path, key: Key, data: Any, source: Source) -> None:
    """Where a table stands in a value's place, it has one: no shape can show that with the key's own unit."""
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    if isinstance(data, dict) and not isinstance(data.get("value", True), str | int | float):
        raise source.error(path, f"'{path[-1]}' has a value that is none", "", f"write {_shown(path, key)}")
    if data is not None and not (isinstance(data, dict) and "value" in data):
        raise source.error(path, f"'{path[-1]}' has no value", "", f"write {_shown(path, key)}")


def _shown(path: Path, key: Key) -> str:
    return f"for example {path[-1]} = {key.examples[0]}"


def _check_given(path: Path, given: Given, source: Source) -> None:
    """The value fits its kind, lies in its interval, and says where it is from."""
    kind = KEYS[path].kind
    with source.placing(path):
        bases = [kind.parse(one) for one in (given.low, given.value, given.high) if one is not None]
    where, colon, what = given.source.partition(":")
    if where not in SOURCES or not colon or not what.strip():
        raise source.error(
            (*path, "source"),
            f"'{given.source}' says not where {'.'.join(path)} is from",
            f"it is {', '.join(SOURCES[:-1])} or {SOURCES[-1]}, a colon, and the place or the reason",
            'write for example source = "paper: section 2.1"',
        )
    if given.n is not None and given.n < 1:
        raise source.error((*path, "n"), f"n is {given.n}", "it counts samples", "write for example n = 20")
    numbers = [float(one) for one in bases if not isinstance(one, str)]
    if numbers != sorted(numbers):
        shown = (("low", given.low), ("value", given.value), ("high", given.high))
        why = ", ".join(f"{name} {one}" for name, one in shown if one is not None)
        advice = "write them so that they rise: low, value, high"
        raise source.error(path, f"{'.'.join(path)} is not between low and high", why, advice)


def _resolve(path: Path, machine: Machine, found: dict[Path, Base]) -> Base | None:
    """Puts the value of a key among those that were found, and those that its default names."""
    if path not in found:
        given, key = machine.given(path), KEYS[path]
        if given is not None:
            found[path] = key.kind.parse(given.value)
        elif key.default != NONE and (base := _default(key, machine, found)) is not None:
            found[path] = base
    return found.get(path)


def _default(key: Key, machine: Machine, found: dict[Path, Base]) -> Base | None:
    others = [tuple(word.split(".")) for word in key.default.split(TIMES)]
    if not all(one in KEYS for one in others):
        return key.kind.parse(key.default)
    bases = [_resolve(one, machine, found) for one in others]
    if len(others) == 1:
        return bases[0]
    numbers = [one for one in bases if isinstance(one, int | float)]
    assert len(numbers) == len(bases)  # keys of numbers, that have a value
    return prod(numbers)

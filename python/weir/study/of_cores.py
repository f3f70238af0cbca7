"""What a study says by the cores of the machine: `ranks = "1 to cores"` on an axis, `ranks = "cores"`,
`memory = "128MiB a core"`. It is settled for the machine that measures; the run's study has plain numbers."""

import re
from typing import Any

import msgspec

from weir.study.schema import ComparisonSection, StudyFile
from weir.toml.source import KeyPath, Source
from weir.units import parse_bytes, spell_bytes

RANKS = "ranks"
CORES = "cores"
_RANGE = re.compile(r"(?P<first>[1-9]\d*) to (?:(?P<most>[1-9]\d*) )?cores")
_OR_NODES = re.compile(r"(?P<on_one>.+) or nodes")
_EACH = re.compile(r"(?P<size>[\d.]+ ?[A-Za-z]+) a core")


def is_of_cores(axis: Any) -> bool:
    """Whether the axis `ranks` is a range up to the number of cores, or on several nodes up to theirs."""
    return isinstance(axis, str) and _RANGE.fullmatch(on_one_node(axis)) is not None


def on_one_node(value: Any) -> Any:
    """ "2 to cores" of "2 to cores or nodes", "4" of "4 or nodes"; any other value as it is."""
    found = _OR_NODES.fullmatch(value) if isinstance(value, str) else None
    return value if found is None else found["on_one"]


def counts_of(text: str, cores: int) -> list[int]:
    """The rank counts of such a range: its first, twice that and so on, and all the cores, or the most that
    it allows. The first is there on any machine."""
    found = _RANGE.fullmatch(text)
    assert found is not None
    first, last = int(found["first"]), min(cores, int(found["most"] or cores))
    counts = [first]
    while 2 * counts[-1] <= last:
        counts.append(2 * counts[-1])
    return [*counts, *([last] if last > counts[-1] else [])]


def settled(file: StudyFile, source: Source, cores: int) -> StudyFile:
    """The study for a machine of so many cores. Raises WeirError, with the line, for a size that is none."""
    fixed = _fixed(file.fixed, source, ("fixed",), cores)
    parts = [
        _comparison(part, source, ("comparison", index), cores) for index, part in enumerate(file.comparison)
    ]
    return msgspec.structs.replace(file, fixed=fixed, comparison=parts)


def _comparison(part: ComparisonSection, source: Source, place: KeyPath, cores: int) -> ComparisonSection:
    axes = {
        key: counts_of(values, cores)
        if key == RANKS and is_of_cores(values)
        else [_value(key, one, source, (*place, "axes", key, at), cores) for at, one in enumerate(values)]
        for key, values in part.axes.items()
    }
    fixed = _fixed(part.fixed, source, (*place, "fixed"), cores)
    return msgspec.structs.replace(part, fixed=fixed, axes=axes)


def _fixed(table: dict[str, Any], source: Source, place: KeyPath, cores: int) -> dict[str, Any]:
    return {key: _value(key, value, source, (*place, key), cores) for key, value in table.items()}


def _value(key: str, value: Any, source: Source, place: KeyPath, cores: int) -> Any:
    if key == RANKS and value == CORES:
        return cores
    each = _EACH.fullmatch(value) if isinstance(value, str) else None
    if each is None:
        return value
    with source.placing(place):
        return spell_bytes(parse_bytes(each["size"]) * cores)

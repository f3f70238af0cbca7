"""What people call the values of options and samples: as the core declares it, and a run keeps it."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from weir.core.client import Core, find_core
from weir.core.front_options import with_front
from weir.errors import WeirError
from weir.units import format_bytes, format_seconds

OTHERS, PLACE = "*", "{}"
"""The value under which words for all others stand, and where in them the value itself does."""
_EXTENT = re.compile(r"\d+(x\d+)+")


class Vocabulary(msgspec.Struct, frozen=True, omit_defaults=True):
    """Of one benchmark: by option, the words for its values, its unit and its default."""

    name: str = ""
    words: dict[str, dict[str, str]] = {}
    units: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    of_samples: dict[str, dict[str, str]] = {}

    def say(self, option: str, value: Any) -> str | None:
        """The words for a value of an option, "" where nothing is to be said of it; None: there are none."""
        known = self.words.get(option, {})
        said = known.get(_written(value), known.get(OTHERS))
        return said if said is None else said.replace(PLACE, self._with_unit(option, value))

    def say_of_sample(self, key: str, value: str) -> str:
        """The words for what a sample says, as its `sync`; else the value."""
        return self.of_samples.get(key, {}).get(value, value)

    def unusual(self, options: Mapping[str, Any]) -> list[str]:
        """The options that have words and another value than their default, in the order of declaration."""
        return [
            key for key in self.words if options.get(key, self.defaults.get(key)) != self.defaults.get(key)
        ]

    def _with_unit(self, option: str, value: Any) -> str:
        if isinstance(value, str):
            return value.replace("x", " x ") if _EXTENT.fullmatch(value) else value
        match self.units.get(option):
            case "B" if isinstance(value, int):
                return format_bytes(value)
            case "s" if isinstance(value, int | float):
                return format_seconds(value)
        return f"{value:,}" if isinstance(value, int) else str(value)


NO_WORDS = Vocabulary()


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def kept_of(options: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What a run keeps of a benchmark's options, as the core declares them: units, words, and the defaults of
    those with words."""
    with_words = [one for one in options if one.get("words")]
    return {
        "units": {one["name"]: one["unit"] for one in options if one.get("unit")},
        "words": {one["name"]: one["words"] for one in with_words},
        "defaults": {one["name"]: one["default"] for one in with_words},
    }


class _Kept(msgspec.Struct):
    benchmarks: list[Vocabulary] = []
    sample_words: dict[str, dict[str, str]] = {}


def vocabularies(core: Mapping[str, Any] | None) -> dict[str, Vocabulary]:
    """By benchmark, those that a run kept of its core; of a run without words, those of the core that is
    installed here; none without one."""
    kept = _read(core)
    if not kept.sample_words:
        kept = _read(_installed())
    return {one.name: msgspec.structs.replace(one, of_samples=kept.sample_words) for one in kept.benchmarks}


def _read(core: Mapping[str, Any] | None) -> _Kept:
    try:
        return msgspec.convert(core or {}, _Kept)
    except msgspec.ValidationError:
        return _Kept()


@cache
def _installed() -> dict[str, Any]:
    try:
        schema = Core(find_core()).raw_schema()
    except WeirError:
        return {}
    return kept_of_core(schema)


def kept_of_core(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a run keeps of the core's schema: build, back-ends, benchmarks, words for options."""
    known = {key: schema[key] for key in ("version", "build", "backends", "sample_words") if key in schema}
    benchmarks = [
        {key: value for key, value in one.items() if key != "options"} | kept_of(with_front(one["options"]))
        for one in schema["benchmarks"]
    ]
    return {**known, "benchmarks": benchmarks}

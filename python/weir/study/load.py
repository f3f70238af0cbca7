"""Reads a study file, TOML or YAML, and checks its shape."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded import MOST_TOML_BYTES, decode_toml
from weir.errors import WeirError
from weir.files.named import read_named
from weir.study.problems import shape_error
from weir.study.schema import ComparisonSection, StudyFile
from weir.study.source import KeyPath, Source
from weir.study.suggest import did_you_mean
from weir.study.toml_lines import locate_keys
from weir.study.yaml_tree import read_yaml
from weir.units import parse_seconds, parse_share

_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True)
class Study:
    """A study whose shape is right; what its options mean is for `expand` to say."""

    file: StudyFile
    source: Source
    budget_s: float
    precision: float
    """Wanted full width of the interval, as a fraction of the median."""
    asked: frozenset[str] = frozenset()
    """Optional comparisons that are run all the same."""

    @property
    def name(self) -> str:
        """The study's name."""
        return self.file.study.name

    @property
    def comparisons(self) -> list[ComparisonSection]:
        """The comparisons in the order of the file."""
        return self.file.comparison

    @property
    def not_asked(self) -> list[str]:
        """The names of the optional comparisons that are not run."""
        return [part.name for part in self.comparisons if part.optional and part.name not in self.asked]

    def asking_for(self, names: Sequence[str]) -> Study:
        """The study with these comparisons too, if they are optional. Raises WeirError if there is no such
        one."""
        known = [part.name for part in self.comparisons]
        for name in names:
            if name not in known:
                raise WeirError(
                    f"study '{self.name}' has no comparison '{name}'", "", did_you_mean(name, known)
                )
        return replace(self, asked=self.asked.union(names))


def load_study(path: Path) -> Study:
    """The study in that file. Raises WeirError, with the line, for anything that is not right."""
    advice = "name a TOML or YAML file; `weir list` shows Weir's own studies"
    data = read_named(path, MOST_TOML_BYTES, "the study", advice)
    try:
        return parse_study(data.decode(), str(path))
    except UnicodeDecodeError as error:
        raise WeirError(f"cannot read the study '{path}'", str(error), advice) from error


def parse_study(text: str, name: str) -> Study:
    """The study in that text; `name` tells in errors where it comes from, and by its ending whether it is
    YAML."""
    data, source = read_yaml(text, name) if name.endswith((".yaml", ".yml")) else _read_toml(text, name)
    try:
        file = msgspec.convert(data, StudyFile)
    except msgspec.ValidationError as error:
        raise shape_error(error, source) from error
    _check_names(file, source)
    section = file.study
    if section.min_samples > section.max_samples:
        raise source.error(
            ("study", "max_samples"),
            f"max_samples {section.max_samples} contradicts min_samples {section.min_samples}",
            "a case cannot stop before it may stop",
            f"write for example max_samples = {max(section.min_samples, 30)}",
        )
    return Study(
        file,
        source,
        budget_s=_positive(source, "budget", parse_seconds, section.budget),
        precision=_positive(source, "precision", parse_share, section.precision),
    )


def _read_toml(text: str, name: str) -> tuple[Any, Source]:
    try:
        data = decode_toml(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = _SYNTAX_PLACE.search(said)
        line = found.group(1) if found and found.group(1) else len(text.splitlines())
        place = f"{name}:{line}"
        why = said[: found.start()] if found else said
        raise WeirError(f"{place}: not TOML", why, 'a line reads for example: block = "64MiB"') from error
    return data, Source(name, locate_keys(text))


def _check_names(file: StudyFile, source: Source) -> None:
    seen: set[str] = set()
    for index, comparison in enumerate(file.comparison):
        place = ("comparison", index, "name")
        if comparison.name in seen:
            raise source.error(place, f"two comparisons are called '{comparison.name}'", "", "rename one")
        seen.add(comparison.name)
        for key, values in comparison.axes.items():
            _check_axis(source, ("comparison", index), key, values)
            if key in comparison.fixed:
                raise source.error(
                    ("comparison", index, "fixed", key),
                    f"'{key}' is both fixed and an axis of '{comparison.name}'",
                    "it can be only one of them",
                    "remove one of the two",
                )


def _check_axis(source: Source, place: KeyPath, key: str, values: Any) -> None:
    if not isinstance(values, list):
        raise source.error(
            (*place, "axes", key),
            f"the axis '{key}' is {values!r}",
            "an axis is a list of values",
            f"write axes = {{ {key} = [ … ] }}, or put '{key}' under fixed",
        )
    if not values:
        raise source.error((*place, "axes", key), f"the axis '{key}' is empty", "", "give it a value")


def _positive(source: Source, key: str, parse: Any, text: str) -> float:
    try:
        value: float = parse(text)
    except WeirError as error:
        raise source.placed(("study", key), error) from error
    if value <= 0:
        raise source.error(("study", key), f"{key} is {text}", "it must be greater than 0", "")
    return value

"""What the claims of a study select their rows by, checked before anything runs: a misspelt option, value or
phase would select nothing, and only the report would show it."""

from collections.abc import Iterator, Mapping
from typing import Any

from weir.core.schema import Benchmark, Schema
from weir.errors import WeirError, did_you_mean
from weir.study.launch_settings import LAUNCH_KEYS
from weir.study.load import Study
from weir.study.schema import EXTREMES, QUANTITY, ComparisonSection
from weir.study.source import KeyPath
from weir.study.values import resolve_value

PHASE = "phase"
_ALONG = "along"


def check_selectors(study: Study, schema: Schema) -> None:
    """Raises WeirError, with the line, for a claim that chooses by what no case of its comparisons can
    have."""
    for place, comparison, test in _tests(study):
        settings = _settings(study)
        names = {value for key, value in settings if key == "benchmark"}
        benchmarks = [found for name in names if (found := schema.benchmark(str(name)))]
        written = {key for key, _ in settings}
        known = [PHASE, QUANTITY, *LAUNCH_KEYS, *written]
        known += [option.name for benchmark in benchmarks for option in benchmark.options]
        for side, key, value in _choices(test):
            at = (*place, side) if side == _ALONG else (*place, side, key)
            if key not in known:
                raise study.source.error(
                    at, f"no case of '{comparison.name}' has '{key}'", "", did_you_mean(key, known)
                )
            if side != _ALONG and (key, repr(value)) not in {(k, repr(v)) for k, v in settings}:
                _check_value(study, at, benchmarks, key, value)


def check_phases(study: Study, phases: Mapping[str, frozenset[str] | None]) -> None:
    """The same for phases that no case has; `phases` are those of each comparison, null where they are not
    known."""
    for place, comparison, test in _tests(study):
        sets = [phases.get(name) for name in (comparison.name, *_also(comparison, test))]
        if any(found is None for found in sets):
            continue
        known = sorted(frozenset().union(*(found for found in sets if found is not None)))
        for side, key, value in _choices(test):
            if key == PHASE and value not in known:
                raise study.source.error(
                    (*place, side, key),
                    f"no case of '{comparison.name}' has a phase {value!r}",
                    "",
                    did_you_mean(str(value), known),
                )


def _tests(study: Study) -> Iterator[tuple[KeyPath, ComparisonSection, dict[str, Any]]]:
    for index, comparison in enumerate(study.comparisons):
        for number, claim in enumerate(comparison.claim):
            yield ("comparison", index, "claim", number, "test"), comparison, claim.test


def _also(comparison: ComparisonSection, test: dict[str, Any]) -> list[str]:
    return next(claim.also for claim in comparison.claim if claim.test is test)


def _settings(study: Study) -> list[tuple[str, Any]]:
    """All keys and values that the study writes: a claim may speak of other comparisons too, and of what this
    core lacks."""
    parts = [study.file.fixed, *(part.fixed for part in study.comparisons)]
    found = [(key, value) for part in parts for key, value in part.items()]
    found += [(key, v) for part in study.comparisons for key, values in part.axes.items() for v in values]
    return found


def _choices(test: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(side, key, value) of all that the claim chooses by: its tables, and the axis that it goes along."""
    for side, asked in test.items():
        if isinstance(asked, dict):
            yield from ((side, key, value) for key, value in asked.items())
        elif side == _ALONG and isinstance(asked, str):
            yield side, asked, None


def _check_value(study: Study, at: KeyPath, benchmarks: list[Benchmark], key: str, value: Any) -> None:
    """One that the study sets nowhere: it must at least be one that the option takes."""
    options = [option for benchmark in benchmarks if (option := benchmark.option(key))]
    if not options or (isinstance(value, str) and value in EXTREMES):
        return
    problem: WeirError | None = None
    for option in options:
        try:
            resolve_value(option, value)
            return
        except WeirError as error:
            problem = error
    if problem:
        with study.source.placing(at):
            raise problem

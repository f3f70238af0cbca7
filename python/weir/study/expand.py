"""From a study to its cases: the cross product of each comparison's axes, checked against the core's
options; and what its claims select their rows by, checked before anything runs: a misspelt option, value or
phase would select nothing, and only the report would show it."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from weir.core.front_options import DIRECTORY_OPTION
from weir.core.schema import Benchmark, Schema
from weir.errors import WeirError, did_you_mean
from weir.study.case import Case, LeftOut, case_id
from weir.study.launch_settings import LAUNCH_KEYS, Setting, read_env, read_mpi_io
from weir.study.load import Study
from weir.study.patterns import PATTERN_KEYS, WORKLOAD, read_pattern_key
from weir.study.placement import PLACEMENT, read_placement, said
from weir.study.schema import EXTREMES, METRIC, QUANTITY, ComparisonSection
from weir.study.values import resolve_value, spell_value
from weir.toml.source import KeyPath

CALIBRATED = "calibrated"
CALIBRATED_OPTION = "block"

BlockOf = Callable[[int, Mapping[str, Any]], int]
"""The calibrated block for so many ranks and these options, in bytes."""


def is_calibrated(key: str, value: Any) -> bool:
    """Whether the study leaves this value to a calibration."""
    return key == CALIBRATED_OPTION and value == CALIBRATED


def calibrated_directories(study: Study, directory: Path | None) -> list[Path]:
    """The directories whose calibration the study needs; empty if it needs none."""

    def stated(key: str) -> list[Any]:
        tables = [study.file.fixed, *(part.fixed for part in study.comparisons)]
        fixed = [table[key] for table in tables if key in table]
        return fixed + [value for part in study.comparisons for value in part.axes.get(key, [])]

    if CALIBRATED not in stated(CALIBRATED_OPTION):
        return []
    names = dict.fromkeys(stated(DIRECTORY_OPTION)) or [directory or Path()]
    return [Path(name).absolute() for name in names]


MOST_CASES = 10_000
BACKEND_OPTION = "backend"


@dataclass(frozen=True)
class Expansion:
    """The cases of a study, each once, where in the study each of them comes from first, and the cases that
    this core lacks something for."""

    cases: list[Case]
    places: dict[str, KeyPath]
    left_out: list[LeftOut]


def expand(study: Study, schema: Schema, calibrated: BlockOf | None = None) -> Expansion:
    """All cases of the study in the order of the file. Raises WeirError, with the line, for what does not
    fit. `calibrated` gives the block of cases whose study says `block = "calibrated"`."""
    cases: dict[str, Case] = {}
    places: dict[str, KeyPath] = {}
    left_out: list[LeftOut] = []
    _check_size(study)
    check_selectors(study, schema)
    values = _Values(study)
    for index, comparison in enumerate(study.comparisons):
        if comparison.name in study.not_asked:
            continue
        for settings in _combinations(study, index, comparison):
            why = _why_not_in_this_build(schema, settings)
            if why is not None:
                left_out.append(LeftOut(_label_as_written(comparison, settings), (comparison.name,), why))
                continue
            case = _build(values, schema, comparison, settings, calibrated)
            for one in _on_nodes(case, study):
                known = cases.get(one.id)
                if known is None:
                    cases[one.id] = one
                    places[one.id] = ("comparison", index)
                elif comparison.name not in known.comparisons:
                    cases[one.id] = replace(known, comparisons=(*known.comparisons, comparison.name))
    return Expansion(list(cases.values()), places, left_out)


def _on_nodes(case: Case, study: Study) -> Iterator[Case]:
    """The case itself; one for each node where the study is run on each by itself."""
    if not study.file.study.per_node:
        yield case
    for node in study.nodes if study.file.study.per_node else ():
        own = case.id_with(node=node.name)
        label = node.name if case.label in case.comparisons else f"{node.name}, {case.label}"
        yield replace(case, id=own, node=node.name, label=label)


def _why_not_in_this_build(schema: Schema, settings: Mapping[str, Setting]) -> str | None:
    """Why the core cannot run a case of these settings; None where it can, or knows no such back-end."""
    setting = settings.get(BACKEND_OPTION)
    for missing in schema.backends_left_out:
        if setting is not None and setting.value == missing.name:
            return f"this build has no back-end {missing.name}: {missing.reason.rstrip('.')}"
    return None


def _check_size(study: Study) -> None:
    """Raises WeirError for more cases than anybody can measure, before any of them is made."""
    asked = [part for part in study.comparisons if part.name not in study.not_asked]
    nodes = max(len(study.nodes), 1)
    sizes = [nodes * math.prod(len(part.axes[names[0]]) for names in part.joined_axes()) for part in asked]
    if sum(sizes) > MOST_CASES:
        largest = sizes.index(max(sizes))
        place = ("comparison", study.comparisons.index(asked[largest]))
        raise study.source.error(
            place,
            f"the study has {sum(sizes):,} cases, {sizes[largest]:,} of them in '{asked[largest].name}'",
            f"{MOST_CASES:,} are the most",
            "give its axes fewer values, or make several studies of it",
        )


def _combinations(study: Study, index: int, comparison: ComparisonSection) -> Iterator[dict[str, Setting]]:
    base = {key: Setting(value, ("fixed", key)) for key, value in study.file.fixed.items()}
    for key, value in comparison.fixed.items():
        base[key] = Setting(value, ("comparison", index, "fixed", key))
    axes = [
        [
            {key: Setting(comparison.axes[key][at], ("comparison", index, "axes", key, at)) for key in names}
            for at in range(len(comparison.axes[names[0]]))
        ]
        for names in comparison.joined_axes()
    ]
    for chosen in itertools.product(*axes):
        settings = dict(base)
        for one in chosen:
            settings.update(one)
        yield settings


class _Values:
    """Values of settings as the core reads them: each is checked once, and stands in very many cases."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._known: dict[tuple[str, KeyPath], Any] = {}
        self._defaults: dict[tuple[str, bool], dict[str, Any]] = {}

    def of(self, benchmark: Benchmark, key: str, setting: Setting) -> Any:
        """Raises WeirError, with the line, for one that does not fit."""
        place = (benchmark.name, setting.place)
        if place not in self._known:
            self._known[place] = _option_value(self.study, benchmark, key, setting)
        return self._known[place]

    def defaults(self, benchmark: Benchmark, *, all_options: bool) -> dict[str, Any]:
        """All options at their defaults, in a dictionary of one's own; those of a pattern's shape only with
        `all_options`."""
        place = (benchmark.name, all_options)
        if place not in self._defaults:
            self._defaults[place] = {
                option.name: option.default
                for option in benchmark.options
                if all_options or option.is_not_of_the_pattern
            }
        return dict(self._defaults[place])


def _build(
    values: _Values,
    schema: Schema,
    comparison: ComparisonSection,
    settings: dict[str, Setting],
    calibrated: BlockOf | None,
) -> Case:
    study = values.study
    benchmark = _benchmark(study, schema, comparison, settings)
    ranks, placement = read_placement(
        study, {key: one for key, one in settings.items() if benchmark.option(key) is None}
    )
    env = read_env(study, settings.get("env"))
    mpi_io = read_mpi_io(study, settings.get("mpi_io"))
    # A workload has a shape of its own.
    options = values.defaults(benchmark, all_options=WORKLOAD not in settings)
    if DIRECTORY_OPTION in options:
        options[DIRECTORY_OPTION] = None
    left = [key for key, setting in settings.items() if calibrated and is_calibrated(key, setting.value)]
    for key, setting in settings.items():
        of_launch = key in LAUNCH_KEYS and benchmark.option(key) is None
        if not of_launch and (key not in left or benchmark.option(key) is None):
            options[key] = values.of(benchmark, key, setting)
    if left and calibrated:
        # It depends on the other options, so it comes last.
        options[CALIBRATED_OPTION] = calibrated(ranks, options)
    return Case(
        id=case_id(benchmark.name, ranks, env, options, mpi_io, placement=placement),
        benchmark=benchmark.name,
        ranks=ranks,
        env=env,
        options=options,
        mpi_io=mpi_io,
        placement=placement,
        comparisons=(comparison.name,),
        label=_label(benchmark, comparison, settings, options),
    )


def _benchmark(
    study: Study, schema: Schema, comparison: ComparisonSection, settings: dict[str, Setting]
) -> Benchmark:
    known = [benchmark.name for benchmark in schema.benchmarks]
    setting = settings.get("benchmark")
    if setting is None:
        index = study.comparisons.index(comparison)
        raise study.source.error(
            ("comparison", index),
            f"comparison '{comparison.name}' names no benchmark",
            "",
            f'add benchmark = "{known[0] if known else "storage"}" under [fixed]',
        )
    found = schema.benchmark(setting.value) if isinstance(setting.value, str) else None
    if found is None:
        raise study.source.error(
            setting.place,
            f"there is no benchmark {setting.value!r}",
            "",
            did_you_mean(str(setting.value), known),
        )
    return found


def _option_value(study: Study, benchmark: Benchmark, key: str, setting: Setting) -> Any:
    if key in PATTERN_KEYS:
        return read_pattern_key(study, key, setting)
    option = benchmark.option(key)
    if option is None:
        known = [*LAUNCH_KEYS, *PATTERN_KEYS, *benchmark.names]
        raise study.source.error(
            setting.place,
            f"unknown key '{key}'",
            f"benchmark '{benchmark.name}' has no such option",
            did_you_mean(key, known),
        )
    with study.source.placing(setting.place):
        return resolve_value(option, setting.value)


def _label(
    benchmark: Benchmark,
    comparison: ComparisonSection,
    settings: dict[str, Setting],
    options: dict[str, Any],
) -> str:
    """The values on the comparison's axes, or the comparison's name where it has none."""
    parts = []
    for key in comparison.axes:
        option = benchmark.option(key)
        if option is None and key in PLACEMENT:
            parts.append(said(key, settings[key].value))
            continue
        text = spell_value(option, options[key]) if option else _spell_plain(settings[key].value)
        parts.append(f"{key} {text}")
    return ", ".join(parts) or comparison.name


def _label_as_written(comparison: ComparisonSection, settings: dict[str, Setting]) -> str:
    """The same for a case whose options this core does not know."""
    parts = [f"{key} {_spell_plain(settings[key].value)}" for key in comparison.axes]
    return ", ".join(parts) or comparison.name


def _spell_plain(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={content}" for name, content in value.items()) or "none"
    return str(value)


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
        known = [PHASE, METRIC, QUANTITY, *LAUNCH_KEYS, *PATTERN_KEYS, *written]
        known += [name for benchmark in benchmarks for name in benchmark.names]
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


def chooses_phases(study: Study) -> bool:
    """Whether any claim chooses by a phase."""
    return any(key == PHASE for _, _, test in _tests(study) for _, key, _ in _choices(test))


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

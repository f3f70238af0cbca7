"""From a study to its cases: the cross product of each comparison's axes, checked against the core's
options."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.core.schema import Benchmark, Schema
from weir.errors import did_you_mean
from weir.study.calibrated import CALIBRATED_OPTION, BlockOf, is_calibrated
from weir.study.case import DIRECTORY_OPTION, Case, LeftOut, case_id
from weir.study.launch_settings import LAUNCH_KEYS, Setting, read_env, read_mpi_io, read_ranks
from weir.study.load import Study
from weir.study.schema import ComparisonSection
from weir.study.selectors import check_selectors
from weir.study.source import KeyPath
from weir.study.values import resolve_value, spell_value

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
    for index, comparison in enumerate(study.comparisons):
        if comparison.name in study.not_asked:
            continue
        for settings in _combinations(study, index, comparison):
            why = _why_not_in_this_build(schema, settings)
            if why is not None:
                left_out.append(LeftOut(_label_as_written(comparison, settings), (comparison.name,), why))
                continue
            case = _build(study, schema, comparison, settings, calibrated)
            known = cases.get(case.id)
            if known is None:
                cases[case.id] = case
                places[case.id] = ("comparison", index)
            elif comparison.name not in known.comparisons:
                cases[case.id] = replace(known, comparisons=(*known.comparisons, comparison.name))
    return Expansion(list(cases.values()), places, left_out)


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
    sizes = [math.prod(map(len, part.axes.values())) for part in asked]
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
        [(key, Setting(value, ("comparison", index, "axes", key, at))) for at, value in enumerate(values)]
        for key, values in comparison.axes.items()
    ]
    for chosen in itertools.product(*axes):
        yield {**base, **dict(chosen)}


def _build(
    study: Study,
    schema: Schema,
    comparison: ComparisonSection,
    settings: dict[str, Setting],
    calibrated: BlockOf | None,
) -> Case:
    benchmark = _benchmark(study, schema, comparison, settings)
    ranks = read_ranks(study, settings.get("ranks"))
    env = read_env(study, settings.get("env"))
    mpi_io = read_mpi_io(study, settings.get("mpi_io"))
    options = {option.name: option.default for option in benchmark.options}
    if DIRECTORY_OPTION in options:
        options[DIRECTORY_OPTION] = None
    left = [key for key, setting in settings.items() if calibrated and is_calibrated(key, setting.value)]
    for key, setting in settings.items():
        if key not in LAUNCH_KEYS and (key not in left or benchmark.option(key) is None):
            options[key] = _option_value(study, benchmark, key, setting)
    if left and calibrated:
        # It depends on the other options, so it comes last.
        options[CALIBRATED_OPTION] = calibrated(ranks, options)
    return Case(
        id=case_id(benchmark.name, ranks, env, options, mpi_io),
        benchmark=benchmark.name,
        ranks=ranks,
        env=env,
        options=options,
        mpi_io=mpi_io,
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
    option = benchmark.option(key)
    if option is None:
        known = [*LAUNCH_KEYS, *(option.name for option in benchmark.options)]
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

"""What an export reads of a run: first what there is, then the samples one by one, however many they are;
and the columns that say what a case is, and which sample of it a row is of."""

import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

import msgspec

from weir.analyse.machine_state import Course
from weir.export.format import CellType, Field, Value, joined
from weir.store.records import (
    AnyRecord,
    CaseRecord,
    FailureRecord,
    FinishedRecord,
    LaunchRecord,
    SampleRecord,
)
from weir.store.run_directory import RunDirectory, RunInfo


@dataclass
class Keys:
    """Which names occur in the samples where the protocol leaves the names open, in order of appearance."""

    steps: dict[str, None] = field(default_factory=dict)
    verbs: dict[str, None] = field(default_factory=dict)
    system: dict[str, type] = field(default_factory=dict)
    verification: dict[str, None] = field(default_factory=dict)
    metrics: dict[str, None] = field(default_factory=dict)
    details: dict[str, set[type]] = field(default_factory=dict)
    """Those that are single values in every sample that has them, with the types of these."""
    _trees: set[str] = field(default_factory=set)

    def add(self, sample: SampleRecord) -> None:
        """Take note of what the sample has."""
        self.steps |= dict.fromkeys(sample.times)
        self.verbs |= dict.fromkeys(sample.latency or ())
        self.verification |= dict.fromkeys(sample.verification or ())
        self.metrics |= dict.fromkeys(one.key for one in sample.metrics)
        for key, value in sample.details.items():
            if isinstance(value, (list, dict)) or key in self._trees:
                self._trees.add(key)
                self.details.pop(key, None)
            else:
                self.details.setdefault(key, set()).update({type(value)} - {type(None)})
        for key, value in (sample.system or {}).items():
            if not isinstance(value, int):
                self.system[key] = float
            else:
                self.system.setdefault(key, int)


class _Declared(msgspec.Struct):
    name: str
    units: dict[str, str | None] = {}


def _declared(benchmarks: Any) -> list[_Declared]:
    """What run.json says of the core's benchmarks; nothing where that is damaged."""
    try:
        return msgspec.convert(benchmarks, list[_Declared])
    except msgspec.ValidationError:
        return []


class Source:
    """A run to be exported. Raises WeirError if the directory is no run."""

    def __init__(self, run: RunDirectory) -> None:
        self.run = run
        self.info: RunInfo = run.info()
        self.cases: dict[str, CaseRecord] = {}
        self.finished: dict[str, FinishedRecord] = {}
        self.failures: list[FailureRecord] = []
        self.damaged_lines: list[int] = []
        self._declared = _declared((self.info.core or {}).get("benchmarks", []))
        self.keys = Keys()
        self._launch_warnings: dict[int | None, list[str]] = {}
        course = Course()
        for record in run.stream(self.damaged_lines):
            self._note(record)
            course.note(record)
        self.tags = course.sort().tags
        """What probes tell of each sample, in their order."""

    def _note(self, record: AnyRecord) -> None:
        match record:
            case SampleRecord():
                self.keys.add(record)
                self.cases.setdefault(record.case, CaseRecord(case=record.case, benchmark=record.benchmark))
            case CaseRecord():
                self.cases[record.case] = record
            case FinishedRecord():
                self.finished[record.case] = record
            case FailureRecord():
                self.failures.append(record)
            case LaunchRecord():
                self._launch_warnings[record.launch] = [warning.code for warning in record.warnings]

    def samples(self) -> Iterator[tuple[int, SampleRecord]]:
        """Every sample with its number in the run, counted from 1; read again each time, without those
        that have come since the first."""
        number = 0
        for record in self.run.stream():
            if isinstance(record, SampleRecord) and number < len(self.tags):
                number += 1
                yield number, record

    def light_records(self) -> Iterator[AnyRecord]:
        """Every record, the samples without what no summary asks for, so that memory holds them all."""
        for record in self.run.stream():
            if isinstance(record, SampleRecord):
                record.times, record.latency, record.timeline = {}, None, None
                record.system, record.by_rank, record.hints, record.hints_asked = None, None, None, None
                record.details = {}
            yield record

    def warnings_of(self, sample: SampleRecord) -> list[str]:
        """Codes of the sample's own warnings and of those of its launch, each once."""
        own = [warning.code for warning in sample.warnings]
        return list(dict.fromkeys([*own, *self._launch_warnings.get(sample.launch, ())]))

    def unit(self, benchmark: str, option: str) -> str | None:
        """The unit of a benchmark's option as the core declared it; None if it has none or is not known."""
        for declared in self._declared:
            if declared.name == benchmark:
                return declared.units.get(option) or None
        return None


UNITS = {"B": "bytes", "s": "s", "B/s": "bytes_per_s", "1/s": "per_s"}
"""How a unit reads at the end of a column's name."""

_FIXED = (
    Field("run"),
    Field("directory"),
    Field("case"),
    Field("label"),
    Field("comparisons"),
    Field("benchmark"),
    Field("ranks", CellType.INTEGER),
)


class CaseColumns:
    """Columns of what a case is, and its cells; options of all cases of the run side by side."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._marks = (Field("simulated_on"),) if source.info.simulated_on else ()
        self._env = sorted({name for case in source.cases.values() for name in case.env})
        self._options = _options(source)
        self.columns = (
            *_FIXED,
            *self._marks,
            *(Field(f"env_{name}") for name in self._env),
            *self._options.values(),
        )
        self._cells = {name: self._cells_of(case) for name, case in source.cases.items()}

    def cells(self, case: str) -> list[Value]:
        """The cells of a case."""
        return self._cells[case]

    def varying_options(self) -> dict[str, str]:
        """Options in which the run's cases differ, with their columns' names."""
        return {
            option: column.name
            for option, column in self._options.items()
            if len({json.dumps(case.options.get(option)) for case in self._source.cases.values()}) > 1
        }

    def _cells_of(self, case: CaseRecord) -> list[Value]:
        return [
            self._source.run.name,
            self._source.info.directory,
            case.case,
            case.label or None,
            joined(case.comparisons),
            case.benchmark,
            case.ranks,
            *(self._source.info.simulated_on for _ in self._marks),
            *(case.env.get(name) for name in self._env),
            *(cell(case.options.get(option), column.kind) for option, column in self._options.items()),
        ]


def cell(value: Any, kind: CellType) -> Value:
    """An option's value as a cell of a column of that kind."""
    if value is None or (isinstance(value, (bool, int, float, str)) and kind is not CellType.TEXT):
        return value
    if isinstance(value, list):
        return joined(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def _options(source: Source) -> dict[str, Field]:
    found: dict[str, tuple[str | None, list[Any]]] = {}
    for case in source.cases.values():
        for option, value in case.options.items():
            unit = source.unit(case.benchmark, option)
            known, values = found.setdefault(option, (unit, []))
            values.append(value)
            found[option] = (known or unit, values)
    return {
        option: Field(_name(option, unit), kind_of({type(value) for value in values if value is not None}))
        for option, (unit, values) in found.items()
    }


def _name(option: str, unit: str | None) -> str:
    suffix = UNITS.get(unit, re.sub(r"\W+", "_", unit)) if unit else ""
    return f"option_{option}_{suffix}" if suffix else f"option_{option}"


def kind_of(kinds: Set[type]) -> CellType:
    """What a column holds whose cells are of these types, besides None."""
    if kinds == {bool}:
        return CellType.TRUTH
    if kinds == {int}:
        return CellType.INTEGER
    return CellType.NUMBER if kinds and kinds <= {int, float} else CellType.TEXT


SAMPLE_COLUMNS = (
    Field("run"),
    Field("case"),
    Field("label"),
    Field("sample", CellType.INTEGER),
    Field("phase"),
    Field("repetition", CellType.INTEGER),
    Field("round", CellType.INTEGER),
    Field("launch", CellType.INTEGER),
)


def sample_cells(source: Source, number: int, sample: SampleRecord) -> list[Value]:
    """The cells by which rows of finer tables are distinguished, and joined with `samples` and `cases`."""
    return [
        source.run.name,
        sample.case,
        source.cases[sample.case].label or None,
        number,
        sample.phase,
        sample.repetition,
        sample.round,
        sample.launch,
    ]

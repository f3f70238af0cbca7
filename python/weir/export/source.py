"""What an export reads of a run: first what there is, then the samples one by one, however many they are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

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
        for record in run.stream(self.damaged_lines):
            self._note(record)

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
        """Every sample with its number in the run, counted from 1; read again each time."""
        number = 0
        for record in self.run.stream():
            if isinstance(record, SampleRecord):
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

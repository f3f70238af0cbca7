"""From the records of a run to rows: one a case and phase, and all else that the run says."""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from weir.analyse.detail import detail_of
from weir.analyse.machine_state import Course, Seen, Sorted, State, Stretch, Tag
from weir.analyse.metric import Metric, common_metrics, value_under
from weir.analyse.statistics import FEWEST_SAMPLES, estimate_median
from weir.core.vocabulary import NO_WORDS, Vocabulary
from weir.results.row import OF_DATES, Measured, Row
from weir.store.records import (
    AnyRecord,
    CaseRecord,
    DiedRecord,
    FailureRecord,
    FinishedRecord,
    LaunchRecord,
    LeftOutRecord,
    SampleRecord,
    Warning,
)


@dataclass
class MachineStates:
    """The states that the machine was in, and the samples that are not of a main one."""

    seen: tuple[Seen, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    samples: int = 0
    """Of all states."""
    aside: list[tuple[SampleRecord, Tag]] = field(default_factory=list)
    mixed: list[Tag] = field(default_factory=list)
    """Of those that count all the same."""
    rows: list[tuple[State, Row, Row]] = field(default_factory=list)
    """Of a state that is not the main one, beside the same of the main one: results with samples enough for
    an interval in both."""


@dataclass
class RunSummary:
    """All that a run says: rows in the order of the cases, failures, warnings of whole launches, cases
    without samples, and what could not be measured on that machine."""

    rows: list[Row] = field(default_factory=list)
    failures: list[FailureRecord] = field(default_factory=list)
    launch_warnings: list[Warning] = field(default_factory=list)
    cases: dict[str, CaseRecord] = field(default_factory=dict)
    finished: dict[str, FinishedRecord] = field(default_factory=dict)
    left_out: list[LeftOutRecord] = field(default_factory=list)
    died: list[DiedRecord] = field(default_factory=list)
    states: MachineStates = field(default_factory=MachineStates)
    launches: list[LaunchRecord] = field(default_factory=list)
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    """By benchmark."""

    @property
    def all_rows(self) -> list[Row]:
        """The rows, and one without a number for each case that has none."""
        have = {row.case for row in self.rows}
        return self.rows + [
            _without_number(case, self) for name, case in self.cases.items() if name not in have
        ]

    @property
    def unmeasured(self) -> list[str]:
        """The cases that were to be measured and never began: the time was too short, or the run was
        interrupted."""
        begun = {row.case for row in self.rows} | {failure.case for failure in self.failures}
        begun |= {sample.case for sample, _ in self.states.aside} | self.failed
        return [name for name in self.cases if name not in begun]

    @property
    def failed(self) -> set[str]:
        """The cases that ended so, also where no line but that of a whole launch says why."""
        return {name for name, end in self.finished.items() if end.verdict == "failed"}


Tagged = list[tuple[SampleRecord, Tag]]


def summarise(
    records: Iterable[AnyRecord], vocabularies: Mapping[str, Vocabulary] | None = None
) -> RunSummary:
    """The summary of a run's records; `vocabularies` by benchmark."""
    summary, samples, launches = _gathered(records, vocabularies or {})
    for case_id, case in summary.cases.items():
        for tagged in samples.get(case_id, {}).values():
            _add_phase(summary, case, tagged, launches)
    return summary


def medians(records: Iterable[AnyRecord]) -> Iterator[tuple[CaseRecord, str, Metric, float]]:
    """Case, phase, metric and median of each row that a summary would have, in much less time."""
    summary, samples, _ = _gathered(records, {})
    for case_id, case in summary.cases.items():
        for tagged in samples.get(case_id, {}).values():
            kept = [sample for sample, tag in tagged if tag.kept]
            for metric in common_metrics(kept)[:1]:
                values = [value_under(sample, metric.key) for sample in kept]
                yield case, kept[0].phase, metric, statistics.median(one for one in values if one is not None)


def _gathered(
    records: Iterable[AnyRecord], vocabularies: Mapping[str, Vocabulary]
) -> tuple[RunSummary, dict[str, dict[str, Tagged]], dict[int | None, LaunchRecord]]:
    """A summary without rows, the samples by case and phase, and the launches."""
    summary = RunSummary(vocabularies=vocabularies)
    course, taken = Course(), list[SampleRecord]()
    launches: dict[int | None, LaunchRecord] = {}
    for record in records:
        course.note(record)
        match record:
            case CaseRecord():
                summary.cases[record.case] = record
            case SampleRecord():
                taken.append(record)
            case FailureRecord():
                summary.failures.append(record)
            case DiedRecord():
                summary.died.append(record)
            case LeftOutRecord():
                summary.left_out.append(record)
            case FinishedRecord():
                summary.finished[record.case] = record
            case LaunchRecord():
                launches[record.launch] = record
                summary.launches.append(record)
                summary.launch_warnings.extend(record.warnings)
    summary.launch_warnings = list(_distinct(summary.launch_warnings))
    # What was left out once may have been measured later, by a build or an MPI that can.
    measured = {(case.label, name) for case in summary.cases.values() for name in case.comparisons}
    summary.left_out = [
        item for item in summary.left_out if not measured & {(item.label, name) for name in item.comparisons}
    ]
    samples = _by_phase(taken, course.sort(), summary)
    for case_id, end in summary.finished.items():
        case = summary.cases.get(case_id)
        if case and end.verdict == "inconclusive" and case_id not in samples:
            summary.left_out.append(LeftOutRecord(case.label, case.comparisons, end.why))
    return summary, samples, launches


def _by_phase(
    samples: list[SampleRecord], found: Sorted, summary: RunSummary
) -> dict[str, dict[str, Tagged]]:
    """The samples by case and phase, each with its tag; the summary gets the states."""
    pairs = [pair for pair in zip(samples, found.tags, strict=True) if not pair[1].unfinished]
    summary.states = MachineStates(
        found.seen,
        found.stretches,
        len(pairs),
        aside=[pair for pair in pairs if not pair[1].kept],
        mixed=[tag for _, tag in pairs if tag.kept and not tag.main],
    )
    groups: dict[str, dict[str, Tagged]] = {}
    for sample, tag in pairs:
        groups.setdefault(sample.case, {}).setdefault(sample.phase, []).append((sample, tag))
    return groups


def _add_phase(
    summary: RunSummary, case: CaseRecord, tagged: Tagged, launches: dict[int | None, LaunchRecord]
) -> None:
    """The row of a phase, of the samples that count, and those of other states."""
    kept = [sample for sample, tag in tagged if tag.kept]
    for row in _rows_of(case, kept, summary, launches):
        summary.rows.append(replace(row, set_aside=len(tagged) - len(kept)))
    mains = [sample for sample, tag in tagged if tag.main]
    for state in dict.fromkeys(tag.state for _, tag in tagged if tag.state and not tag.main):
        others = [sample for sample, tag in tagged if tag.state == state]
        if min(len(mains), len(others)) >= FEWEST_SAMPLES:
            rows = (_rows_of(case, samples, summary, launches) for samples in (others, mains))
            summary.states.rows.extend((state, *pair) for pair in zip(*rows, strict=False))


def _rows_of(
    case: CaseRecord,
    samples: list[SampleRecord],
    summary: RunSummary,
    launches: dict[int | None, LaunchRecord],
) -> Iterator[Row]:
    """The row of a phase; none where no sample has a number."""
    finished = summary.finished.get(case.case)
    metrics = [_measured(samples, metric) for metric in common_metrics(samples)]
    if not metrics:
        return
    metric, estimate = metrics[0].metric, metrics[0].estimate
    values = [(sample, value_under(sample, metric.key)) for sample in samples]
    used = [sample for sample, value in values if value is not None]
    last, own = used[-1], [launches[sample.launch] for sample in used if sample.launch in launches]
    warnings = list(dict.fromkeys(warning.code for sample in used for warning in sample.warnings))
    of_launches = {warning.code for launch in own for warning in launch.warnings} - OF_DATES
    caches = [sample.cache for sample in used if sample.cache]
    known = [cache.suspect for cache in caches if cache.suspect is not None]
    moves = _moves(last, metric)
    why = finished.why if finished else ""
    yield Row(
        **_case_fields(case, summary),
        phase=last.phase,
        n=estimate.count,
        median=estimate.median,
        low=estimate.low,
        high=estimate.high,
        verdict=finished.verdict if finished else "inconclusive",
        verdict_why=why or estimate.why or (None if finished else "the case was not finished"),
        data_bytes=last.bytes,
        sync=last.sync,
        cache_methods=tuple(caches[-1].methods) if caches else (),
        suspect=any(known) if known else None,
        suspect_share=sum(known) / len(known) if known else None,
        suspect_why=next((cache.why for cache in caches if cache.suspect), None),
        own_warnings=tuple(warnings),
        warnings=tuple(sorted({*warnings, *of_launches})),
        samples=tuple(value for _, value in values if value is not None),
        records=tuple(used),
        metric=metric,
        metrics=tuple(metrics),
        moves=moves,
        detail=detail_of(used, metric, estimate.median, _hosts_of(used, launches)),
        yields=_yields(own),
        nodes=_nodes(used, launches),
        application=_is_application(used, moves),
    )


def _hosts_of(
    samples: list[SampleRecord], launches: dict[int | None, LaunchRecord]
) -> dict[int | None, list[str]]:
    """For each launch of the samples, the node of each rank; without those that do not say."""
    wanted = {sample.launch for sample in samples} & launches.keys()
    placed = {one: sorted(launches[one].placement, key=lambda at: at.rank or 0) for one in wanted}
    return {
        one: [at.host for at in places if at.host is not None]
        for one, places in placed.items()
        if all(at.host is not None for at in places)
    }


def _is_application(samples: list[SampleRecord], moves: str | None) -> bool:
    if moves is None:
        return any("io" in sample.details for sample in samples)
    return all(sample.sync is None and sample.cache is None for sample in samples)


def _measured(samples: list[SampleRecord], metric: Metric) -> Measured:
    values = [value for sample in samples if (value := value_under(sample, metric.key)) is not None]
    estimate = estimate_median(values)
    assert estimate is not None  # a common metric has a value in some sample
    return Measured(metric, estimate)


def _moves(sample: SampleRecord, metric: Metric) -> str | None:
    """Whether bytes of files were written or read; null for neither, or where the number is no bandwidth."""
    if not metric.is_bandwidth or sample.bytes_written is None:
        return None
    # Of a phase that had nothing to move, the bytes say nothing, but its words for syncs do.
    writes = sample.bytes_written > 0 or (not sample.bytes_read and sample.sync is not None)
    return "write" if writes else "read"


def _nodes(samples: list[SampleRecord], launches: Mapping[int | None, LaunchRecord]) -> int | None:
    """What samples say themselves, of ranks that worked together; else all nodes of their launches."""
    found = set[int]()
    for sample in samples:
        told = sample.details.get("nodes")
        launch = launches.get(sample.launch)
        known = told if isinstance(told, int) else len(launch.nodes) if launch else 0
        if known < 1:
            return None
        found.add(known)
    return min(found)


def _yields(launches: list[LaunchRecord]) -> bool | None:
    spins = {launch.mpi.get("spins") for launch in launches}
    return None if not spins or None in spins else not any(spins)


def _without_number(case: CaseRecord, summary: RunSummary) -> Row:
    finished = summary.finished.get(case.case)
    aside = sum(sample.case == case.case for sample, _ in summary.states.aside)
    why = "the machine was in another state during all of its samples" if aside else "no sample was taken"
    return Row(
        **_case_fields(case, summary),
        phase="none",
        n=0,
        median=None,
        low=None,
        high=None,
        verdict=finished.verdict if finished else "not run",
        verdict_why=(finished.why if finished else None) or why,
        set_aside=aside,
    )


def _case_fields(case: CaseRecord, summary: RunSummary) -> dict[str, Any]:
    names = ("case", "label", "benchmark", "ranks", "options", "env", "mpi_io", "node", "placement", "replay")
    return {name: getattr(case, name) for name in names} | {
        "comparisons": tuple(case.comparisons),
        "finished": summary.finished.get(case.case),
        "vocabulary": summary.vocabularies.get(case.benchmark, NO_WORDS),
    }


def _distinct(warnings: Iterable[Warning]) -> Iterator[Warning]:
    """The first warning of each code: every launch repeats them, with numbers of its own."""
    seen: set[str] = set()
    for warning in warnings:
        if warning.code not in seen:
            seen.add(warning.code)
            yield warning

"""Samples of a run, put together to one row a case and phase."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from weir.analyse.metric import METRICS, Metric, metric_of
from weir.analyse.statistics import MedianEstimate, estimate_median
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


@dataclass(frozen=True)
class Row:
    """One phase of one case: median and its 95 % interval in the unit of the metric (B/s, 1/s or s)."""

    case: CaseRecord
    phase: str
    metric: Metric
    estimate: MedianEstimate
    verdict: str | None
    """`precise`, `inconclusive` or `failed`; None while the case is not finished."""
    why: str
    cache_suspect_share: float | None
    """Share of the samples flagged as cache-suspect among those where that could be told; None if none
    could."""
    warnings: tuple[Warning, ...]
    samples: tuple[SampleRecord, ...]

    def as_data(self) -> dict[str, Any]:
        """The row for `--json`: flat, keys ending in their unit where there is one."""
        return {
            "case": self.case.case,
            "benchmark": self.case.benchmark,
            "ranks": self.case.ranks,
            "env": self.case.env,
            "options": self.case.options,
            "comparisons": self.case.comparisons,
            "phase": self.phase,
            "metric": self.metric.key,
            "unit": self.metric.unit,
            "samples": self.estimate.count,
            "median": self.estimate.median,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "relative_width": self.estimate.relative_width,
            "verdict": self.verdict,
            "why": self.why,
            "cache_suspect_share": self.cache_suspect_share,
            "warnings": [warning.code for warning in self.warnings],
        }


@dataclass
class Summary:
    """All that a run says: rows in the order of the cases, failures, warnings of whole launches, cases
    without samples, and what could not be measured on that machine."""

    rows: list[Row] = field(default_factory=list)
    failures: list[FailureRecord] = field(default_factory=list)
    launch_warnings: list[Warning] = field(default_factory=list)
    cases: dict[str, CaseRecord] = field(default_factory=dict)
    finished: dict[str, FinishedRecord] = field(default_factory=dict)
    left_out: list[LeftOutRecord] = field(default_factory=list)
    died: list[DiedRecord] = field(default_factory=list)


def summarise(records: Iterable[AnyRecord]) -> Summary:
    """The summary of a run's records."""
    summary = Summary()
    samples: dict[str, list[SampleRecord]] = {}
    for record in records:
        match record:
            case CaseRecord():
                summary.cases[record.case] = record
            case SampleRecord():
                samples.setdefault(record.case, []).append(record)
            case FailureRecord():
                summary.failures.append(record)
            case DiedRecord():
                summary.died.append(record)
            case LeftOutRecord():
                summary.left_out.append(record)
            case FinishedRecord():
                summary.finished[record.case] = record
            case LaunchRecord():
                summary.launch_warnings.extend(record.warnings)
    summary.launch_warnings = list(distinct(summary.launch_warnings))
    # What was left out once may have been measured later, by a build or an MPI that can.
    measured = {(case.label, name) for case in summary.cases.values() for name in case.comparisons}
    summary.left_out = [
        item for item in summary.left_out if not measured & {(item.label, name) for name in item.comparisons}
    ]
    for case_id, end in summary.finished.items():
        case = summary.cases.get(case_id)
        if case and end.verdict == "inconclusive" and case_id not in samples:
            summary.left_out.append(LeftOutRecord(case.label, case.comparisons, end.why))
    for case_id, case in summary.cases.items():
        summary.rows.extend(_rows_of(case, samples.get(case_id, []), summary.finished.get(case_id)))
    return summary


def _rows_of(case: CaseRecord, samples: list[SampleRecord], finished: FinishedRecord | None) -> Iterator[Row]:
    for phase in dict.fromkeys(sample.phase for sample in samples):
        of_phase = [sample for sample in samples if sample.phase == phase]
        metric = common_metric(of_phase)
        if metric is None:
            continue
        measured = [sample for sample in of_phase if getattr(sample, metric.key) is not None]
        estimate = estimate_median([float(getattr(sample, metric.key)) for sample in measured])
        if estimate is None:
            continue
        yield Row(
            case=case,
            phase=phase,
            metric=metric,
            estimate=estimate,
            verdict=finished.verdict if finished else None,
            why=finished.why if finished else "",
            cache_suspect_share=suspect_share(measured),
            warnings=tuple(distinct(warning for sample in measured for warning in sample.warnings)),
            samples=tuple(measured),
        )


def common_metric(samples: Iterable[SampleRecord]) -> Metric | None:
    """The metric to use for all of the samples: the first one that any of them has."""
    found = {metric_of(sample) for sample in samples}
    return next((metric for metric in METRICS if metric in found), None)


def suspect_share(samples: Iterable[SampleRecord]) -> float | None:
    """Share of cache-suspect samples among those where it is known; None where it is known of none."""
    known = [s.cache.suspect for s in samples if s.cache is not None and s.cache.suspect is not None]
    return sum(known) / len(known) if known else None


def distinct(warnings: Iterable[Warning]) -> Iterator[Warning]:
    """The first warning of each code: every launch repeats them, with numbers of its own."""
    seen: set[str] = set()
    for warning in warnings:
        if warning.code not in seen:
            seen.add(warning.code)
            yield warning

"""From a run's records to what the report speaks of: rows by figure, failures, warnings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from weir.analyse.detail import detail_of
from weir.analyse.summary import Row as SummaryRow
from weir.analyse.summary import Summary, summarise
from weir.bounded import decode_toml
from weir.errors import WeirError, message
from weir.findings.claims.of_study import figures_of
from weir.findings.printed import Printed, printed_of
from weir.findings.row import Row
from weir.machine.describe import describe
from weir.store.records import AnyRecord, CaseRecord, FailureRecord, LaunchRecord, LeftOutRecord
from weir.store.run_directory import RunDirectory, RunInfo
from weir.study.schema import StudyFile


@dataclass
class Contents:
    """A run, ready to be reported. `rows_by_figure` holds the rows of all comparisons that ask for that
    figure.
    """

    info: RunInfo
    study_text: str
    rows: list[Row]
    failures: list[FailureRecord] = field(default_factory=list)
    warnings: list[dict[str, str]] = field(default_factory=list)
    comparisons: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[LeftOutRecord] = field(default_factory=list)
    """What could not be measured on that machine, and why."""
    source: str = ""
    """The paper that the study repeats; empty where it repeats none."""
    cases: int = 0
    samples: int = 0
    damaged_lines: list[int] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)

    machine: dict[str, Any] = field(default_factory=dict)
    """The machine card; empty where the run has none, or one that is damaged."""

    @property
    def rows_by_figure(self) -> dict[str, list[Row]]:
        """Rows of each figure that the study asks for."""
        found: dict[str, list[Row]] = {}
        for comparison in self.comparisons:
            for asked in figures_of(comparison):
                have = found.setdefault(asked, [])
                have += [
                    row for row in self.rows if comparison["name"] in row.comparisons and row not in have
                ]
        return found


def gather(run: RunDirectory) -> Contents:
    """Everything that a report needs of a run; raises WeirError if it is not one."""
    info = run.info()
    reading = run.read()
    study_text, study = _study(run)
    summary = summarise(reading.records)
    machine, doubts = _card(info)
    comparisons = study.get("comparison", [])
    printed = {part["name"]: printed_of(part) for part in comparisons}
    return Contents(
        info=info,
        study_text=study_text,
        rows=[_beside(row, printed) for row in rows_of(summary, reading.records)],
        failures=summary.failures,
        warnings=[*_warnings(machine, summary), *doubts],
        machine=machine,
        comparisons=comparisons,
        left_out=summary.left_out,
        source=study.get("study", {}).get("source", ""),
        cases=len(summary.cases),
        samples=sum(len(row.samples) for row in summary.rows),
        damaged_lines=reading.damaged_lines,
        summary=summary,
    )


def _study(run: RunDirectory) -> tuple[str, dict[str, Any]]:
    """The study as it was resolved, as text and as a tree; nothing where the run has none."""
    try:
        text = run.study_text()
        tree = decode_toml(text)
        if text:
            msgspec.convert(tree, StudyFile)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise WeirError(
            f"cannot read '{run.study_path}'", str(error), "copy the run again from where it was made"
        ) from error
    return text, tree


def _beside(row: Row, printed: dict[str, list[Printed]]) -> Row:
    found = [table for name in row.comparisons for table in printed.get(name, [])]
    return replace(row, printed=tuple(found)) if found else row


def rows_of(summary: Summary, records: Iterable[AnyRecord]) -> list[Row]:
    """A row for each phase of each case, and one without a number for each case that has none."""
    launches = {record.launch: record for record in records if isinstance(record, LaunchRecord)}
    rows = [_row(row, launches) for row in summary.rows]
    have = {row.case.case for row in summary.rows}
    applications = {row.case for row in rows if row.detail.io is not None}
    rows = [replace(row, application=True) if row.case in applications else row for row in rows]
    return rows + [_without_number(case, summary) for name, case in summary.cases.items() if name not in have]


def _row(row: SummaryRow, launches: dict[int | None, LaunchRecord]) -> Row:
    last = row.samples[-1]
    own = [launches[sample.launch] for sample in row.samples if sample.launch in launches]
    warnings = {w.code for w in row.warnings}.union(w.code for launch in own for w in launch.warnings)
    caches = [sample.cache for sample in row.samples if sample.cache]
    return Row(
        case=row.case.case,
        phase=row.phase,
        ranks=row.case.ranks,
        options=row.case.options,
        env=row.case.env,
        mpi_io=row.case.mpi_io,
        n=row.estimate.count,
        median=row.estimate.median,
        low=row.estimate.low,
        high=row.estimate.high,
        verdict=row.verdict or "inconclusive",
        verdict_why=row.why or row.estimate.why or (None if row.verdict else "the case was not finished"),
        comparisons=tuple(row.case.comparisons),
        data_bytes=last.bytes,
        sync=last.sync,
        cache_methods=tuple(caches[-1].methods) if caches else (),
        suspect=None if row.cache_suspect_share is None else row.cache_suspect_share > 0,
        suspect_why=next((cache.why for cache in caches if cache.suspect), None),
        warnings=tuple(sorted(warnings)),
        samples=tuple(float(getattr(sample, row.metric.key)) for sample in row.samples),
        metric=row.metric,
        benchmark=row.case.benchmark,
        detail=detail_of(row.samples, row.metric, row.estimate.median),
        yields=_yields(own),
    )


def _yields(launches: list[LaunchRecord]) -> bool | None:
    spins = {launch.mpi.get("spins") for launch in launches}
    return None if not spins or None in spins else not any(spins)


def _without_number(case: CaseRecord, summary: Summary) -> Row:
    finished = summary.finished.get(case.case)
    return Row(
        case=case.case,
        phase="none",
        ranks=case.ranks,
        options=case.options,
        env=case.env,
        mpi_io=case.mpi_io,
        n=0,
        median=None,
        low=None,
        high=None,
        verdict=finished.verdict if finished else "not run",
        verdict_why=(finished.why if finished else None) or "no sample was taken",
        comparisons=tuple(case.comparisons),
        benchmark=case.benchmark,
    )


_MALFORMED = (TypeError, KeyError, ValueError, AttributeError, IndexError, ArithmeticError)


def _card(info: RunInfo) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The run's machine card, if it is one that can be described, and a warning where it is not."""
    card = info.machine or {}
    try:
        describe(card)
        for warning in card.get("warnings", []):
            message(warning["problem"], warning["why"], warning["advice"]), hash(warning["code"])
        (card.get("host") or {}).get("name")
    except _MALFORMED as error:
        why = f"what run.json says of it is damaged: {type(error).__name__}: {error}"
        return {}, [
            {"code": "damaged-card", "problem": "the machine is not described", "why": why, "advice": ""}
        ]
    return card, []


def _warnings(machine: dict[str, Any], summary: Summary) -> list[dict[str, str]]:
    """What the machine card and the launches warn of; a code that both know is said once, in the launch's
    words.
    """
    launched = [
        {"code": w.code, "problem": w.problem, "why": w.why, "advice": w.advice}
        for w in summary.launch_warnings
    ]
    said = {warning["code"] for warning in launched}
    if "oversubscribed" in said:
        said.add("spinning")
    card = [warning for warning in machine.get("warnings", []) if warning["code"] not in said]
    return launched + card

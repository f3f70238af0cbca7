"""The report as data: everything the page shows, in its order."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import Any

import msgspec

from weir.analyse.statistics import verdict_words
from weir.counts import count_words
from weir.figures.drawing import Drawing
from weir.findings.quantity import estimate_words, interval_words
from weir.findings.row import Row, metrics_data
from weir.findings.summary import Summary
from weir.findings.words import phase_words, setting_words
from weir.machine.describe import Group, describe
from weir.report.apart import apart_by_setting, told_apart
from weir.report.columns import Columns, columns_of, data_cell
from weir.report.gather import Contents
from weir.report.headline import Headline, headline
from weir.report.requests import HintLine, RequestLine, hint_lines, request_lines
from weir.report.section import Section, make_sections, sections_data


@dataclass(frozen=True)
class Line:
    """One line of the table of all cases, in words."""

    case: str
    phase: str
    ranks: int
    settings: tuple[str, ...]
    """A cell for each column of settings."""
    data: str
    result: str
    n: int
    verdict: str
    verdict_why: str
    flags: tuple[str, ...]
    apart: str = ""
    """What tells it apart from lines that read alike; empty where there are none."""


@dataclass(frozen=True)
class FurtherLine:
    """Another metric of a phase than its result, in words."""

    case: str
    phase: str
    setting: str
    noun: str
    value: str
    n: int


@dataclass(frozen=True)
class DiedLaunch:
    """A launch that did not come to its own end and was tried again, with the cases that it is laid to."""

    launch: int | None
    cases: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Report:
    """All that is on the page."""

    contents: Contents
    headline: Headline
    sections: tuple[Section, ...]
    machine: tuple[Group, ...]
    columns: Columns
    lines: tuple[Line, ...]
    further: tuple[FurtherLine, ...]
    requests: tuple[RequestLine, ...]
    hints: tuple[HintLine, ...]
    died: tuple[DiedLaunch, ...]
    reproduce: str

    @property
    def drawings(self) -> list[Drawing]:
        """All figures that could be drawn."""
        return [section.drawing for section in self.sections if section.drawing]


def build(contents: Contents) -> Report:
    """The report of a run's contents; pure."""
    sections = make_sections(contents)
    columns = columns_of(contents.rows)
    return Report(
        contents=contents,
        headline=headline(
            contents.rows,
            sections,
            contents.machine,
            len(contents.failures),
            len(contents.summary.died),
        ),
        sections=tuple(sections),
        machine=tuple(describe(contents.machine)),
        columns=columns,
        lines=tuple(_lines(contents.rows, columns)),
        further=tuple(_further(contents.rows)),
        requests=tuple(request_lines(contents.rows)),
        hints=tuple(hint_lines(contents.rows)),
        died=tuple(_died(contents.summary)),
        reproduce=_command_words(contents.info.command),
    )


def _died(summary: Summary) -> Iterator[DiedLaunch]:
    for died in summary.died:
        known = [summary.cases[case] for case in died.cases if case in summary.cases]
        names = [f"case {one.label or one.case} ({count_words(one.ranks, 'rank')})" for one in known]
        yield DiedLaunch(died.launch, tuple(names) or ("a case that is not known",), died.reason or "unknown")


def _command_words(command: list[str]) -> str:
    """The command as a person would type it, wherever the program lay."""
    return shlex.join([PurePath(command[0]).name, *command[1:]]) if command else "unknown"


def _lines(rows: list[Row], columns: Columns) -> list[Line]:
    """A line a row; those that would read alike say what tells them apart."""
    plain = {(row.case, row.phase): _line(row, columns) for row in rows}

    def reads(row: Row) -> tuple[object, ...]:
        line = plain[row.case, row.phase]
        return line.phase, line.ranks, line.settings, line.data

    apart = told_apart(rows, reads, {"ranks", "block", "phase", *columns.told})
    return [replace(plain[row.case, row.phase], apart=apart(row)) for row in rows]


def _line(row: Row, columns: Columns) -> Line:
    return Line(
        case=row.case,
        phase=phase_words(row) if row.n else "not measured",
        ranks=row.ranks,
        settings=columns.cells(row),
        data=data_cell(row),
        result=interval_words(row),
        n=row.n,
        verdict=verdict_words(row.verdict, row.n) or "",
        verdict_why=row.verdict_why or "",
        flags=row.flags,
    )


def _further(rows: list[Row]) -> Iterator[FurtherLine]:
    apart = apart_by_setting(rows)
    for row in rows:
        for one in row.metrics[1:]:
            found = one.estimate
            yield FurtherLine(
                case=row.case,
                phase=phase_words(row),
                setting=", ".join(filter(None, [setting_words(row), apart(row)])),
                noun=one.metric.noun,
                value=estimate_words(one.metric, found.median, found.low, found.high, found.count),
                n=found.count,
            )


def as_data(report: Report) -> dict[str, Any]:
    """The report for `--json`: headline, findings and rows with plain numbers in the unit of their key."""
    return {
        "headline": asdict(report.headline),
        **sections_data(report.sections),
        "left_out": [msgspec.to_builtins(item) for item in report.contents.left_out],
        "warnings": report.contents.warnings,
        "failures": [
            {
                "case": f.case,
                "exit_code": f.exit_code,
                "problem": f.problem,
                "reason": f.reason,
                "suggestion": f.suggestion,
            }
            for f in report.contents.failures
        ],
        "died": [asdict(launch) for launch in report.died],
        "rows": [_row_data(row) for row in report.contents.rows],
    }


def _row_data(row: Row) -> dict[str, Any]:
    return {
        "case": row.case,
        "phase": row.phase,
        "ranks": row.ranks,
        "options": dict(row.options),
        "comparisons": list(row.comparisons),
        "n": row.n,
        f"median_{row.metric.suffix}": row.median,
        f"low_{row.metric.suffix}": row.low,
        f"high_{row.metric.suffix}": row.high,
        "verdict": row.verdict,
        "cache_suspect": row.suspect,
        "metrics": metrics_data(row),
        "flags": list(row.flags),
        "mpi_io": row.mpi_io,
        "first_done_s": row.detail.first_done_s,
        "last_done_s": row.detail.last_done_s,
        "latency": {latency.verb: latency.as_data() for latency in row.detail.latencies},
        "counts": asdict(row.detail.counts) if row.detail.counts else None,
        "straggler": asdict(row.detail.straggler) if row.detail.straggler else None,
        "hints": [msgspec.to_builtins(hint) for hint in row.detail.hints],
    }

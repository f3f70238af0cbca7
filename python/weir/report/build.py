"""The report as data: everything the page shows, in its order."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

from weir.figures.drawing import Drawing, draw
from weir.findings.quantity import interval_words
from weir.findings.row import Row
from weir.findings.words import backend_words, data_words, layout_words, phase_words
from weir.machine.describe import Group, describe
from weir.report.gather import Contents
from weir.report.headline import Headline, headline
from weir.units import format_bytes


@dataclass(frozen=True)
class Line:
    """One line of the table of all cases, in words."""

    case: str
    phase: str
    ranks: int
    layout: str
    backend: str
    transfer: str
    data: str
    bandwidth: str
    n: int
    verdict: str
    verdict_why: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that is on the page."""

    contents: Contents
    headline: Headline
    drawings: tuple[Drawing, ...]
    machine: tuple[Group, ...]
    lines: tuple[Line, ...]
    reproduce: str


def build(contents: Contents) -> Report:
    """The report of a run's contents; pure."""
    drawings = draw(contents.rows_by_figure, contents.machine)
    points = [drawing.finding.title for drawing in drawings]
    return Report(
        contents=contents,
        headline=headline(contents.rows, points, contents.machine, len(contents.failures)),
        drawings=tuple(drawings),
        machine=tuple(describe(contents.machine)),
        lines=tuple(map(_line, contents.rows)),
        reproduce=_command_words(contents.info.command),
    )


def _command_words(command: list[str]) -> str:
    """The command as a person would type it, wherever the program lay."""
    return shlex.join([PurePath(command[0]).name, *command[1:]]) if command else "unknown"


def _line(row: Row) -> Line:
    transfer = row.options.get("transfer")
    return Line(
        case=row.case,
        phase=phase_words(row) if row.n else "not measured",
        ranks=row.ranks,
        layout=layout_words(row),
        backend=backend_words(row),
        transfer=format_bytes(transfer) if transfer else "",
        data=data_words(row),
        bandwidth=interval_words(row),
        n=row.n,
        verdict=row.verdict,
        verdict_why=row.verdict_why or "",
        flags=row.flags,
    )


def as_data(report: Report) -> dict[str, Any]:
    """The report for `--json`: headline, findings and rows with plain numbers in the unit of their key."""
    return {
        "headline": asdict(report.headline),
        "findings": [{"figure": d.name, **asdict(d.finding)} for d in report.drawings],
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
        "flags": list(row.flags),
    }

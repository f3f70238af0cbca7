"""The results of a run as a table, and as JSON."""

import sys
from typing import Any

import msgspec

from weir.analyse.summary import Row, Summary, summarise
from weir.cli._output import print_table
from weir.cli._progress.words import format_value
from weir.errors import message
from weir.store.run_directory import RunDirectory
from weir.units import format_share


def summary_data(run: RunDirectory) -> dict[str, Any]:
    """The run's results for programs."""
    reading = run.read()
    summary = summarise(reading.records)
    return {
        "study": run.info().study,
        "directory": run.info().directory,
        "rows": [row.as_data() for row in summary.rows],
        "failures": [msgspec.to_builtins(failure) for failure in summary.failures],
        "warnings": [msgspec.to_builtins(warning) for warning in summary.launch_warnings],
        "damaged_lines": reading.damaged_lines,
    }


def show_summary(run: RunDirectory) -> None:
    """Print the run's results for people."""
    info, reading = run.info(), run.read()
    summary = summarise(reading.records)
    title = f"{info.study.get('title') or info.study.get('name')}   ({info.directory})"
    headings = (
        "comparison",
        "case",
        ">ranks",
        "phase",
        ">median",
        ">95 % interval",
        ">width",
        ">n",
        "verdict",
        "flags",
    )
    print_table(headings, [_cells(row) for row in summary.rows], title=title)
    for text in _remarks(summary, reading.damaged_lines):
        sys.stdout.write(text + "\n")


def _cells(row: Row) -> list[str]:
    estimate, unit = row.estimate, row.metric.unit
    width = estimate.relative_width
    known = estimate.low is not None and estimate.high is not None
    interval = f"{_number(estimate.low, unit)} … {_number(estimate.high, unit)}" if known else "none"
    return [
        ", ".join(row.case.comparisons),
        row.case.label or row.case.case,
        str(row.case.ranks),
        row.phase,
        format_value(estimate.median, unit),
        interval,
        "" if width is None else format_share(width),
        str(estimate.count),
        row.verdict or "unfinished",
        " ".join(_flags(row)),
    ]


def _number(value: float | None, unit: str) -> str:
    """The value; without the unit where the column beside it always has the same."""
    if value is None:
        return ""
    text = format_value(value, unit)
    return text if unit == "s" else text.rpartition(" ")[0]


def _flags(row: Row) -> list[str]:
    flags = [warning.code for warning in row.warnings]
    if row.cache_suspect_share:
        flags.append(f"cache-suspect {format_share(row.cache_suspect_share)}")
    return flags


def _remarks(summary: Summary, damaged_lines: list[int]) -> list[str]:
    remarks = [
        f"inconclusive: {_name(summary, row.case.case)}, {row.why}"
        for row in summary.rows
        if row.verdict == "inconclusive" and row.phase == _first_phase(summary, row)
    ]
    remarks += [f"failed: {_name(summary, f.case)}: {f.message}" for f in summary.failures]
    remarks += ["warning: " + message(w.problem, w.why, w.advice) for w in summary.launch_warnings]
    if damaged_lines:
        numbers = ", ".join(map(str, damaged_lines))
        remarks.append(f"damaged: left out of samples.jsonl, since it cannot be read: line {numbers}")
    return remarks


def _first_phase(summary: Summary, row: Row) -> str:
    return next(other.phase for other in summary.rows if other.case.case == row.case.case)


def _name(summary: Summary, case_id: str | None) -> str:
    if case_id is None:
        return "a whole launch"
    case = summary.cases.get(case_id)
    if case is None:
        return case_id
    return ": ".join(part for part in (", ".join(case.comparisons), case.label) if part)

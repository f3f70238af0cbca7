"""The results of a run as a table, and as JSON."""

from collections.abc import Iterator
from typing import Any

import msgspec

from weir.analyse.verdict import verdict_words
from weir.cli._output import print_lines
from weir.cli._run.requests import interval_in, request_lines
from weir.cli._run.sections import section_lines
from weir.counts import count_words
from weir.errors import message
from weir.report.gather import gather
from weir.report.headline import crowding
from weir.report.section import make_sections, sections_data
from weir.results.row import Row, as_data, measured, median_of
from weir.results.summary import RunSummary
from weir.store.damaged import damaged_words
from weir.store.run_directory import RunDirectory
from weir.study.left_out import in_words

CACHE_SUSPECT = (
    "cache?: bytes that cannot all have come from the device; a cache was measured, at least in part"
)


def summary_data(run: RunDirectory) -> dict[str, Any]:
    """The run's results for programs."""
    contents = gather(run)
    summary = contents.summary
    return {
        "study": msgspec.to_builtins(contents.info.study),
        "directory": contents.info.directory,
        "rows": [as_data(row) for row in summary.rows],
        "failures": [msgspec.to_builtins(failure) for failure in summary.failures],
        "died": [msgspec.to_builtins(died) for died in summary.died],
        "warnings": [msgspec.to_builtins(warning) for warning in summary.launch_warnings],
        "left_out": [msgspec.to_builtins(item) for item in summary.left_out],
        **sections_data(make_sections(contents)),
        "damaged_lines": contents.damaged_lines,
    }


def show_summary(run: RunDirectory, *, requests: bool) -> None:
    """Print the run's results for people: median, [95 % interval], samples, verdict and flags of each phase;
    with `requests` also what lies behind each; then what all that says."""
    contents = gather(run)
    info, summary = contents.info, contents.summary
    print_lines([f"{info.study.title or info.study.name}   ({info.directory})", ""])
    widths = _widths(summary.rows)
    for name in dict.fromkeys(name for row in summary.rows for name in row.comparisons or [""]):
        print_lines([name, *_comparison_lines(name, summary.rows, widths, requests=requests), ""])
    if any(row.suspect_share for row in summary.rows):
        print_lines([CACHE_SUSPECT])
    print_lines(section_lines(make_sections(contents)))
    print_lines(_remarks(summary, contents.rows, contents.damaged_lines))


def _comparison_lines(name: str, rows: list[Row], widths: list[int], *, requests: bool) -> Iterator[str]:
    """A line a case, below it a line a phase: so it fits 80 columns, however long a case's name is."""
    last = ""
    for row in rows:
        if name not in (row.comparisons or [""]):
            continue
        if row.case != last:
            yield f"  {row.label or row.case}   ({count_words(row.ranks, 'rank')})"
            last = row.case
        phase, median, interval, count, verdict = (
            cell.ljust(width) if at in (0, 4) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(_cells(row), widths, strict=True))
        )
        yield f"    {phase}  {median}  {interval}  {count}  {verdict}  {' '.join(_flags(row))}".rstrip()
        if requests:
            yield from (f"      {line}" for line in request_lines(row))


def _widths(rows: list[Row]) -> list[int]:
    columns = zip(*(_cells(row) for row in rows), strict=True)
    return [max(map(len, column)) for column in columns]


def _cells(row: Row) -> list[str]:
    return [
        row.phase,
        row.metric.words(median_of(row)),
        interval_in(row.metric, row.low, row.high),
        count_words(row.n, "sample"),
        verdict_words(row.finished.verdict, row.n) or "" if row.finished else "unfinished",
    ]


def _flags(row: Row) -> list[str]:
    return (["cache?"] if row.suspect_share else []) + list(row.own_warnings)


def _remarks(summary: RunSummary, rows: list[Row], damaged_lines: list[int]) -> list[str]:
    remarks = [
        f"{verdict_words(row.verdict, row.n)}: {_name(summary, row.case)}: {row.finished.why}"
        for row in summary.rows
        if row.finished and row.verdict == "inconclusive" and row.phase == _first_phase(summary, row)
    ]
    remarks += [f"failed: {_name(summary, f.case)}: {f.message}" for f in summary.failures]
    remarks += [f"note: launch {d.launch} died and was tried again: {d.reason}" for d in summary.died]
    remarks += ["warning: " + message(w.problem, w.why, w.advice) for w in summary.launch_warnings]
    remarks += [f"note: {words}" for words in crowding(measured(rows))]
    remarks += in_words(summary.left_out)
    if damaged_lines:
        remarks.append(f"damaged: {damaged_words(damaged_lines)}")
    return remarks


def _first_phase(summary: RunSummary, row: Row) -> str:
    return next(other.phase for other in summary.rows if other.case == row.case)


def _name(summary: RunSummary, case_id: str | None) -> str:
    if case_id is None:
        return "a whole launch"
    case = summary.cases.get(case_id)
    if case is None:
        return case_id
    return ": ".join(part for part in (", ".join(case.comparisons), case.label) if part)

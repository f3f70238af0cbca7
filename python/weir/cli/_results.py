"""The results of a run as a table, and as JSON."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from weir.analyse.detail import Detail
from weir.analyse.latency import SHARES, PooledLatency
from weir.analyse.metric import Metric
from weir.analyse.statistics import NO_INTERVAL
from weir.answers.answer import Number
from weir.answers.words import exact_words
from weir.cli._screen import row_lines
from weir.cli._streams import print_lines
from weir.errors import message
from weir.report.crowding import crowding, without_crowding
from weir.report.gather import Contents, gather
from weir.report.machine_states import states_data, states_words
from weir.report.section import Section, claims_in_short, make_sections, sections_data
from weir.results.inexact import inexact_of_cases
from weir.results.quantity_words import aside_words, straggler_words, width_words
from weir.results.row import Row, median_of
from weir.results.row_data import row_data
from weir.results.summary import RunSummary
from weir.store.lines import damaged_words
from weir.store.records import HintAsked
from weir.store.run_directory import RunDirectory
from weir.study.case import left_out_words
from weir.tables.table import Table
from weir.units import count_words, format_seconds

MARGIN = GAP = "  "
WIDTH = 100
MOST_ALIKE = 6
"""So many cases are named that have no interval for the same reason."""
_UNBROKEN = re.compile(r"\((?:no interval, )?n = [^)]*\)|\[[\d.,… ]+\]|(?<=\d) %")
NO_BREAK = "\N{NO-BREAK SPACE}"
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
        "rows": [row_data(row) for row in summary.rows],
        "machine_states": states_data(summary),
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
    where = f"   ({info.directory})" if info.directory and contents.on_storage else ""
    print_lines([f"{info.study.title or info.study.name}{where}", ""])
    widths = _widths(summary.rows)
    for name in dict.fromkeys(name for row in summary.rows for name in row.comparisons or [""]):
        print_lines([name, *_comparison_lines(name, summary.rows, widths, requests=requests), ""])
    if not any(row.records for row in summary.rows):
        print_lines(["No sample was taken."])
    if any(row.suspect_share for row in summary.rows):
        print_lines([CACHE_SUSPECT])
    print_lines(_section_lines(make_sections(contents)))
    print_lines(_remarks(contents))


def _comparison_lines(name: str, rows: list[Row], widths: list[int], *, requests: bool) -> Iterator[str]:
    """A line a case, below it a line a phase: so it fits 80 columns, however long a case's name is. A case of
    several comparisons has its numbers in the first."""
    last = ""
    for row in rows:
        if name not in (row.comparisons or [""]):
            continue
        first = (row.comparisons or [""])[0]
        if row.case != last:
            there = f": see {first}" if first != name else ""
            yield f"  {row.label or row.case}   ({count_words(row.ranks, 'rank')}){there}"
            last = row.case
        if first != name:
            continue
        phase, median, interval, count, verdict = (
            cell.ljust(width) if at in (0, 4) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(_cells(row), widths, strict=True))
        )
        yield f"    {phase}  {median}  {interval}  {count}  {verdict}  {' '.join(_flags(row))}".rstrip()
        if requests:
            yield from (f"      {line}" for line in _request_lines(row))


def _widths(rows: list[Row]) -> list[int]:
    columns = zip(*(_cells(row) for row in rows), strict=True)
    return [max(map(len, column)) for column in columns]


def _cells(row: Row) -> list[str]:
    return [
        row.phase,
        row.metric.words(median_of(row)),
        _interval(row.metric, row.low, row.high),
        count_words(row.n, "sample"),
        width_words(row) if row.finished else "unfinished",
    ]


def _flags(row: Row) -> list[str]:
    aside = [aside_words(row)] if row.set_aside else []
    return (["cache?"] if row.suspect_share else []) + list(row.own_warnings) + aside


def _remarks(contents: Contents) -> list[str]:
    summary = contents.summary
    launched: list[dict[str, str]] = [msgspec.to_builtins(warning) for warning in summary.launch_warnings]
    remarks = list(_without_interval(summary))
    remarks += [
        f"no number: {_name(summary, row.case)}: {aside_words(row)}, for the state of the machine"
        for row in summary.all_rows
        if row.median is None and row.set_aside
    ]
    remarks += [f"failed: {_name(summary, f.case)}: {f.message}" for f in summary.failures]
    remarks += [
        f"note: launch {d.launch} died; its cases are tried once more if there is time: {d.reason}"
        for d in summary.died
    ]
    remarks += [
        "warning: " + message(warning["problem"], warning["why"], warning["advice"])
        for warning in without_crowding(contents.rows, launched)
    ]
    remarks += [f"note: {words}" for words in inexact_of_cases([*summary.cases.values()])]
    remarks += [f"note: {words}" for words in crowding(contents.rows, launched)]
    remarks += [f"note: {words}" for words in states_words(summary)]
    remarks += left_out_words(summary.left_out)
    if contents.damaged_lines:
        remarks.append(f"damaged: {damaged_words(contents.damaged_lines)}")
    return remarks


def _without_interval(summary: RunSummary) -> Iterator[str]:
    """A line a case; of many with the same reason one line, with the first of them."""
    first: dict[str, str] = {}
    for row in summary.rows:
        first.setdefault(row.case, row.phase)
    by_reason: dict[str, list[str]] = {}
    for row in summary.rows:
        if row.finished and row.lacks_interval and row.phase == first[row.case]:
            by_reason.setdefault(row.finished.why, []).append(_name(summary, row.case))
    for why, names in by_reason.items():
        if len(names) <= MOST_ALIKE:
            yield from (f"{NO_INTERVAL}: {name}: {why}" for name in names)
        else:
            yield f"{NO_INTERVAL}: {names[0]}, and {count_words(len(names) - 1, 'case')} more: {why}"


def _name(summary: RunSummary, case_id: str | None) -> str:
    if case_id is None:
        return "a whole launch"
    case = summary.cases.get(case_id)
    if case is None:
        return case_id
    return ": ".join(part for part in (", ".join(case.comparisons), case.label) if part)


def _request_lines(row: Row) -> Iterator[str]:
    """The other metrics, how long requests took, which rank was late, what became of hints; nothing where
    nobody knows."""
    detail = row.detail
    for one in row.metrics[1:]:
        metric, found = one.metric, one.estimate
        words = metric.show if metric.shown_unit == metric.noun else metric.words
        yield f"{metric.noun}: {words(found.median)}  {_interval(metric, found.low, found.high)}"
    for latency in detail.latencies:
        name = "" if latency.verb == row.phase else f"{latency.verb}: "
        what = "call" if latency.verb == "call" else "request"
        yield f"{name}{_percentiles(latency)} (n = {count_words(latency.timed, what)})"
    yield from _others(detail)


def _interval(metric: Metric, low: float | None, high: float | None) -> str:
    """ "[2690 … 2760]", without the unit where the median's always is the same."""
    if low is None or high is None:
        return "[none]"
    show = metric.words if metric.unit == "s" else metric.show
    return f"[{show(low)} … {show(high)}]"


def _percentiles(latency: PooledLatency) -> str:
    known = [(name, latency.percentile_s(share)) for name, share in SHARES.items()]
    parts = [f"{name} {format_seconds(value)}" for name, value in known if value is not None]
    return "  ".join([*parts, f"max {format_seconds(latency.max_s)}"])


def _others(detail: Detail) -> Iterator[str]:
    if detail.straggler:
        yield straggler_words(detail.straggler)
    for hint in detail.hints:
        yield hint_words(hint)


HINT_STATES = {
    "in force": "is in force",
    "changed": "was changed",
    "ignored": "was ignored",
    "unproven": "is echoed by the library, which echoes even an invented hint, so it proves nothing",
}


def hint_words(hint: HintAsked) -> str:
    """ "hint cb_nodes=2 was changed, to 1"."""
    asked = f"hint {hint.hint}={hint.value}"
    state = HINT_STATES.get(hint.state or "", f"is in the state '{hint.state}'")
    now = f", to {hint.in_force}" if hint.state == "changed" and hint.in_force is not None else ""
    return f"{asked} {state}{now}"


def _section_lines(sections: Sequence[Section]) -> Iterator[str]:
    """A finding a figure with its numbers, then its tables, and its claims with their verdicts."""
    for section in sections:
        yield from wrapped(section.title, "", "  ")
        if section.drawing:
            finding = section.drawing.finding
            yield from (f"{MARGIN}{line}" for line in row_lines(finding.answers, WIDTH - len(MARGIN)))
            yield from number_lines(finding.numbers)
        for table in section.tables:
            yield ""
            yield from _table_lines(table)
        if section.tables and (section.not_run or section.answers):
            yield ""
        for line in section.not_run:
            yield from wrapped(line, "  ", "  ")
        for found in section.answers:
            yield from wrapped(f"{found.machine}, {found.source}: {found.says}.", "  ", "    ")
            link = " " if found.why.startswith("because") else ": "
            yield from wrapped(f"-> {found.verdict}{link}{found.why}", "    ", "       ")
        yield ""
    short = claims_in_short(sections)
    if short:
        yield short
        yield ""


def number_lines(numbers: Sequence[Number]) -> Iterator[str]:
    """Those that answers rest on, in columns."""
    rows = [[*one.subject, exact_words(one.value) if one.value else "none", one.remark] for one in numbers]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = _line([cell.ljust(width) for cell, width in zip(row, widths, strict=True)])
        yield from [line] if len(line) <= WIDTH else wrapped(line.strip(), MARGIN, 2 * MARGIN)


def _table_lines(table: Table) -> Iterator[str]:
    """Title, caption, headings below the names of their groups, rows, notes."""
    yield from wrapped(table.title, MARGIN, MARGIN)
    yield from wrapped(table.caption, MARGIN, MARGIN)
    widths = _column_widths(table)
    if any(name for name, _ in table.groups):
        yield _line(_over_groups(table, widths))
    headings = [column.heading for column in table.columns]
    yield _line(_aligned(headings, widths))
    yield _line(["-" * width for width in widths])
    yield from (_line(_aligned(row, widths)) for row in table.rows)
    for note in table.notes:
        yield from wrapped(note, MARGIN, MARGIN)


def _column_widths(table: Table) -> list[int]:
    """Wide enough for every cell and heading, and in sum for the names of groups."""
    headings = [column.heading for column in table.columns]
    widths = [max(map(len, column)) for column in zip(headings, *table.rows, strict=True)]
    at = 0
    for name, count in table.groups:
        missing = len(name) - len(GAP.join("x" * width for width in widths[at : at + count]))
        widths[at + count - 1] += max(0, missing)
        at += count
    return widths


def _over_groups(table: Table, widths: Sequence[int]) -> list[str]:
    at, parts = 0, []
    for name, count in table.groups:
        width = len(GAP.join("x" * width for width in widths[at : at + count]))
        parts.append(name.rjust(width) if count == 1 else name.center(width))
        at += count
    return parts


def _aligned(texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The first to the left, numbers to the right."""
    return [
        text.rjust(width) if at else text.ljust(width)
        for at, (text, width) in enumerate(zip(texts, widths, strict=True))
    ]


def _line(parts: Sequence[str]) -> str:
    return (MARGIN + GAP.join(parts)).rstrip()


def wrapped(text: str, first: str, later: str) -> list[str]:
    """Lines of WIDTH at most, the first indented by `first`; intervals, counts and shares stay whole."""
    whole = _UNBROKEN.sub(lambda found: found.group().replace(" ", NO_BREAK), text)
    lines = textwrap.wrap(whole, WIDTH, initial_indent=first, subsequent_indent=later)
    return [line.replace(NO_BREAK, " ") for line in lines]

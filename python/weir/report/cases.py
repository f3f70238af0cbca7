"""The tables of the report: all cases, their further metrics, requests, and hints."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace

from weir.analyse.latency import SHARES, PooledLatency
from weir.results.quantity_words import (
    aside_words,
    estimate_words,
    interval_words,
    simulated_words,
    straggler_place,
    width_words,
)
from weir.results.row import TOO_FEW, Measured, Row, measured
from weir.results.words import (
    WORDS,
    data_words,
    interface_words,
    join_words,
    label_by,
    layout_words,
    method_words,
    opening_words,
    phase_words,
    setting_words,
    strategy_words,
)
from weir.units import count_words, format_bytes, format_seconds


@dataclass(frozen=True)
class Column:
    """A setting: its heading, the option that a row must have, its words, and the options that they cover."""

    heading: str
    option: str
    words: Callable[[Row], str]
    tells: frozenset[str]
    is_number: bool = False

    def cell(self, row: Row) -> str:
        """The words for a row; empty where it has no such setting."""
        return self.words(row) if row.options.get(self.option) is not None else ""

    def shared(self, row: Row) -> str:
        """The same where it stands alone in a sentence."""
        cell = self.cell(row)
        return f"{cell} {self.heading}" if self.is_number and cell else cell


def _method(row: Row) -> str:
    """Of a simulation, which has no back-end, only what is not as MPI-IO does it."""
    method = row.options.get("method")
    if row.simulated:
        return "" if method == "auto" else f"collective accesses: {method}"
    return method_words(row)


def _column(heading: str, option: str, words: Callable[[Row], str], *tells: str) -> Column:
    return Column(heading, option, words, frozenset({option, *tells}))


SETTINGS = (
    Column(
        "cells a block",
        "blocks",
        lambda row: f"{row.options['block']}³",
        frozenset({"block"}),
        is_number=True,
    ),
    _column("carried out", "imitation", WORDS["imitation"]),
    _column("directory", "dir", lambda row: str(row.options["dir"])),
    _column("layout", "layout", layout_words),
    _column("back-end", "backend", strategy_words, "collective", "file_view", "pointer", "mpi_io"),
    _column("interface", "interface", interface_words, "mpi_io"),
    _column("opening", "opening", opening_words, "interface", "mpi_io"),
    _column("method", "method", _method),
    Column(
        "transfers",
        "transfer",
        lambda row: format_bytes(row.options["transfer"]),
        frozenset({"transfer"}),
        is_number=True,
    ),
)


@dataclass(frozen=True)
class Columns:
    """The settings that get a column, and those that all rows share, in words."""

    shown: tuple[Column, ...]
    shared: str
    data: bool
    """Whether any row says how much data it moved."""

    @property
    def told(self) -> set[str]:
        """The options that the table and the sentence cover."""
        return set().union(*(column.tells for column in SETTINGS))

    def cells(self, row: Row) -> tuple[str, ...]:
        """The cells of a row."""
        return tuple(column.cell(row) for column in self.shown)


def columns_of(rows: list[Row]) -> Columns:
    """What the table of these rows shows."""
    values = {column.heading: {column.cell(row) for row in rows} for column in SETTINGS}
    same = [column.shared(rows[0]) for column in SETTINGS if rows and len(values[column.heading]) == 1]
    words = join_words(filter(None, same))
    return Columns(
        shown=tuple(column for column in SETTINGS if len(values[column.heading]) > 1),
        shared=f"All cases: {words}." if words else "",
        data=any(row.data_bytes for row in rows),
    )


def data_cell(row: Row) -> str:
    """How much data a phase moved; empty where that is no question."""
    return "" if row.data_bytes is None else data_words(row)


_IN_SETTING = {"ranks", "layout", "backend", "method", "transfer", "files", "cells", "opening", "phase"}


def distinguish(
    rows: list[Row], reads: Callable[[Row], Hashable], known: Collection[str]
) -> Callable[[Row], str]:
    """The options in which a row differs from those that read as it does, save for those that are `known`
    anyway; empty where its case alone reads so."""
    alike: dict[Hashable, list[Row]] = {}
    for row in rows:
        alike.setdefault(reads(row), []).append(row)
    words = {
        key: label_by(group, known) if len({row.case for row in group}) > 1 else _nothing
        for key, group in alike.items()
    }
    return lambda row: words[reads(row)](row)


def distinguish_by_setting(rows: list[Row]) -> Callable[[Row], str]:
    """The same of rows that show their phase and the words for their setting."""
    return distinguish(rows, lambda row: (row.phase, phase_words(row), setting_words(row)), _IN_SETTING)


def _nothing(row: Row) -> str:
    return ""


@dataclass(frozen=True)
class CaseLine:
    """One line of the table of all cases, in words."""

    case: str
    phase: str
    ranks: int
    settings: tuple[str, ...]
    """A cell for each column of settings."""
    data: str
    result: str
    n: int
    width: str
    """Of its interval, where it has one; how the case ended where it has no number."""
    failed: bool
    verdict_why: str
    flags: tuple[str, ...]
    distinction: str = ""
    """How it differs from lines that read alike; empty where there are none."""


MOST = 0.5
"""What holds for more of the rows is said once, above the table."""


@dataclass(frozen=True)
class CommonFlags:
    """Flags of most rows, each with the number of rows that have it."""

    counts: tuple[tuple[str, int], ...]
    rows: int = 0

    @property
    def words(self) -> str:
        """ "All 12 rows: more ranks than cores. Most rows: machine busy (9 of 12); the others say so."; empty
        where there are none."""
        everywhere = [flag for flag, count in self.counts if count == self.rows]
        most = [f"{flag} ({count} of {self.rows})" for flag, count in self.counts if count < self.rows]
        said = [f"All {self.rows} rows: {join_words(everywhere)}."] if everywhere else []
        said += [f"Most rows: {join_words(most)}; the others say so."] if most else []
        return " ".join(said)

    def of_row(self, row: Row) -> tuple[str, ...]:
        """What is exceptional about a row: flags that few have, and those of most that it lacks."""
        own = table_flags(row)
        common = [flag for flag, _ in self.counts]
        lacking = [f"without “{flag}”" for flag in common if flag not in own]
        return (*(flag for flag in own if flag not in common), *(lacking if row.median is not None else ()))


def table_flags(row: Row) -> tuple[str, ...]:
    """The row's flags without that for a missing interval, which its median says."""
    return tuple(flag for flag in row.flags if flag != TOO_FEW)


def common_flags(rows: list[Row]) -> CommonFlags:
    """Of the rows that have a number."""
    found = measured(rows)
    counts = Counter(flag for row in found for flag in table_flags(row))
    most = [(flag, count) for flag, count in counts.items() if count > max(1, MOST * len(found))]
    return CommonFlags(tuple(most), len(found))


@dataclass(frozen=True)
class FurtherLine:
    """Another metric of a phase than its result, in words."""

    case: str
    phase: str
    setting: str
    noun: str
    value: str
    n: int


def case_lines(rows: list[Row], columns: Columns, common: CommonFlags) -> list[CaseLine]:
    """A line a row; those that would read alike say how they differ."""
    plain = {(row.case, row.phase): _case_line(row, columns, common) for row in rows}

    def reads(row: Row) -> tuple[object, ...]:
        line = plain[row.case, row.phase]
        return line.phase, line.ranks, line.settings, line.data

    distinction = distinguish(rows, reads, {"ranks", "block", "phase", *columns.told})
    return [replace(plain[row.case, row.phase], distinction=distinction(row)) for row in rows]


def _case_line(row: Row, columns: Columns, common: CommonFlags) -> CaseLine:
    return CaseLine(
        case=row.case,
        phase=phase_words(row) if row.n else "not measured",
        ranks=row.ranks,
        settings=columns.cells(row),
        data=data_cell(row),
        result=interval_words(row),
        n=row.n,
        width="" if row.lacks_interval else width_words(row),
        failed=row.median is None,
        verdict_why=row.verdict_why or "",
        flags=(*common.of_row(row), *filter(None, [aside_words(row) if row.n else ""])),
    )


def further_lines(rows: list[Row]) -> Iterator[FurtherLine]:
    distinction = distinguish_by_setting(rows)
    for row in rows:
        for one in row.metrics[1:]:
            found = one.estimate
            yield FurtherLine(
                case=row.case,
                phase=phase_words(row),
                setting=", ".join(filter(None, [setting_words(row), distinction(row)])),
                noun=one.metric.noun,
                value=_further_words(one, simulated=row.simulated),
                n=found.count,
            )


def _further_words(one: Measured, *, simulated: bool) -> str:
    found = one.estimate
    if simulated:
        return simulated_words(one.metric, found.median)
    return estimate_words(one.metric, found.median, found.low, found.high, found.count)


@dataclass(frozen=True)
class RequestLine:
    """One kind of request of one phase of one case, in words; empty where nobody knows."""

    case: str
    phase: str
    setting: str
    timed: str
    percentiles: tuple[str, ...]
    done: str
    slow_rank: str


@dataclass(frozen=True)
class HintLine:
    """A hint, what became of it, and in which settings."""

    hint: str
    asked: str
    in_force: str
    state: str
    settings: str


def request_lines(rows: list[Row]) -> Iterator[RequestLine]:
    """A line for each kind of request that was timed, and for each phase whose ranks are known."""
    distinction = distinguish_by_setting(rows)
    for row in rows:
        known: tuple[PooledLatency | None, ...] = row.detail.latencies or (None,)
        if known == (None,) and row.detail.last_done_s is None:
            continue
        for latency in known:
            yield _request_line(row, latency, distinction(row))


def _request_line(row: Row, latency: PooledLatency | None, distinction: str) -> RequestLine:
    first, last, late = row.detail.first_done_s, row.detail.last_done_s, row.detail.straggler
    verb = "" if latency is None or latency.verb == row.phase else f": {latency.verb}"
    return RequestLine(
        case=row.case,
        phase=phase_words(row) + verb,
        setting=", ".join(filter(None, [setting_words(row), distinction])),
        timed=f"{latency.timed:,}" if latency else "",
        percentiles=_percentiles(latency),
        done=f"{format_seconds(first)}, {format_seconds(last)}"
        if first is not None and last is not None
        else "",
        slow_rank=f"{straggler_place(late)}, in {late.times} of {count_words(late.samples, 'sample')}"
        if late
        else "",
    )


def _percentiles(latency: PooledLatency | None) -> tuple[str, ...]:
    if latency is None:
        return ("",) * (len(SHARES) + 1)
    values = [latency.percentile_s(share) for share in SHARES.values()]
    shown = ["too few" if value is None else format_seconds(value) for value in values]
    return (*shown, format_seconds(latency.max_s))


def hint_lines(rows: list[Row]) -> list[HintLine]:
    """Each hint with each fate once, with all settings that it had it in."""
    found: dict[tuple[str, str, str, str], dict[str, None]] = {}
    for row in rows:
        for hint in row.detail.hints:
            key = (hint.hint, hint.value or "", hint.in_force or "", hint.state or "unknown")
            found.setdefault(key, {})[setting_words(row)] = None
    return [HintLine(*key, settings="; ".join(settings)) for key, settings in found.items()]

"""The tables of what lies behind the results: requests, ranks, hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir.analyse.latency import SHARES, PooledLatency
from weir.counts import count_words
from weir.findings.row import Row
from weir.findings.words import phase_words, setting_words
from weir.report.apart import apart_by_setting
from weir.units import format_seconds


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
    apart = apart_by_setting(rows)
    for row in rows:
        known: tuple[PooledLatency | None, ...] = row.detail.latencies or (None,)
        if known == (None,) and row.detail.last_done_s is None:
            continue
        for latency in known:
            yield _line(row, latency, apart(row))


def _line(row: Row, latency: PooledLatency | None, apart: str) -> RequestLine:
    first, last, late = row.detail.first_done_s, row.detail.last_done_s, row.detail.straggler
    verb = "" if latency is None or latency.verb == row.phase else f": {latency.verb}"
    return RequestLine(
        case=row.case,
        phase=phase_words(row) + verb,
        setting=", ".join(filter(None, [setting_words(row), apart])),
        timed=f"{latency.timed:,}" if latency else "",
        percentiles=_percentiles(latency),
        done=f"{format_seconds(first)}, {format_seconds(last)}"
        if first is not None and last is not None
        else "",
        slow_rank=f"{late.rank}, in {late.times} of {count_words(late.samples, 'sample')}" if late else "",
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

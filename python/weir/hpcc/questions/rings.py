"""HPCC's latency and bandwidth: ping-pong, natural and random rings, over rank counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, State
from weir.hpcc.over_ranks import panel_over_ranks
from weir.questions.question import figure
from weir.results.pairing import Ratio, compare, ratio_words
from weir.results.row import Row, measured, with_metric
from weir.results.words import capital, label_by, measured_words
from weir.units import count_words, format_share

RINGS = {"ping-pong": "ping-pong", "natural-ring": "natural ring", "random-ring": "random rings"}
LATENCY, BANDWIDTH = "latency_us", "bandwidth_bytes_per_s"
CONDITIONS = (
    "As HPCC defines them: latency of messages of 8 B and bandwidth per process of messages of 2 MB, unless "
    "the study asks for other sizes; of rings the slowest rank in the fastest repeat, of random rings the "
    "geometric mean, of ping-pong the mean over pairs of ranks. HPCC sends buffers that it never writes, "
    "which the caches hold: its bandwidth can be higher where ranks share memory."
)


def ring_rows(rows: Sequence[Row], key: str) -> list[Row]:
    """The rows of one metric, ping-pong first, by rank counts."""
    found = [row for row in measured(rows) if row.benchmark == "rings" and row.phase in RINGS]
    of_metric = [one for row in found if (one := with_metric(row, key)) is not None]
    return sorted(of_metric, key=lambda row: ([*RINGS].index(row.phase), row.ranks))


def judge_rings(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What random rings keep of the ping-pong's bandwidth, with the most ranks; null without both."""
    bandwidths, latencies = ring_rows(rows, BANDWIDTH), ring_rows(rows, LATENCY)
    ratios = kept_of_ping_pong(bandwidths)
    if not ratios:
        return None
    most = max(ratios, key=lambda ratio: ratio.one.ranks)
    name = label_by(bandwidths, {"phase", "ranks"})
    sentences = [
        f"{capital(metric)}, {RINGS[row.phase]}, {_case(row, name(row))}: {measured_words(row)}."
        for metric, some in (("latency", latencies), ("bandwidth per process", bandwidths))
        for row in some
        if row.ranks == most.one.ranks
    ]
    details = tuple(
        f"{capital(_case(ratio.one, name(ratio.one)))}: bandwidth of random rings over that of ping-pong, "
        f"{ratio_words(ratio)}."
        for ratio in ratios
    )
    return Finding(_title(most), tuple(sentences), CONDITIONS, details, (_asked(most),))


def kept_of_ping_pong(rows: Sequence[Row]) -> list[Ratio]:
    """Random rings over the ping-pong of the same case."""
    ping_pong = {row.case: row for row in rows if row.phase == "ping-pong"}
    pairs = [
        (row, ping_pong[row.case]) for row in rows if row.phase == "random-ring" and row.case in ping_pong
    ]
    return [ratio for pair in pairs if (ratio := compare(*pair)) is not None]


def _case(row: Row, name: str) -> str:
    return ", ".join(filter(None, [count_words(row.ranks, "rank"), name]))


def _title(ratio: Ratio) -> str:
    ranks = count_words(ratio.one.ranks, "rank")
    if ratio.low is None or ratio.high is None:
        return f"With {ranks}, too few samples tell what random rings keep of the ping-pong's bandwidth"
    share = f"{format_share(ratio.ratio)} [{format_share(ratio.low)}, {format_share(ratio.high)}]"
    return f"With {ranks}, each process has {share} of the ping-pong's bandwidth in random rings"


def _asked(ratio: Ratio) -> Asked:
    if ratio.low is not None:
        return Asked("random rings")
    wanting = MORE_SAMPLES
    return Asked("random rings", State.OPEN, wanting, frozenset({ratio.one.case}))


@figure("rings", judge_rings)
def rings(rows: list[Row], card: Card) -> list[Panel]:
    """A panel of latencies and one of bandwidths: a curve each for ping-pong, natural and random rings, over
    rank counts."""
    return [
        Panel(title, panel_over_ranks(found, RINGS.__getitem__))
        for title, key in (("Latency", LATENCY), ("Bandwidth per process", BANDWIDTH))
        if (found := ring_rows(rows, key))
    ]

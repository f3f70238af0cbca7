"""HPCC's latency and bandwidth: ping-pong, natural and random rings, over rank counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.answers import answer
from weir.answers.answer import Answer, Number, Value
from weir.answers.quantities import NUMBER, if_known, quantity_of
from weir.answers.ratios import ratio_of
from weir.figures.figure import Card, Finding, Panel
from weir.hpcc.over_ranks import panel_over_ranks
from weir.network.reach import titled
from weir.questions.question import figure
from weir.results.pairing import Ratio, compare
from weir.results.row import Row, measured, with_metric
from weir.results.words import label_by, placed_ranks_words

RINGS = {"ping-pong": "ping-pong", "natural-ring": "natural ring", "random-ring": "random rings"}
LATENCY, BANDWIDTH = "latency_us", "bandwidth_bytes_per_s"
PER_PROCESS = "bandwidth per process"
CONDITIONS = (
    "As HPCC defines them: messages of 8 B and 2 MB unless asked otherwise; of rings the slowest rank in the "
    "fastest repeat, of random rings the geometric mean, of ping-pong the mean over pairs, between nodes if "
    "there are several. HPCC never writes its send buffers, which the caches hold: bandwidth can be higher "
    "where ranks share memory."
)


def ring_rows(rows: Sequence[Row], key: str) -> list[Row]:
    """The rows of one metric, ping-pong first, by rank counts."""
    found = [row for row in measured(rows) if row.benchmark == "rings" and row.phase in RINGS]
    of_metric = [one for row in found if (one := _of_network(row, key)) is not None]
    return sorted(of_metric, key=lambda row: ([*RINGS].index(row.phase), row.ranks))


def _of_network(row: Row, key: str) -> Row | None:
    """With that metric; of a ping-pong also within nodes, that between them."""
    own = with_metric(row, key)
    between = with_metric(row, f"nodes_{key}") if row.phase == "ping-pong" else None
    return own if own is None or between is None else replace(between, metric=own.metric)


def judge_rings(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What random rings keep of the ping-pong's bandwidth, with the most ranks; null without both."""
    bandwidths, latencies = ring_rows(rows, BANDWIDTH), ring_rows(rows, LATENCY)
    ratios = kept_of_ping_pong(bandwidths)
    if not ratios:
        return None
    most = max(ratios, key=lambda ratio: ratio.one.ranks)
    kept = Answer("", (placed_ranks_words(most.one),), _share(most), weight=NUMBER)
    others = label_by(bandwidths, {"phase", "ranks"})

    def number(of: str, row: Row, value: Value) -> Number:
        return Number((of, RINGS[row.phase], placed_ranks_words(row), others(row)), value)

    return Finding(
        conditions=CONDITIONS,
        answers=(if_known(kept, frozenset({most.one.case})),),
        columns=("what", "ring", "ranks", "case"),
        numbers=(
            *(
                number(of, row, quantity_of(row))
                for of, some in (("latency", latencies), (PER_PROCESS, bandwidths))
                for row in some
                if row.ranks == most.one.ranks
            ),
            *(number(PER_PROCESS, one.one, _share(one)) for one in ratios),
        ),
    )


def _share(ratio: Ratio) -> answer.Ratio:
    return replace(ratio_of(ratio, "of ping-pong"), unit="%")


def kept_of_ping_pong(rows: Sequence[Row]) -> list[Ratio]:
    """Random rings over the ping-pong of the same case."""
    ping_pong = {row.case: row for row in rows if row.phase == "ping-pong"}
    pairs = [
        (row, ping_pong[row.case]) for row in rows if row.phase == "random-ring" and row.case in ping_pong
    ]
    return [ratio for pair in pairs if (ratio := compare(*pair)) is not None]


@figure("rings", judge_rings, "Random rings", "How much bandwidth is left when all ranks talk?")
def rings(rows: list[Row], card: Card) -> list[Panel]:
    """A panel of latencies and one of bandwidths: a curve each for ping-pong, natural and random rings, over
    rank counts."""
    return [
        Panel(titled(title, found), panel_over_ranks(found, RINGS.__getitem__))
        for title, key in (("Latency", LATENCY), ("Bandwidth per process", BANDWIDTH))
        if (found := ring_rows(rows, key))
    ]

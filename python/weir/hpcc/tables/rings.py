"""Latency and bandwidth by HPCC's names and units."""

from collections.abc import Sequence
from typing import Any

from weir.analyse.statistics import MedianEstimate
from weir.network.reach import titled
from weir.results.printed import Printed, estimate_data, median_words
from weir.results.row import Row, measured
from weir.results.words import label_by, placed_ranks_words
from weir.tables.table import Column, Table, printed_cell, printed_notes, table_of_all
from weir.units import Shown

COLUMNS = ("quantity", "value")
USEC, GBYTES = Shown("µs"), Shown("GB/s", 1e9)
QUANTITIES = {
    "MinPingPongLatency_usec": ("ping-pong", "least_latency_us", USEC),
    "AvgPingPongLatency_usec": ("ping-pong", "latency_us", USEC),
    "MaxPingPongLatency_usec": ("ping-pong", "greatest_latency_us", USEC),
    "NaturallyOrderedRingLatency_usec": ("natural-ring", "latency_us", USEC),
    "RandomlyOrderedRingLatency_usec": ("random-ring", "latency_us", USEC),
    "MinPingPongBandwidth_GBytes": ("ping-pong", "least_bandwidth_bytes_per_s", GBYTES),
    "AvgPingPongBandwidth_GBytes": ("ping-pong", "bandwidth_bytes_per_s", GBYTES),
    "MaxPingPongBandwidth_GBytes": ("ping-pong", "greatest_bandwidth_bytes_per_s", GBYTES),
    "NaturallyOrderedRingBandwidth_GBytes": ("natural-ring", "bandwidth_bytes_per_s", GBYTES),
    "RandomlyOrderedRingBandwidth_GBytes": ("random-ring", "bandwidth_bytes_per_s", GBYTES),
}
"""HPCC's name of each number: the phase and the metric here, and its unit (GBytes are 10^9 B/s)."""


@table_of_all("rings", COLUMNS)
def rings(rows: Sequence[Row]) -> Table | None:
    """A line a quantity and a column a case, beside published ones; null without rings."""
    found = [row for row in measured(rows) if row.benchmark == "rings"]
    if not found:
        return None
    published = list(dict.fromkeys(one for row in rows for one in row.printed if one.table == "rings"))
    name = label_by(found, {"phase", "ranks"})
    cases = {row.case: row for row in found}
    headings = [", ".join(filter(None, [placed_ranks_words(row), name(row)])) for row in cases.values()]
    return Table(
        name="rings",
        title=titled("Latency and bandwidth, by HPCC's names", found),
        caption=_caption(published),
        columns=(
            Column("quantity"),
            *(Column(heading, "here") for heading in headings),
            *(Column(one.machine, "printed") for one in published),
        ),
        rows=tuple(_line(quantity, found, list(cases), published) for quantity in QUANTITIES),
        notes=tuple(printed_notes(published)),
        data={"cases": [_data(row, found) for row in cases.values()]},
    )


def _caption(published: Sequence[Printed]) -> str:
    here = (
        "Here: medians over the samples, in brackets their intervals of 95 %; bandwidths are of a process. "
        "HPCC's program sends memory that it never wrote, on a node out of a cache: unless sent = unwritten, "
        "its bandwidths are higher there"
    )
    return ". ".join([here, *(f"{one.machine}: {one.source}" for one in published)]) + "."


def _estimate(quantity: str, case: str, rows: Sequence[Row]) -> MedianEstimate | None:
    phase, key, _ = QUANTITIES[quantity]
    of_phase = (row for row in rows if row.case == case and row.phase == phase)
    return next((one.estimate for row in of_phase for one in row.metrics if one.metric.key == key), None)


def _line(
    quantity: str, rows: Sequence[Row], cases: Sequence[str], published: Sequence[Printed]
) -> tuple[str, ...]:
    shown = QUANTITIES[quantity][2]
    estimates = [_estimate(quantity, case, rows) for case in cases]
    return (
        quantity,
        *("none" if one is None else median_words(one, shown) for one in estimates),
        *(printed_cell(one.number(quantity, "value")) for one in published),
    )


def _data(row: Row, rows: Sequence[Row]) -> dict[str, Any]:
    found = {quantity: _estimate(quantity, row.case, rows) for quantity in QUANTITIES}
    numbers = {
        quantity: estimate_data("us" if key.endswith("_us") else "bytes_per_s", found[quantity])
        for quantity, (_, key, _) in QUANTITIES.items()
    }
    return {"case": row.case, "ranks": row.ranks, "nodes": row.nodes, **numbers}

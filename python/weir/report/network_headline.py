"""What a person wants to know first of the network: what a small message takes, how fast large ones move, and
what it takes all ranks to meet."""

from collections.abc import Iterable

from weir.results.network_rows import (
    BANDWIDTH,
    TIME,
    function_of,
    message_bytes,
    network_rows,
    ranks_of,
)
from weir.results.row import Row, median_of, with_metric

SMALL = 8
"""Bytes of the message whose time is called latency, as in HPCC."""


def network_results(rows: Iterable[Row]) -> dict[str, Row]:
    """The rows to show, by their labels: latency and bandwidth of PingPong, and Barrier on the most ranks."""
    found = network_rows(rows)
    pings = [row for row in found if function_of(row) == "PingPong" and message_bytes(row)]
    barriers = [row for row in found if function_of(row) == "Barrier" and ranks_of(row) == row.ranks]
    chosen = {
        "Latency": _with(TIME, min(pings, key=lambda row: abs(message_bytes(row) - SMALL), default=None)),
        "Bandwidth": _best([_with(BANDWIDTH, row) for row in pings]),
        "Barrier": _with(TIME, max(barriers, key=ranks_of, default=None)),
    }
    return {label: row for label, row in chosen.items() if row}


def _with(key: str, row: Row | None) -> Row | None:
    return None if row is None else with_metric(row, key)


def _best(rows: Iterable[Row | None]) -> Row | None:
    return max((row for row in rows if row), key=median_of, default=None)

"""What a person wants to know first of the network: what a small message takes, how fast large ones move, and
what it takes all ranks to meet."""

from collections.abc import Iterable, Mapping, Sequence

from weir.measure.plan import Plan
from weir.network.rows import (
    BANDWIDTH,
    BENCHMARK,
    TIME,
    function_of,
    message_bytes,
    network_rows,
    ranks_of,
)
from weir.report.headline import Headline, headline, most
from weir.results.row import Row, median_of, with_metric
from weir.study.case import Case
from weir.units import count_words

SMALL = 8
"""Bytes of the message whose time is called latency, as in HPCC."""


@headline(40)
class NetworkHeadline(Headline):
    """Latency and bandwidth of PingPong, and Barrier on the most ranks."""

    def takes(self, row: Row) -> bool:
        """Those of the benchmark."""
        return row.benchmark == BENCHMARK

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """By their labels; what was not measured is left out."""
        found = network_rows(rows)
        pings = [row for row in found if function_of(row) == "PingPong" and message_bytes(row)]
        barriers = [row for row in found if function_of(row) == "Barrier" and ranks_of(row) == row.ranks]
        smallest = min(pings, key=lambda row: abs(message_bytes(row) - SMALL), default=None)
        barrier = max(barriers, key=ranks_of, default=None)
        among = f", {count_words(ranks_of(barrier), 'rank')}" if barrier else ""
        chosen = {
            "Latency": _with(TIME, smallest),
            "Bandwidth": _best([_with(BANDWIDTH, row) for row in pings]),
            f"Barrier{among}": _with(TIME, barrier),
        }
        return {label: row for label, row in chosen.items() if row}

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """The same of cases."""
        own = [case for case in cases if case.benchmark == BENCHMARK]
        pings = [case for case in own if case.options.get("function") == "PingPong" and case.options["bytes"]]
        barriers = [case for case in own if case.options.get("function") == "Barrier"]
        yield from most(pings, lambda case: -abs(case.options["bytes"] - SMALL))
        yield from most(pings, lambda case: case.options["bytes"])
        yield from most(barriers, lambda case: case.ranks)


def _with(key: str, row: Row | None) -> Row | None:
    return None if row is None else with_metric(row, key)


def _best(rows: Iterable[Row | None]) -> Row | None:
    return max((row for row in rows if row), key=median_of, default=None)

"""What a person wants to know first of the network: what a small message takes, how fast large ones move, and
what it takes all ranks to meet."""

from collections.abc import Iterable, Mapping, Sequence

from weir.measure.plan import Plan
from weir.network.reach import across_if_any, titled
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
from weir.report.headline_rows import best_row, first_rates
from weir.results.row import Row, median_of, with_metric
from weir.results.words import placed_ranks_words
from weir.study.case import Case

SMALL = 8
"""Bytes of the message whose time is called latency, as in HPCC."""
LINKS, PHASES = "links", ("latency", "bandwidth")


@headline(40)
class NetworkHeadline(Headline):
    """Latency and bandwidth of PingPong, and Barrier on the most ranks."""

    def takes(self, row: Row) -> bool:
        """Those of the benchmark."""
        return row.benchmark == BENCHMARK

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """By their labels; what was not measured is left out."""
        found = network_rows(rows)
        barriers = [row for row in found if function_of(row) == "Barrier" and ranks_of(row) == row.ranks]
        barrier = max(barriers, key=ranks_of, default=None)
        among = f", {placed_ranks_words(barrier, ranks_of(barrier))}" if barrier else ""
        named = {titled(what, [row]): row for what, row in messages(found).items()}
        return named | ({f"Barrier{among}": row} if (row := _with(TIME, barrier)) else {})

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """The same of cases."""
        own = [case for case in cases if case.benchmark == BENCHMARK]
        pings = [case for case in own if case.options.get("function") == "PingPong" and case.options["bytes"]]
        barriers = [case for case in own if case.options.get("function") == "Barrier"]
        yield from most(pings, lambda case: -abs(case.options["bytes"] - SMALL))
        yield from most(pings, lambda case: case.options["bytes"])
        yield from most(barriers, lambda case: case.ranks)


@headline(41)
class LinksHeadline(Headline):
    """Latency and bandwidth of a pair, between nodes if there are several."""

    def takes(self, row: Row) -> bool:
        """Those of the benchmark `links`."""
        return row.benchmark == LINKS

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """Of the study's first comparison."""
        rates = first_rates(across_if_any(rows))
        found = {name: best_row(rates, name) for name in PHASES}
        return {titled(name.capitalize(), [row]): row for name, row in found.items() if row}


def messages(rows: list[Row]) -> dict[str, Row]:
    """Latency and bandwidth of PingPong, as far as they were measured: between nodes where any was."""
    pings = [row for row in network_rows(rows) if function_of(row) == "PingPong" and message_bytes(row)]
    pings = across_if_any(pings)
    smallest = min(pings, key=lambda row: abs(message_bytes(row) - SMALL), default=None)
    best = _best([_with(BANDWIDTH, row) for row in pings])
    return {what: row for what, row in (("Latency", _with(TIME, smallest)), ("Bandwidth", best)) if row}


def _with(key: str, row: Row | None) -> Row | None:
    return None if row is None else with_metric(row, key)


def _best(rows: Iterable[Row | None]) -> Row | None:
    return max((row for row in rows if row), key=median_of, default=None)

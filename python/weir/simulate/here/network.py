"""Messages between ranks of one node, and what ranks do beside them."""

from collections.abc import Sequence
from typing import Any

from weir.results.row import Row
from weir.simulate.curve import Curve, curve_of
from weir.simulate.here.samples import Cases, assumed, median_of
from weir.simulate.kinds import TIME
from weir.store.records import SampleRecord

ONE_NODE = "one node was measured: no message leaves it"
SIZES = tuple(kib << 10 for kib in (1, 4, 8, 16, 64, 128, 256, 512, 1024, 2048, 4096))
FRESH_SIZES = tuple(kib << 10 for kib in (1, 8, 64, 256, 512, 1024, 4096))
SMALL = 8
"""Bytes of a message that is all way."""


def network_of(cases: Cases) -> dict[str, Any]:
    """The table `[network]`."""
    first = median_of(_row(cases, "PingPong", SMALL), _seconds).median
    return {
        "topology": assumed("full", ONE_NODE),
        "latency": assumed(TIME.spell(first), f"{ONE_NODE}; as within"),
        "overhead": assumed("0", "it is in the times of messages"),
        "link": assumed("100 GB/s", ONE_NODE),
        "one_within": _given(_one(cases), "PingPong", _rows(cases, "PingPong")),
        "both_within": _given(_both(cases), "Sendrecv of two ranks", _rows(cases, "Sendrecv")),
        "further_within": _given(
            _further(cases), "Exchange of two ranks, less a Sendrecv", _rows(cases, "Exchange", "Sendrecv")
        ),
        "rooted_within": {
            "value": TIME.spell(_rooted(cases)),
            "source": "measured: Scatter of 8 B to one rank, less a PingPong",
            "n": _samples([_scatter(cases), _row(cases, "PingPong", SMALL)]),
        },
        "fresh_within": _given(
            _fresh(cases),
            "Sendrecv of what was just written, less one of what was kept",
            [_sent(cases, sent, size) for sent in ("fresh", "kept") for size in FRESH_SIZES],
        ),
    }


def beside_messages(cases: Cases) -> dict[str, Any]:
    """Of the table `[nodes]`."""
    to_root = [*_rows(cases, "Reduce", "PingPong"), _scatter(cases)]
    return {
        "copies": _given(_copies(cases), "LocalCopy on two ranks", _rows(cases, "LocalCopy")),
        "combines": _given(_combines(cases), "Reduce on two ranks, less a message to its root", to_root),
    }


def _given(curve: Curve, what: str, rows: Sequence[Row]) -> dict[str, Any]:
    return {"value": curve.text, "source": f"measured: {what}", "n": _samples(rows)}


def _samples(rows: Sequence[Row]) -> int:
    """As many as the row has that has fewest."""
    return min(len(row.records) for row in rows)


def _one(cases: Cases) -> Curve:
    return _of(cases, "PingPong")


def _both(cases: Cases) -> Curve:
    return _of(cases, "Sendrecv")


def _further(cases: Cases) -> Curve:
    sendrecv = _of(cases, "Sendrecv")
    return curve_of((s, max(0.0, time - sendrecv(s))) for s, time in _of(cases, "Exchange").points)


def _fresh(cases: Cases) -> Curve:
    def time(size: int, sent: str) -> float:
        return median_of(_sent(cases, sent, size), _seconds).median

    return curve_of((s, max(0.0, time(s, "fresh") - time(s, "kept"))) for s in FRESH_SIZES)


def _copies(cases: Cases) -> Curve:
    return _of(cases, "LocalCopy")


def _combines(cases: Cases) -> Curve:
    message, rooted = _of(cases, "PingPong"), _rooted(cases)
    reduce = _of(cases, "Reduce")
    return curve_of((size, max(0.0, time - message(size) - rooted)) for size, time in reduce.points)


def _rooted(cases: Cases) -> float:
    """What a function from or to one rank takes beside its message."""
    scatter = median_of(_scatter(cases), _seconds).median
    return max(0.0, scatter - _of(cases, "PingPong")(SMALL))


def _of(cases: Cases, function: str) -> Curve:
    """Times of a function's call for sizes."""
    times = [median_of(row, _seconds).median for row in _rows(cases, function)]
    return curve_of(zip((SMALL, *SIZES), times, strict=True))


def _rows(cases: Cases, *functions: str) -> list[Row]:
    return [_row(cases, function, size) for function in functions for size in (SMALL, *SIZES)]


def _row(cases: Cases, function: str, size: int) -> Row:
    return cases.of("messages", "call", function=function, bytes=size)


def _scatter(cases: Cases) -> Row:
    return cases.of("calls-of-functions", "call", bytes=SMALL)


def _sent(cases: Cases, sent: str, size: int) -> Row:
    return cases.of("just-written", "call", sent=sent, bytes=size)


def _seconds(sample: SampleRecord) -> float:
    """Of a call; of a message one way, in a PingPong."""
    return next((one.value for one in sample.metrics if one.key == "time_us" and one.value), 0.0) / 1e6

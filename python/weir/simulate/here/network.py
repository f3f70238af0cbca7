"""Messages between ranks of one node, and what ranks do beside them."""

from collections.abc import Callable
from typing import Any

from weir.results.row import Row
from weir.simulate.curve import Curve, curve_of
from weir.simulate.here.samples import Cases, assumed, median_of
from weir.simulate.kinds import TIME
from weir.store.records import SampleRecord

ONE_NODE = "one node was measured: no message leaves it"
SIZES = tuple(kib << 10 for kib in (1, 4, 8, 64, 256, 1024, 4096))
SMALL = 8
"""Bytes of a message that is all way."""


def network_of(cases: Cases) -> dict[str, Any]:
    """The table `[network]`."""
    row = cases.of("messages", "call", function="PingPong", bytes=SMALL)
    return {
        "topology": assumed("full", ONE_NODE),
        "latency": assumed(TIME.spell(median_of(row, _seconds).median), f"{ONE_NODE}; as within"),
        "overhead": {
            "value": TIME.spell(_overhead(cases)),
            "source": "measured: half of what a Scatter of 8 B to one takes longer than a PingPong",
            "n": len(row.records),
        },
        "link": assumed("100 GB/s", ONE_NODE),
        "one_within": _given(cases, _one, "PingPong"),
        "both_within": _given(cases, _both, "Sendrecv of two ranks, less overheads"),
        "further_within": _given(
            cases, _further, "Exchange of two ranks, less a Sendrecv of twice the bytes"
        ),
        "fresh_within": _given(cases, _fresh, "Sendrecv of what was just written, less one of what was kept"),
    }


def beside_messages(cases: Cases) -> dict[str, Any]:
    """Of the table `[nodes]`."""
    return {
        "copies": _given(cases, _copies, "LocalCopy on two ranks"),
        "combines": _given(cases, _combines, "Reduce on two ranks, less a message and its overheads"),
    }


def _given(cases: Cases, curve: Callable[[Cases], Curve], what: str) -> dict[str, Any]:
    samples = min(len(_row(cases, "PingPong", size).records) for size in (SMALL, *SIZES))
    return {"value": curve(cases).text, "source": f"measured: {what}", "n": samples}


def _one(cases: Cases) -> Curve:
    return _of(cases, "PingPong")


def _both(cases: Cases) -> Curve:
    overheads = 2 * _overhead(cases)
    return curve_of((size, max(0.0, time - overheads)) for size, time in _of(cases, "Sendrecv").points)


def _further(cases: Cases) -> Curve:
    sendrecv = _of(cases, "Sendrecv")
    return curve_of((s, max(0.0, time - sendrecv(2 * s))) for s, time in _of(cases, "Exchange").points)


def _fresh(cases: Cases) -> Curve:
    def time(size: int, sent: str) -> float:
        return median_of(cases.of("just-written", "call", sent=sent, bytes=size), _seconds).median

    sizes = [size for size in SIZES if size != 4 << 10]
    return curve_of((size, max(0.0, time(size, "written") - time(size, "kept"))) for size in sizes)


def _copies(cases: Cases) -> Curve:
    return _of(cases, "LocalCopy")


def _combines(cases: Cases) -> Curve:
    message, overheads = _of(cases, "PingPong"), 2 * _overhead(cases)
    reduce = _of(cases, "Reduce")
    return curve_of((size, max(0.0, time - message(size) - overheads)) for size, time in reduce.points)


def _overhead(cases: Cases) -> float:
    """Of a processor for a message, at each end, in a function that is not point to point."""
    scatter = median_of(cases.of("calls-of-functions", "call", bytes=SMALL), _seconds).median
    return max(0.0, scatter - _of(cases, "PingPong")(SMALL)) / 2


def _of(cases: Cases, function: str) -> Curve:
    """Times of a function's call for sizes."""
    sizes = (SMALL, *SIZES)
    return curve_of((size, median_of(_row(cases, function, size), _seconds).median) for size in sizes)


def _row(cases: Cases, function: str, size: int) -> Row:
    return cases.of("messages", "call", function=function, bytes=size)


def _seconds(sample: SampleRecord) -> float:
    """Of a call; of a message one way, in a PingPong."""
    return next((one.value for one in sample.metrics if one.key == "time_us" and one.value), 0.0) / 1e6

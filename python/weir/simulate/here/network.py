"""Messages between ranks of one node, and what ranks do beside them."""

from collections.abc import Callable
from typing import Any

from weir.results.row import Row
from weir.simulate.curve import Curve, curve_of
from weir.simulate.here.samples import Cases, assumed, median_of
from weir.simulate.kinds import TIME
from weir.store.records import SampleRecord

ONE_NODE = "one node was measured: no message leaves it"
SIZES = tuple(kib << 10 for kib in (1, 4, 8, 16, 64, 128, 256, 512, 1024, 2048, 4096))
WRITTEN_SIZES = tuple(kib << 10 for kib in (1, 8, 64, 256, 512, 1024, 4096))
SMALL = 8
"""Bytes of a message that is all way."""


def network_of(cases: Cases) -> dict[str, Any]:
    """The table `[network]`."""
    row = cases.of("messages", "call", function="PingPong", bytes=SMALL)
    return {
        "topology": assumed("full", ONE_NODE),
        "latency": assumed(TIME.spell(median_of(row, _seconds).median), f"{ONE_NODE}; as within"),
        "overhead": assumed("0", "it is in the times of messages"),
        "link": assumed("100 GB/s", ONE_NODE),
        "one_within": _given(cases, _one, "PingPong"),
        "both_within": _given(cases, _both, "Sendrecv of two ranks"),
        "further_within": _given(cases, _further, "Exchange of two ranks, less a Sendrecv"),
        "rooted_within": {
            "value": TIME.spell(_rooted(cases)),
            "source": "measured: Scatter of 8 B to one rank, less a PingPong",
            "n": len(row.records),
        },
        "fresh_within": _given(cases, _fresh, "Sendrecv of what was just written, less one of what was kept"),
    }


def beside_messages(cases: Cases) -> dict[str, Any]:
    """Of the table `[nodes]`."""
    return {
        "copies": _given(cases, _copies, "LocalCopy on two ranks"),
        "combines": _given(cases, _combines, "Reduce on two ranks, less a message to its root"),
    }


def _given(cases: Cases, curve: Callable[[Cases], Curve], what: str) -> dict[str, Any]:
    samples = min(len(_row(cases, "PingPong", size).records) for size in (SMALL, *SIZES))
    return {"value": curve(cases).text, "source": f"measured: {what}", "n": samples}


def _one(cases: Cases) -> Curve:
    return _of(cases, "PingPong")


def _both(cases: Cases) -> Curve:
    return _of(cases, "Sendrecv")


def _further(cases: Cases) -> Curve:
    sendrecv = _of(cases, "Sendrecv")
    return curve_of((s, max(0.0, time - sendrecv(s))) for s, time in _of(cases, "Exchange").points)


def _fresh(cases: Cases) -> Curve:
    def time(size: int, sent: str) -> float:
        return median_of(cases.of("just-written", "call", sent=sent, bytes=size), _seconds).median

    return curve_of((s, max(0.0, time(s, "written") - time(s, "kept"))) for s in WRITTEN_SIZES)


def _copies(cases: Cases) -> Curve:
    return _of(cases, "LocalCopy")


def _combines(cases: Cases) -> Curve:
    message, rooted = _of(cases, "PingPong"), _rooted(cases)
    reduce = _of(cases, "Reduce")
    return curve_of((size, max(0.0, time - message(size) - rooted)) for size, time in reduce.points)


def _rooted(cases: Cases) -> float:
    """What a function from or to one rank takes beside its message."""
    scatter = median_of(cases.of("calls-of-functions", "call", bytes=SMALL), _seconds).median
    return max(0.0, scatter - _of(cases, "PingPong")(SMALL))


def _of(cases: Cases, function: str) -> Curve:
    """Times of a function's call for sizes."""
    sizes = (SMALL, *SIZES)
    return curve_of((size, median_of(_row(cases, function, size), _seconds).median) for size in sizes)


def _row(cases: Cases, function: str, size: int) -> Row:
    return cases.of("messages", "call", function=function, bytes=size)


def _seconds(sample: SampleRecord) -> float:
    """Of a call; of a message one way, in a PingPong."""
    return next((one.value for one in sample.metrics if one.key == "time_us" and one.value), 0.0) / 1e6

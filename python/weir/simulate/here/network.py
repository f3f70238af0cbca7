"""Messages between ranks of one node."""

from typing import Any

from weir.results.row import Row
from weir.simulate.here.samples import Cases, assumed, measured, median_of
from weir.simulate.kinds import RATE, TIME
from weir.store.records import SampleRecord

ONE_NODE = "one node was measured: no message leaves it"


def network_of(cases: Cases) -> dict[str, Any]:
    """The table `[network]`. What a processor does for a message is not told from its way: it is all way."""
    latency = measured(TIME, _small(cases), _seconds, "PingPong of 8 B")
    large = _row(cases, 4 << 20)
    first = median_of(_small(cases), _seconds).median
    bandwidth = measured(
        RATE, large, lambda one: (4 << 20) / (_seconds(one) - first), "PingPong of 4 MiB, less that of 8 B"
    )
    return {
        "topology": assumed("full", ONE_NODE),
        "latency": assumed(latency["value"], f"{ONE_NODE}; as within"),
        "overhead": assumed("0", "it is in the latency"),
        "link": assumed("100 GB/s", ONE_NODE),
        "latency_within": latency,
        "bandwidth_within": bandwidth,
    }


def _row(cases: Cases, size: int) -> Row:
    return cases.of("messages", "call", bytes=size)


def _small(cases: Cases) -> Row:
    return _row(cases, 8)


def _seconds(sample: SampleRecord) -> float:
    """Of a message one way."""
    return next((one.value for one in sample.metrics if one.key == "time_us" and one.value), 0.0) / 1e6

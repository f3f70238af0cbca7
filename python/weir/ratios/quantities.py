"""The quantities of a balance, as figure 5 of Saini et al. (2006) has them: a column each.

Every one is of all processes together, divided by the rate of HPL, so that machines of any size compare. The
source: S. Saini et al., Performance Evaluation of Supercomputers using HPCC and IMB Benchmarks, IPDPS 2006,
section 4.1, after R. Rabenseifner, S. R. Tiyyagura and M. Mueller, EuroPVM/MPI 2005.
"""

from dataclasses import dataclass

from weir.analyse.metric import Metric
from weir.hpcc.rates import HPL, MESSAGES, SystemRate
from weir.results.row import Row


@dataclass(frozen=True)
class Quantity:
    """`phase`: as rows name it; `column`: as figure 5 does; `rate` is multiplied by `scale`, and divided by
    that of HPL where it is `per_hpl`; `reciprocal`: 1 / rate. `is_global`: one job of all ranks, of which
    small systems get more for each operation of HPL, so that those below 1 Tflop/s do not compare."""

    phase: str
    column: str
    metric: Metric
    rate: SystemRate
    per_hpl: bool = True
    scale: float = 1.0
    reciprocal: bool = False
    is_global: bool = False

    def is_within(self, row: Row) -> bool:
        """Whether it is of the network, and this number of it of messages within one node."""
        return self.rate.phase in MESSAGES and row.within_node

    def value(self, rate: float, hpl: float) -> float:
        """Of a rate as it was measured, and that of HPL in flop/s; both are positive."""
        whole = self.scale / rate if self.reciprocal else self.scale * rate
        return whole / hpl if self.per_hpl else whole


SMALL_FLOP_PER_S = 1e12
"""Below it a system is small."""


def _metric(key: str, unit: str, noun: str) -> Metric:
    return Metric(key, unit, noun, True)


RATE = Quantity("HPL", "HPL", _metric("flop_per_s", "flop/s", "rate of HPL"), HPL, per_hpl=False)
RINGS = Quantity(
    "random rings / HPL",
    "random rings",
    _metric("rings_per_hpl", "B/kflop", "random rings for each operation"),
    SystemRate("random-ring", "bandwidth_bytes_per_s"),
    scale=1e3,
)
COPY = Quantity(
    "STREAM copy / HPL",
    "STREAM copy",
    _metric("copy_per_hpl", "B/flop", "STREAM copy for each operation"),
    SystemRate("star-copy"),
)
QUANTITIES = (
    RATE,
    Quantity(
        "DGEMM / HPL",
        "DGEMM",
        _metric("dgemm_per_hpl", "flop/flop", "DGEMM for each operation"),
        SystemRate("star-dgemm"),
    ),
    Quantity(
        "FFT / HPL",
        "FFT",
        _metric("fft_per_hpl", "flop/flop", "FFT for each operation"),
        SystemRate("fft"),
        is_global=True,
    ),
    Quantity(
        "PTRANS / HPL",
        "PTRANS",
        _metric("ptrans_per_hpl", "B/flop", "PTRANS for each operation"),
        SystemRate("ptrans"),
        is_global=True,
    ),
    COPY,
    RINGS,
    Quantity(
        "1 / latency of random rings",
        "1 / latency",
        _metric("per_latency", "1/µs", "messages a time"),
        SystemRate("random-ring", "latency_us", of_all=False),
        per_hpl=False,
        reciprocal=True,
    ),
    Quantity(
        "RandomAccess / HPL",
        "RandomAccess",
        _metric("updates_per_hpl", "update/flop", "updates for each operation"),
        SystemRate("random-access"),
        is_global=True,
    ),
)
"""In the order of figure 5; its second column, HPL over HPL, is always 1."""

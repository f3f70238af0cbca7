"""Numbers and orders that Saini et al. 2006 (S2, "Performance Evaluation of Supercomputers using HPCC and IMB
Benchmarks") print, and which of them values of the machines are fitted to."""

from dataclasses import dataclass

BALANCE = "balance"
"""Bytes of random rings for each kflop of HPL; else a function of the Intel MPI Benchmarks."""


@dataclass(frozen=True)
class Printed:
    """A number. `fits`: the keys of the machine that were searched until it came out; none: a prediction."""

    machine: str
    what: str
    ranks: int
    value: float
    place: str
    fits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Alike:
    """Two machines are said to be the same at a function, and a value of the first is fitted to that."""

    machine: str
    other: str
    what: str
    ranks: int
    place: str
    fits: tuple[str, ...]


@dataclass(frozen=True)
class Ordered:
    """Machines from the quickest to the slowest; those of one tuple are told apart by nobody."""

    what: str
    ranks: int
    machines: tuple[tuple[str, ...], ...]
    place: str


@dataclass(frozen=True)
class Changes:
    """What a machine does at the second number of ranks is between these multiples of what it does at the
    first."""

    machine: str
    what: str
    ranks: tuple[int, int]
    between: tuple[float, float]
    place: str


IMB_MB = float(1 << 20)
SX8, X1, X1_SSP, XEON, OPTERON = (
    "nec-sx8",
    "cray-x1",
    "cray-x1-ssp",
    "xeon-infiniband",
    "opteron-myrinet",
)
BX2, BX2_FOUR, ALTIX3 = "altix-numalink4", "altix-numalink4-four-boxes", "altix-numalink3"

HPL_SHARES = {
    SX8: (0.984, "paper: S2 table 2, 8.729 Tflop/s on 576 CPUs of 15.4 Gflop/s"),
    OPTERON: (1 / 1.925, "paper: S2 table 2 and 4.1.2, the largest DGEMM/HPL is the Opteron's"),
    BX2: (0.94, "sheet: TOP500, Columbia: 51.87 of 60.96 Tflop/s; flops is 0.906 of the peak"),
    BX2_FOUR: (0.94, "sheet: as altix-numalink4"),
    ALTIX3: (0.94, "sheet: as altix-numalink4"),
}
"""Of `nodes.flops`, what HPL reaches, and where that is from; no key of a model."""

NUMBERS = (
    Printed(BX2, BALANCE, 506, 203.12, "4.1.1", ("network.link",)),
    Printed(ALTIX3, BALANCE, 440, 93.81, "4.1.1"),
    Printed(BX2_FOUR, BALANCE, 2024, 23.18, "4.1.1", ("network.bisection",)),
    Printed(SX8, BALANCE, 576, 59.64, "4.1.1"),
    Printed(OPTERON, BALANCE, 64, 24.41, "4.1.1", ("network.bisection",)),
    Printed(SX8, "Sendrecv", 2, 47.4e3 * IMB_MB, "4.2"),
    Printed(X1_SSP, "Sendrecv", 2, 7.6e3 * IMB_MB, "4.2", ("nodes.copy", "network.bandwidth_within")),
)
ALIKE = (Alike(X1, BX2, "Alltoall", 64, "4.2, figure 12: very close", ("network.bandwidth",)),)
BY_SYSTEM = ((SX8,), (X1,), (BX2,), (XEON,), (OPTERON,))
ORDERS = (
    Ordered("Alltoall", 64, BY_SYSTEM, "4.2, 5.2"),
    Ordered("Alltoall", 8, ((SX8,), (BX2,), (X1,), (XEON, OPTERON)), "4.2"),
    Ordered("Allreduce", 64, BY_SYSTEM, "4.2"),
    Ordered("Reduce", 64, ((SX8,), (X1,), (BX2, XEON), (OPTERON,)), "4.2"),
    Ordered("Reduce_scatter", 64, ((SX8,), (X1,), (BX2, XEON), (OPTERON,)), "4.2"),
    Ordered("Allgather", 64, ((SX8,), (X1,), (BX2, XEON), (OPTERON,)), "4.2"),
    Ordered("Bcast", 64, ((SX8,), (BX2,), (X1,), (XEON,), (OPTERON,)), "4.2"),
    Ordered("Sendrecv", 64, ((SX8,), (BX2,), (X1, XEON, OPTERON)), "4.2"),
    Ordered("Exchange", 64, ((SX8,), (XEON,), (X1, BX2), (OPTERON,)), "4.2"),
    Ordered("Barrier", 8, ((BX2,), (SX8, X1, XEON, OPTERON)), "4.2"),
)
CHANGES = (
    Changes(SX8, BALANCE, (128, 576), (0.9, 1.1), "4.1.1: consistent"),
    Changes(OPTERON, BALANCE, (32, 64), (0.0, 0.7), "4.1.1: a strong decrease"),
    Changes(XEON, "Exchange", (2, 512), (0.9, 1.1), "4.2: almost constant"),
    *(Changes(one, "Sendrecv", (16, 64), (0.9, 1.1), "4.2: constant after 16") for one in (SX8, X1, BX2)),
    *(Changes(one, "Sendrecv", (2, 64), (0.0, 1.0), "4.2: best on 2") for one in (SX8, X1, BX2, OPTERON)),
)
"""Of bandwidths and balances."""

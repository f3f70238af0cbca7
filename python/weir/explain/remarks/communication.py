"""Communication for I/O takes longer than the I/O: seen on the SP in table 1 of Thakur et al. (1996)."""

from collections.abc import Iterator

from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.trace.kinds import COMMUNICATE, TRANSFERS, WAIT
from weir.units import format_seconds


def remarks(summary: Summary) -> Iterator[Remark]:
    """MPI calls inside I/O calls take longer than the reads and writes of the system inside them."""
    inside = [row for row in summary.operations if row.for_io]
    communication = sum(row.total_s for row in inside if row.kind in (COMMUNICATE, WAIT))
    moving = sum(row.total_s for row in inside if row.kind in TRANSFERS and row.interface == "POSIX")
    if communication > moving > 0:
        yield Remark(
            f"Communication for I/O takes longer ({format_seconds(communication)} over {summary.head.all}) "
            f"than the reads and writes that it is for ({format_seconds(moving)}).",
            "Try fewer or more aggregators, or `weir` with the back-end `twophase` on this pattern.",
            share_of_io(summary, communication),
        )

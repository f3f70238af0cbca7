"""Ranks share a file through MPI-IO, and none of their calls is collective."""

from collections.abc import Iterator

from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary

FEWEST = 100


def remarks(summary: Summary) -> Iterator[Remark]:
    """Only independent calls on files that several ranks move data of."""
    shared = [row for row in summary.files if row.interface == "MPI-IO" and row.ranks > 1]
    for row in summary.transfers:
        if row.interface == "MPI-IO" and shared and row.requests >= FEWEST and row.collective == 0:
            yield Remark(
                f"None of {row.requests:,} {row.kind}s through MPI-IO is collective, and {len(shared):,} "
                f"file{'s are' if len(shared) > 1 else ' is'} shared by ranks.",
                "Where ranks move small or interleaved pieces at the same time, use the _all calls.",
                share_of_io(summary, row.total_s),
            )

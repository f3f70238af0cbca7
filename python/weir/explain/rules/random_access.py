"""Requests that jump back in their files."""

from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.units import format_bytes, format_seconds, format_share

from ._files import part_words, where_most, with_transfers

FEWEST = 1000
BACKWARD_SHARE = 0.2
LARGE = 2**20


@rule(
    f"at least {format_share(BACKWARD_SHARE)} of at least {FEWEST:,} POSIX reads or writes of less than "
    f"{LARGE >> 20} "
    "MiB on "
    "average begin before the previous one in the file has ended",
    "20 % and 1,000 requests: Drishti (random_operations, random_operations_absolute); 1 MiB: from there "
    "on it calls no request small",
)
def random_access(summary: TraceSummary) -> Iterator[Remark]:
    """By kind of transfer."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.backward is None or row.requests < FEWEST:
            continue
        mean, share = row.bytes // row.requests, row.backward / row.requests
        if share >= BACKWARD_SHARE and mean < LARGE:
            yield Remark(
                f"{part_words(row.backward, row.requests)} of {row.requests:,} POSIX {row.kind}s begin "
                f"before the end of the previous one ({format_bytes(mean)} on average): access is random, "
                "or repeated. "
                "All "
                f"{row.kind}s take {format_seconds(row.total_s)} over {summary.head.all}."
                f"{where_most(summary, row, lambda file: True)}",
                "The system reads ahead in vain, and disks move their heads for each.",
                "Sort the requests by their offsets, or make them larger.",
                with_transfers(summary, row, share),
            )

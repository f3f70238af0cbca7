"""Requests that jump back and forth in a file."""

from collections.abc import Iterator

from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.units import format_bytes, format_share

FEWEST = 1000
LEAST_SHARE = 0.2
LARGE = 2**20


def remarks(summary: Summary) -> Iterator[Remark]:
    """A fifth of at least a thousand small requests begins before the one before it has ended."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.backward is None or row.requests < FEWEST:
            continue
        mean = row.bytes // row.requests
        if row.backward / row.requests >= LEAST_SHARE and mean < LARGE:
            yield Remark(
                f"{format_share(row.backward / row.requests)} of {row.requests:,} {row.kind}s go back in "
                f"their file ({format_bytes(mean)} on the average): the access is random.",
                "Sort the requests by their offsets, or make them larger.",
                share_of_io(summary, row.total_s),
            )

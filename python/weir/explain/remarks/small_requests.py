"""Many small requests to the system."""

from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary, TransferRow
from weir.units import format_bytes, format_share

SMALL = 32 * 1024
FEWEST = 1000
LEAST_SHARE = 0.5


def remarks(summary: Summary) -> Iterator[Remark]:
    """More than half of at least a thousand reads or writes are of 32 KiB or less."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.requests < FEWEST:
            continue
        small = sum(one.requests for one in row.histogram if one.bytes <= SMALL)
        if small / row.requests > LEAST_SHARE:
            yield Remark(
                f"{format_share(small / row.requests)} of {row.requests:,} {row.kind}s are of "
                f"{format_bytes(SMALL)} or less{_sizes(row)}.",
                "Gather them into larger requests: a buffer, collective calls, or the two-phase library.",
                share_of_io(summary, row.total_s),
            )


def _sizes(row: TransferRow) -> str:
    if not row.common:
        return ""
    most = row.common[0]
    return f" (most often {format_bytes(most.bytes)}, {count_words(most.requests, 'time')})"

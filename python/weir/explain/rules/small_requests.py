"""Many small reads and writes of the system."""

from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary, TransferRow
from weir.units import count_words, format_bytes, format_seconds, format_share

from ._files import part_words, where_most, with_transfers

FEWEST = 1000
SMALL = 32 * 1024
SMALL_SHARE = 0.5


@rule(
    f"more than {format_share(SMALL_SHARE)} of at least {FEWEST:,} POSIX reads or writes are of "
    f"{SMALL >> 10} KiB or "
    "less",
    "1,000 requests: Drishti (small_requests_absolute). 32 KiB: a quarter of what "
    "Linux reads ahead by default (128 KiB); Drishti calls less than 1 MiB small. Darshan counts by classes: "
    "there only those of up to 10 KiB are sure",
)
def small_requests(summary: TraceSummary) -> Iterator[Remark]:
    """By kind of transfer."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.requests < FEWEST:
            continue
        small = sum(one.requests for one in row.histogram if one.bytes <= SMALL)
        if small / row.requests > SMALL_SHARE:
            yield Remark(
                f"{part_words(small, row.requests)} of {row.requests:,} POSIX {row.kind}s are of "
                f"{format_bytes(SMALL)} or less{_most_often(row)}; all {row.kind}s take "
                f"{format_seconds(row.total_s)} over {summary.head.all}.{_where(summary, row)}",
                "Each request costs the same however small it is.",
                "Gather them into larger requests: a buffer, collective calls, or the two-phase library.",
                with_transfers(summary, row, small / row.requests),
            )


def _most_often(row: TransferRow) -> str:
    if not row.common:
        return ""
    most = row.common[0]
    return f" (most often {format_bytes(most.bytes)}, {count_words(most.requests, 'time')})"


def _where(summary: TraceSummary, row: TransferRow) -> str:
    return where_most(summary, row, lambda file: file.bytes <= SMALL * file.requests)

"""Many small reads and writes of the system."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.units import format_bytes, format_share

from ._files import files_with, in_files, with_transfers

FEWEST = 1000
SMALL = 32 * 1024
SMALL_SHARE = 0.5


@rule(
    title="Small {subject}",
    remedies={
        "gather": Remedy(
            "gather {requests} of {size}: buffer or collective calls",
            "each request costs the same, however small it is",
        )
    },
    speaks=f"more than {format_share(SMALL_SHARE)} of at least {FEWEST:,} POSIX reads or writes are of "
    f"{SMALL >> 10} KiB or less",
    source="1,000 requests: Drishti (small_requests_absolute). 32 KiB: a quarter of what Linux reads ahead "
    "by "
    "default (128 KiB); Drishti calls less than 1 MiB small. Darshan counts by classes: there only those "
    "of up "
    "to 10 KiB are sure",
)
def small_requests(summary: TraceSummary) -> Iterator[Answer]:
    """By kind of transfer."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.requests < FEWEST:
            continue
        small = sum(one.requests for one in row.histogram if one.bytes <= SMALL)
        share = small / row.requests
        if share <= SMALL_SHARE:
            continue
        files = files_with(summary, row, lambda file: file.bytes <= SMALL * file.requests)
        name, of_file = in_files(files, row.kind)
        common = row.common[0] if row.common else None
        alike = common if common and common.bytes <= SMALL and 2 * common.requests > small else None
        yield costs(
            "small_requests",
            (f"{row.kind}s", *name),
            with_transfers(summary, row, share),
            "gather",
            (
                Evidence(f"{row.kind}s", row.requests),
                Evidence(f"of {format_bytes(SMALL)} or less", share, "share"),
                *([Evidence("most often", common.bytes, "B")] if common else []),
                *([Evidence("so often", common.requests)] if common else []),
                Evidence(f"{row.kind}s over {summary.head.all}", row.total_s, "s"),
                *of_file,
            ),
            requests=f"{alike.requests if alike else small:,}",
            size=format_bytes(alike.bytes) if alike else f"{format_bytes(SMALL)} or less",
        )

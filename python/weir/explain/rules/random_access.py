"""Requests that jump back in their files."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.units import format_bytes, format_share

from ._files import files_with, in_files, with_transfers

FEWEST = 1000
BACKWARD_SHARE = 0.2
LARGE = 2**20


@rule(
    title="Random {subject}",
    remedies={
        "sort": Remedy(
            "sort by offset, or read and write more than {size}",
            "the system reads ahead in vain, and disks seek each time",
        )
    },
    speaks=f"at least {format_share(BACKWARD_SHARE)} of at least {FEWEST:,} POSIX reads or writes of less "
    "than "
    f"{LARGE >> 20} MiB on average begin before the previous one in the file has ended: random, or repeated",
    source="20 % and 1,000 requests: Drishti (random_operations, random_operations_absolute); 1 MiB: from "
    "there "
    "on it calls no request small",
)
def random_access(summary: TraceSummary) -> Iterator[Answer]:
    """By kind of transfer."""
    for row in summary.transfers:
        if row.interface != "POSIX" or row.backward is None or row.requests < FEWEST:
            continue
        mean, share = row.bytes // row.requests, row.backward / row.requests
        if share < BACKWARD_SHARE or mean >= LARGE:
            continue
        name, of_file = in_files(files_with(summary, row, lambda file: True), row.kind)
        yield costs(
            "random_access",
            (f"{row.kind}s", *name),
            with_transfers(summary, row, share),
            "sort",
            (
                Evidence(f"{row.kind}s", row.requests),
                Evidence("before the end of the previous", share, "share"),
                Evidence(f"mean {row.kind}", mean, "B"),
                Evidence(f"{row.kind}s over {summary.head.all}", row.total_s, "s"),
                *of_file,
            ),
            size=format_bytes(mean),
        )

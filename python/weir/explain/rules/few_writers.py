"""One rank that moves the data of all."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import Spread, TraceSummary
from weir.units import format_share

from ._files import and_more

NEARLY_ALL = 0.95
LEAST_BYTES = 2**20


@rule(
    title="One rank moves the data, {subject}",
    remedies={
        "more-writers": Remedy(
            "let several ranks move data: collective calls, hint cb_nodes",
            "one rank has one node's bandwidth, and all others wait",
        )
    },
    speaks=f"one rank of several moves at least {format_share(NEARLY_ALL)} of {LEAST_BYTES >> 20} MiB or "
    "more "
    "between memory and files (of a Darshan log: of one shared file)",
    source="Weir; one process reaches the bandwidth of one client only",
)
def few_writers(summary: TraceSummary) -> Iterator[Answer]:
    """One rank moves all."""
    if summary.head.ranks < 2 or not summary.head.ranked:
        return
    moving = [row for row in summary.ranks if row.system_bytes > 0]
    whole = sum(row.system_bytes for row in moving)
    if whole >= LEAST_BYTES:
        most = max(moving, key=lambda row: row.system_bytes)
        seconds = most.read_s + most.write_s
        if most.system_bytes >= NEARLY_ALL * whole:
            yield costs(
                "few_writers",
                (f"rank {most.rank}",),
                seconds,
                "more-writers",
                (
                    Evidence("its share of the data", most.system_bytes / whole, "share"),
                    Evidence("data of all ranks", whole, "B"),
                    Evidence("its reads and writes", seconds, "s"),
                    Evidence("other ranks", len(summary.ranks) - 1),
                ),
            )
    yield from _of_log(summary)


def _of_log(summary: TraceSummary) -> Iterator[Answer]:
    found = [
        spread
        for spread in summary.spreads
        if spread.interface == "POSIX"
        and spread.file
        and spread.bytes >= LEAST_BYTES
        and spread.slowest.bytes >= NEARLY_ALL * spread.bytes
    ]
    if not found:
        return
    seconds = {spread.file: _waited_s(summary, spread) for spread in found}
    most = max(found, key=lambda spread: seconds[spread.file])
    yield costs(
        "few_writers",
        (f"rank {most.slowest.rank}", and_more(most.file, len(found))),
        seconds[most.file],
        "more-writers",
        (
            Evidence("its share of the data", most.slowest.bytes / most.bytes, "share"),
            Evidence("data of all ranks", most.bytes, "B"),
            Evidence("its POSIX calls", most.slowest.seconds, "s"),
            Evidence("ranks that share the file", most.ranks),
        ),
    )


def _waited_s(summary: TraceSummary, spread: Spread) -> float:
    """What a rank spends in MPI-IO on that file: there it waits."""
    around = (row.transfer_s for row in summary.files if (row.file, row.interface) == (spread.file, "MPI-IO"))
    return max(spread.slowest.seconds, sum(around) / spread.ranks)

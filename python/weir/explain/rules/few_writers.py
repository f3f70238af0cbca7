"""One rank that moves the data of all."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.remark import Remark, rule
from weir.explain.summary import Spread, TraceSummary
from weir.units import count_words, format_bytes, format_seconds, format_share

from ._files import part_words

NEARLY_ALL = 0.95
LEAST_BYTES = 2**20
WHY = (
    "One rank has the bandwidth of one node and of one client of the file system, and all others wait for it."
)
ADVICE = (
    "Let several ranks move the data: by collective calls with at least one aggregator a node (hint "
    "cb_nodes), "
    "or by the two-phase library."
)


@rule(
    f"one rank of several moves at least {format_share(NEARLY_ALL)} of {LEAST_BYTES >> 20} MiB or more "
    "between memory "
    "and "
    "files (of a Darshan log: of one shared file)",
    "Weir; one process reaches the bandwidth of one client only",
)
def few_writers(summary: TraceSummary) -> Iterator[Remark]:
    """One rank moves all."""
    if summary.head.ranks < 2 or not summary.head.ranked:
        return
    moving = [row for row in summary.ranks if row.system_bytes > 0]
    whole = sum(row.system_bytes for row in moving)
    if whole >= LEAST_BYTES:
        most = max(moving, key=lambda row: row.system_bytes)
        if most.system_bytes >= NEARLY_ALL * whole:
            part = "all" if most.system_bytes == whole else f"{part_words(most.system_bytes, whole)} of"
            yield Remark(
                f"Rank {most.rank} moves {part} {format_bytes(whole)} by itself, in "
                f"{format_seconds(most.read_s + most.write_s)} of reads and writes; "
                f"{_others(len(summary.ranks) - 1, exact=len(moving) == 1)}.",
                WHY,
                ADVICE,
                most.read_s + most.write_s,
            )
    yield from _of_log(summary)


def _others(count: int, *, exact: bool) -> str:
    others = "the other moves" if count == 1 else f"the {count:,} others move"
    return f"{others} {'nothing' if exact else 'the rest'}"


def _of_log(summary: TraceSummary) -> Iterator[Remark]:
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
    more = f" The same holds for {count_words(len(found) - 1, 'other file')}." if len(found) > 1 else ""
    yield Remark(
        f"Rank {most.slowest.rank} moves {part_words(most.slowest.bytes, most.bytes)} of "
        f"{format_bytes(most.bytes)} in {PurePath(most.file).name}, which {most.ranks:,} ranks share, in "
        f"{format_seconds(most.slowest.seconds)} of POSIX calls.{more}",
        WHY,
        ADVICE,
        seconds[most.file],
    )


def _waited_s(summary: TraceSummary, spread: Spread) -> float:
    """What a rank spends in MPI-IO on that file: there it waits."""
    around = (row.transfer_s for row in summary.files if (row.file, row.interface) == (spread.file, "MPI-IO"))
    return max(spread.slowest.seconds, sum(around) / spread.ranks)

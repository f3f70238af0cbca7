"""Ranks that are longer in I/O calls than the others: all wait for the slowest one."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.layers import LIBRARIES, layered
from weir.explain.remark import Remark, rule
from weir.explain.summary import SLOW_TIMES, OneRank, Spread, TraceSummary
from weir.units import count_words, format_bytes, format_seconds, format_share

LEAST_OF_RUN = 0.05
"""Below, runs differ as much by themselves: on shared file systems, often by more than that."""
UNEQUAL_BYTES = 1.5
"""A slow rank that moves so many times the mean has more work; one that moves less waits for something."""
HAVE_NO_TIMES = ("HDF5", "PnetCDF")
"""Logs tell the slowest rank of MPI-IO and of the system only."""


@rule(
    f"the slowest rank takes at least {SLOW_TIMES:g} times as long as the mean of the others, "
    f"and at least {format_share(LEAST_OF_RUN)} of the run longer",
    "Weir; the factor keeps ranks on healthy file systems silent (1.37 in 48 ranks of the public Darshan log "
    "sample-goodost), and finds those that wait (1.7 in example, 23 in sample-badost)",
)
def slow_ranks(summary: TraceSummary) -> Iterator[Remark]:
    """The file, or the files of single ranks, with the most time between the slowest rank and the others."""
    slow = [spread for spread in spreads(summary) if _is_slow(spread, summary.head.run_s)]
    if not slow:
        return
    most = max(slow, key=excess_s)
    more = f" The same holds for {count_words(len(slow) - 1, 'other file')}." if len(slow) > 1 else ""
    yield Remark(_seen(most) + _did_more(summary, most) + more, *_reason(most), seconds=excess_s(most))


def spreads(summary: TraceSummary) -> list[Spread]:
    """Of the outermost interfaces. Processes that are no ranks have each a work of its own."""
    if not summary.head.ranked or summary.head.ranks < 2:
        return []
    if summary.ranks:
        return [_of_rows(summary)]
    inner = {
        (file.name, layer.interface)
        for file in layered(summary.files)
        for layer in file.in_order
        if any(_place(outer) < _place(layer.interface) for outer in file.layers if outer not in HAVE_NO_TIMES)
    }
    return [spread for spread in summary.spreads if (spread.file, spread.interface) not in inner]


def _place(interface: str) -> int:
    return LIBRARIES.index(interface) if interface in LIBRARIES else len(LIBRARIES)


def _of_rows(summary: TraceSummary) -> Spread:
    rows = sorted(summary.ranks, key=lambda row: row.io_s)
    total = sum(row.io_s for row in rows)
    fastest, slowest = (
        OneRank(row.rank, row.io_s, row.bytes_read + row.bytes_written) for row in (rows[0], rows[-1])
    )
    moved = sum(row.bytes_read + row.bytes_written for row in rows)
    ranks = max(summary.head.ranks, len(rows))
    slow = sum(row.io_s > SLOW_TIMES * total / ranks for row in rows)
    return Spread("", "", ranks, total, moved, slowest, fastest, slow)


def others_s(spread: Spread) -> float:
    """The mean of all ranks but the slowest."""
    return max(0.0, spread.total_s - spread.slowest.seconds) / (spread.ranks - 1)


def excess_s(spread: Spread) -> float:
    """How much longer the slowest rank took."""
    return spread.slowest.seconds - others_s(spread)


def _is_slow(spread: Spread, run_s: float) -> bool:
    if 0 < spread.bytes == spread.slowest.bytes:
        return False  # see few_writers
    longer = excess_s(spread) >= LEAST_OF_RUN * run_s
    return longer and spread.slowest.seconds >= SLOW_TIMES * others_s(spread)


def _seen(spread: Spread) -> str:
    calls = f"{spread.interface} calls" if spread.interface else "I/O calls"
    where = f" on {PurePath(spread.file).name}" if spread.file else ""
    slowest = spread.slowest
    words = (
        f"Rank {slowest.rank} spends {format_seconds(slowest.seconds)} in {calls}{where} and moves "
        f"{format_bytes(slowest.bytes)}; the mean of the other {count_words(spread.ranks - 1, 'rank')} "
        f"is {format_seconds(others_s(spread))} and {format_bytes(_others_bytes(spread))}"
    )
    if spread.fastest is not None and spread.fastest.rank >= 0:
        words += f", the fastest (rank {spread.fastest.rank}) takes {format_seconds(spread.fastest.seconds)}"
    if spread.slow_ranks is not None and spread.slow_ranks > 1:
        words += f". {spread.slow_ranks:,} ranks take more than {SLOW_TIMES:g} times the mean of all"
    return words + "."


def _did_more(summary: TraceSummary, spread: Spread) -> str:
    """What a slow rank did more of; "" where its calls are not known."""
    if spread.file or not summary.slowest_did:
        return ""
    most = summary.slowest_did[0]
    mean = f"{most.others_calls:,.1f}".removesuffix(".0")
    return (
        f" The difference is largest in {most.name}: {most.calls:,} calls in {format_seconds(most.seconds)}, "
        f"against {mean} in {format_seconds(most.others_s)}."
    )


def _others_bytes(spread: Spread) -> float:
    return max(0, spread.bytes - spread.slowest.bytes) / (spread.ranks - 1)


def _reason(spread: Spread) -> tuple[str, str]:
    why = "Where ranks wait for each other, all wait for that one."
    if spread.slowest.bytes > UNEQUAL_BYTES * _others_bytes(spread):
        return why, "It has more to move: spread its data over more ranks."
    return (
        why,
        "It moves no more than the others: look at what its files lie on (storage targets, stripes), at its "
        "node, and at what it waits for.",
    )

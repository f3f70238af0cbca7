"""Ranks that are longer in I/O calls than the others: all wait for the slowest one."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.layers import LIBRARIES, layered
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import SLOW_TIMES, OneRank, Spread, TraceSummary
from weir.units import format_share

from ._files import and_more

LEAST_OF_RUN = 0.05
"""Below, runs differ as much by themselves: on shared file systems, often by more than that."""
UNEQUAL_BYTES = 1.5
"""A slow rank that moves so many times the mean has more work; one that moves less waits for something."""
WHY = "where ranks wait for each other, all wait for that one"
HAVE_NO_TIMES = ("HDF5", "PnetCDF")
"""Logs tell the slowest rank of MPI-IO and of the system only."""


@rule(
    title="Slower than others, {subject}",
    remedies={
        "spread-data": Remedy("spread its data over more ranks: it has more to move", WHY),
        "find-slow-part": Remedy("look at its storage targets, its node, what it waits for", WHY),
    },
    speaks=f"the slowest rank takes at least {SLOW_TIMES:g} times as long as the mean of the others, "
    f"and at least {format_share(LEAST_OF_RUN)} of the run longer",
    source="Weir; the factor keeps ranks on healthy file systems silent (1.37 in 48 ranks of the public "
    "Darshan "
    "log sample-goodost), and finds those that wait (1.7 in example, 23 in sample-badost)",
)
def slow_ranks(summary: TraceSummary) -> Iterator[Answer]:
    """The file, or the files of single ranks, with the most time between the slowest rank and the others."""
    slow = [spread for spread in spreads(summary) if _is_slow(spread, summary.head.run_s)]
    if not slow:
        return
    most = max(slow, key=excess_s)
    more_to_move = most.slowest.bytes > UNEQUAL_BYTES * _others_bytes(most)
    yield costs(
        "slow_ranks",
        (f"rank {most.slowest.rank}", *([and_more(most.file, len(slow))] if most.file else [])),
        excess_s(most),
        "spread-data" if more_to_move else "find-slow-part",
        (*_seen(most), *_did_more(summary, most)),
    )


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


def _seen(spread: Spread) -> Iterator[Evidence]:
    slowest = spread.slowest
    calls = f"{spread.interface} calls" if spread.interface else "I/O calls"
    yield Evidence(f"its {calls}", slowest.seconds, "s")
    yield Evidence("mean of the others", others_s(spread), "s")
    yield Evidence("its data", slowest.bytes, "B")
    yield Evidence("mean data of the others", _others_bytes(spread), "B")
    if spread.fastest is not None and spread.fastest.rank >= 0:
        yield Evidence(f"the fastest, rank {spread.fastest.rank}", spread.fastest.seconds, "s")
    yield Evidence("other ranks", spread.ranks - 1)
    if spread.slow_ranks is not None and spread.slow_ranks > 1:
        yield Evidence(f"ranks over {SLOW_TIMES:g} times the mean", spread.slow_ranks)


def _did_more(summary: TraceSummary, spread: Spread) -> Iterator[Evidence]:
    """What a slow rank did more of; nothing where its calls are not known."""
    if spread.file or not summary.slowest_did:
        return
    most = summary.slowest_did[0]
    yield Evidence(f"its calls of {most.name}", most.calls)
    yield Evidence(f"its time in {most.name}", most.seconds, "s")
    yield Evidence(f"mean calls of {most.name} of the others", most.others_calls)
    yield Evidence(f"mean time in {most.name} of the others", most.others_s, "s")


def _others_bytes(spread: Spread) -> float:
    return max(0, spread.bytes - spread.slowest.bytes) / (spread.ranks - 1)

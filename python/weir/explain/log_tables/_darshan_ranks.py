"""What Darshan tells of single ranks: all of their own files, and two of each shared file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weir.explain.summary import SLOW_TIMES, OneRank, Spread
from weir.trace.importers._darshan.counters import Table
from weir.trace.importers._darshan.log import Log, Record

TIMES = ("READ_TIME", "WRITE_TIME", "META_TIME")
LIBRARIES_ABOVE = ("HDF5", "PnetCDF")
BYTES = ("BYTES_READ", "BYTES_WRITTEN")


@dataclass(frozen=True)
class Slowest:
    """How long the slowest rank was in requests of one kind."""

    seconds: float
    exact: bool
    """False: it was no longer than that."""


def slowest_of(table: Table, kind: str, ranks: int) -> Slowest | None:
    """Of all ranks; None where a shared file's record does not tell its slowest rank.

    Of a shared file Darshan tells a rank's time in all its calls, and the slowest rank need not be that of
    another file: their sum is a bound.
    """
    time = f"{kind.upper()}_TIME"
    by_rank: dict[int, float] = {}
    shared_s, exact = 0.0, True
    for record in table.records:
        seconds = table.seconds(record, time)
        if record.rank >= 0 or ranks == 1:
            by_rank[record.rank] = by_rank.get(record.rank, 0.0) + seconds
        elif seconds > 0:
            bound = table.seconds(record, "SLOWEST_RANK_TIME")
            if bound <= 0:
                return None
            shared_s, exact = shared_s + min(bound, seconds), False
    found = max(by_rank.values(), default=0.0) + shared_s
    return Slowest(found, exact) if found > 0 else None


def spreads_of(log: Log, tables: Sequence[Table]) -> Iterator[Spread]:
    """A spread for each shared file, and one for all files of single ranks, by module."""
    used = {record.id for table in tables if table.meaning.interface == "MPI-IO" for record in table.records}

    def around(table: Table) -> set[int]:
        """Files whose system calls MPI-IO makes, by the ranks that it chooses."""
        return used if table.meaning.interface == "POSIX" else set()

    for table in tables:
        if table.meaning.interface in LIBRARIES_ABOVE:
            continue  # their modules have opens and datasets apart, or no ranks' times
        for record in table.records:
            if record.rank < 0 and (spread := _of_shared(log, table, record)) is not None:
                yield spread
        own = [record for record in table.records if record.rank >= 0 and record.id not in around(table)]
        if own:
            yield _of_own(table, own, log.facts.ranks)


def _of_shared(log: Log, table: Table, record: Record) -> Spread | None:
    seconds = table.seconds(record, "SLOWEST_RANK_TIME")
    if seconds <= 0:
        return None
    return Spread(
        interface=table.meaning.interface,
        file=log.name(record.id),
        ranks=log.facts.ranks,
        total_s=_total(table, record),
        bytes=table.count(record, BYTES),
        slowest=_named(table, record, "SLOWEST"),
        fastest=_named(table, record, "FASTEST"),
    )


def _named(table: Table, record: Record, which: str) -> OneRank:
    return OneRank(
        table.count(record, [f"{which}_RANK"]),
        table.seconds(record, f"{which}_RANK_TIME"),
        table.count(record, [f"{which}_RANK_BYTES"]),
    )


def _total(table: Table, record: Record) -> float:
    return sum(table.seconds(record, name) for name in TIMES)


def _of_own(table: Table, records: Sequence[Record], ranks: int) -> Spread:
    seconds: dict[int, float] = {}
    moved: dict[int, int] = {}
    for record in records:
        seconds[record.rank] = seconds.get(record.rank, 0.0) + _total(table, record)
        moved[record.rank] = moved.get(record.rank, 0) + table.count(record, BYTES)
    by_time = sorted(seconds, key=lambda rank: seconds[rank])
    total = sum(seconds.values())
    fastest, slowest = (OneRank(rank, seconds[rank], moved[rank]) for rank in (by_time[0], by_time[-1]))
    return Spread(
        interface=table.meaning.interface,
        file="",
        ranks=ranks,
        total_s=total,
        bytes=sum(moved.values()),
        slowest=slowest,
        fastest=fastest if len(seconds) == ranks else OneRank(-1, 0.0, 0),
        slow_ranks=sum(one > SLOW_TIMES * total / max(1, ranks) for one in seconds.values()),
    )

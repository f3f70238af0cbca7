"""What Darshan's counters stand for: for each module, which of them count reads, writes and the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weir.trace.importers._darshan.log import Counted, Record


@dataclass(frozen=True)
class Meaning:
    """A module's counters, without the module's prefix. Source: Darshan's darshan-*-log-format.h."""

    module: str
    prefix: str
    interface: str
    """As Weir's own recorder names it."""
    opens: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Calls counted besides opens, reads and writes; their times are in META_TIME with the opens'."""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    collective: tuple[str, ...] = ()
    """Those of `reads` and `writes` that are collective."""
    sizes: str = ""
    """What stands between SIZE_READ_ and the bounds of a class."""
    of_datasets: bool = False

    def transfers(self, kind: str) -> tuple[str, ...]:
        """The counters of reads, or of writes."""
        return self.reads if kind == "read" else self.writes


_ACCESS = ("INDEP", "COLL", "SPLIT", "NB")

MEANINGS = (
    Meaning(
        "POSIX",
        "POSIX",
        "POSIX",
        opens=("OPENS",),
        others=("FILENOS", "DUPS", "SEEKS", "STATS", "MMAPS", "FSYNCS", "FDSYNCS"),
        reads=("READS",),
        writes=("WRITES",),
    ),
    Meaning(
        "MPI-IO",
        "MPIIO",
        "MPI-IO",
        opens=("INDEP_OPENS", "COLL_OPENS"),
        others=("SYNCS", "VIEWS"),
        reads=tuple(f"{way}_READS" for way in _ACCESS),
        writes=tuple(f"{way}_WRITES" for way in _ACCESS),
        collective=("COLL_READS", "SPLIT_READS", "COLL_WRITES", "SPLIT_WRITES"),
        sizes="AGG_",
    ),
    Meaning(
        "STDIO",
        "STDIO",
        "STDIO",
        opens=("OPENS", "FDOPENS"),
        others=("SEEKS", "FLUSHES"),
        reads=("READS",),
        writes=("WRITES",),
    ),
    Meaning("H5F", "H5F", "HDF5", opens=("OPENS",), others=("FLUSHES",)),
    Meaning(
        "H5D",
        "H5D",
        "HDF5",
        opens=("OPENS",),
        others=("FLUSHES",),
        reads=("READS",),
        writes=("WRITES",),
        sizes="AGG_",
        of_datasets=True,
    ),
    Meaning(
        "PNETCDF_FILE",
        "PNETCDF_FILE",
        "PnetCDF",
        opens=("CREATES", "OPENS"),
        others=("REDEFS", "INDEP_WAITS", "COLL_WAITS", "SYNCS"),
    ),
    Meaning(
        "PNETCDF_VAR",
        "PNETCDF_VAR",
        "PnetCDF",
        opens=("OPENS",),
        reads=("INDEP_READS", "COLL_READS", "NB_READS"),
        writes=("INDEP_WRITES", "COLL_WRITES", "NB_WRITES"),
        collective=("COLL_READS", "COLL_WRITES"),
        sizes="AGG_",
        of_datasets=True,
    ),
)


class Table:
    """A module's records, asked by the names of counters. A counter that the log's version lacks is None."""

    def __init__(self, meaning: Meaning, counted: Counted) -> None:
        self.meaning = meaning
        self.records: Sequence[Record] = counted.records
        self._counters = {name.removeprefix(f"{meaning.prefix}_"): i for i, name in enumerate(counted.names)}
        seconds = enumerate(counted.seconds_names)
        self._seconds = {name.removeprefix(f"{meaning.prefix}_F_"): i for i, name in seconds}

    def count(self, record: Record, names: Sequence[str]) -> int:
        """The sum of these counters of a record; Darshan's -1 is unknown, and counts nothing."""
        return sum(max(record.counters[self._counters[name]], 0) for name in names if name in self._counters)

    def sum(self, names: Sequence[str]) -> int:
        """The same over all records."""
        return sum(self.count(record, names) for record in self.records)

    def seconds(self, record: Record, name: str) -> float:
        """A time of a record; 0 where the module has no such time. Some logs have times below zero, which are
        none."""
        return max(record.seconds[self._seconds[name]], 0.0) if name in self._seconds else 0.0

    def place(self, name: str) -> int | None:
        """Where a counter is in the records; None if the module does not count it."""
        return self._counters.get(name)

    def has(self, name: str) -> bool:
        """Does the module count this?"""
        return name in self._counters

    def all_seconds(self, name: str) -> float:
        """The same, summed over all records."""
        return sum(self.seconds(record, name) for record in self.records)

    def has_seconds(self, name: str) -> bool:
        """Does the module measure this?"""
        return name in self._seconds

    def classes(self, kind: str) -> Iterator[tuple[int, int]]:
        """Classes of sizes: the greatest size in it, and how many requests."""
        for text, bound in zip(CLASSES, BOUNDS, strict=True):
            name = f"SIZE_{kind.upper()}_{self.meaning.sizes}{text}"
            if self.has(name):
                yield bound, self.sum([name])


CLASSES = (
    *("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M"),
    *("1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"),
)
BOUNDS = (*(100, 2**10, 10 * 2**10, 100 * 2**10, 2**20), *(4 * 2**20, 10 * 2**20, 100 * 2**20, 2**30, 2**63))
"""The greatest size of each class, in bytes."""

"""The tables of a trace: what a program asked of storage, added up.

Times of calls are summed over all ranks, as in tables 1 to 8 of Thakur, Gropp and Lusk (1996). What a source
cannot tell (a Darshan log knows no seeks of a library, for example) is None, and `cannot_tell` says why.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from weir.explain.critical_path.rows import CriticalPath, PathKind
from weir.explain.profile.rows import Profile
from weir.trace.unseen import Unseen
from weir.units import count_words, format_seconds


@dataclass(frozen=True)
class LostRow:
    """Calls of one function that were counted and not recorded."""

    call: str
    """`POSIX pwrite`."""
    calls: int
    bytes: int
    total_s: float


@dataclass(frozen=True)
class Head:
    """What was recorded, and how far it can be trusted."""

    name: str
    source: str
    """"Weir trace", or what else the tables were made from."""
    command: str
    ranks: int
    hosts: tuple[str, ...]
    processes: int
    began_real_s: float
    run_s: float
    """From the start of the first process to the end of the last."""
    calls: int
    calls_lost: int
    """Counted and not recorded; 0 where all are there."""
    unended: tuple[int, ...]
    """Ranks that did not end by themselves."""
    missing: tuple[int, ...] = ()
    """Ranks of which nothing was recorded."""
    threads: int = 0
    """That made calls; 0 where it is not known."""
    ranked: bool = True
    """Are the ranks those of a parallel program? Else they are its processes, counted."""
    at_a_time: float | None = None
    """Ranks' threads, or processes that are no ranks: how many ran at a time, on the average; None: not
    known."""
    end_known: bool = True
    """False: it ran for `run_s` at the least."""
    lost_why: tuple[int, ...] = ()
    """Error numbers with which the system refused room for them; EFBIG: the trace's bound was reached."""
    lost_from_s: float | None = None
    """From when on."""
    lost: tuple[LostRow, ...] = ()
    """What was counted and not recorded, where that is known by call."""
    unseen: tuple[Unseen, ...] = ()
    """What was done and is not in the trace."""
    notes: tuple[str, ...] = ()
    damaged: int = 0
    """How many of the notes tell of parts that cannot be read."""
    cannot_tell: tuple[str, ...] = ()
    calls_recorded: int | None = None
    """How many of `calls` are there one by one; None: all of them."""

    @property
    def how_many(self) -> str:
        """Calls, and how they are known: "1,365 calls recorded, 3,678 more only counted"."""
        if self.calls_recorded is None:
            lost = f", {self.calls_lost:,} more only counted" if self.calls_lost else ""
            return f"{count_words(self.calls, 'call')} recorded{lost}"
        listed = f", and {self.calls_recorded:,} recorded one by one" if self.calls_recorded else ""
        return f"{count_words(self.calls, 'call')} counted{listed}"

    @property
    def io_calls(self) -> str:
        """Whose time the tables know."""
        return "the I/O calls recorded" if self.calls_lost else "I/O calls"

    @property
    def how_long(self) -> str:
        """How long it ran."""
        return f"{'' if self.end_known else 'at least '}{format_seconds(self.run_s)}"

    @property
    def actors(self) -> float:
        """What a share of the run is a share of: ranks, or their threads that ran at a time, where these were
        more; processes that there were at a time, where these are no ranks."""
        return max(1, self.ranks, self.threads) if self.at_a_time is None else self.at_a_time

    @property
    def whole_s(self) -> float:
        """The sum of their times, of which a share of the run is a share; 0: the run's end is not known."""
        return self.run_s * self.actors if self.end_known else 0

    @property
    def one(self) -> str:
        """What times are given for."""
        return "rank" if self.ranked else "process"

    @property
    def all(self) -> str:
        """Whose times are added up."""
        return "all ranks" if self.ranked else "all processes"

    @property
    def several(self) -> bool:
        """Did more than one rank, process or thread make calls, so that their slowest is not their mean?"""
        return self.ranks > 1 or self.threads > 1

    @property
    def bandwidth(self) -> str:
        """What the bandwidths are here, in words."""
        if not self.several:
            return "bandwidth is all data divided by the time"
        if not self.ranked and self.ranks > 1:
            return (
                "mean bandwidth is all data divided by the mean time of the "
                f"{self.actors:.2g} processes that ran at a time"
            )
        one = "thread" if self.threads > self.ranks else self.one
        return (
            f"bandwidth is all data divided by the time of the slowest {one}, mean bandwidth by the mean "
            f"time of a {one} (Thakur et al. 1996)"
        )

    @property
    def who(self) -> str:
        """ "8 ranks", or "1 process" of a program that is not parallel."""
        one, many = ("rank", "ranks") if self.ranked else ("process", "processes")
        return count_words(self.ranks, one, many)


@dataclass(frozen=True)
class OperationRow:
    """One function, over all ranks."""

    interface: str
    name: str
    kind: str
    for_io: bool
    """Was it called inside an I/O call of another interface?"""
    count: int
    failed: int
    total_s: float
    own_s: float | None
    """Without the recorded calls inside it."""
    per_rank_s: float
    bytes: int
    """Moved, or sent; 0 for what moves none."""


@dataclass(frozen=True)
class SizeCount:
    """Requests of one size."""

    bytes: int
    requests: int


@dataclass(frozen=True)
class TransferRow:
    """Reads or writes through one interface, over all ranks."""

    interface: str
    kind: str
    requests: int
    collective: int
    """How many of them were collective."""
    bytes: int
    smallest: int | None
    largest: int | None
    histogram: tuple[SizeCount, ...]
    """Requests of at most so many bytes, and more than the entry before; by powers of two."""
    common: tuple[SizeCount, ...]
    """The most frequent sizes, most frequent first."""
    sizes: int | None
    """How many different sizes there were; None: more than were counted."""
    consecutive: int | None
    """Requests that began where the thread's last one in that file had ended."""
    backward: int | None
    """Requests that began before the thread's last one in that file had ended."""
    total_s: float
    per_rank_s: float
    longest_s: float | None
    threads: int = 0
    """That made such requests; 0 where it is not known."""
    at_a_time: float | None = None
    """Ranks' threads, or processes that are no ranks: how many ran at a time, on the average."""

    slowest_s: float | None = None
    """Of the rank, or thread, that was longest in these requests; None where that is not known."""
    slowest_exact: bool = True
    """False: no rank was longer in them than `slowest_s`."""

    @property
    def bytes_per_s(self) -> float | None:
        """All bytes by the time of the slowest rank; at least that, where it is not exact. None where its
        time is not known, or there was none."""
        return self.bytes / self.slowest_s if self.slowest_s else None

    @property
    def mean_bytes_per_s(self) -> float | None:
        """All bytes by the mean time of a rank (Thakur et al. 1996, section 5.1), or of a thread where ranks
        have several; None where it took none. Of processes that are no ranks, those that there were at a
        time."""
        if self.total_s <= 0 or self.per_rank_s <= 0:
            return None
        parallel = max(self.total_s / self.per_rank_s, self.threads)
        if self.at_a_time is not None:
            parallel = min(parallel, self.at_a_time)
        return self.bytes * parallel / self.total_s


@dataclass(frozen=True)
class FileRow:
    """One file or dataset through one interface."""

    file: str
    dataset: str
    """"" for the file itself."""
    interface: str
    ranks: int
    opens: int
    reads: int
    writes: int
    others: int
    bytes_read: int
    bytes_written: int
    end_bytes: int | None
    """One past the greatest byte that was moved; None where offsets are not known."""
    read_s: float
    write_s: float
    other_s: float
    unaligned: int | None = None
    """Reads and writes that did not begin at a multiple of `alignment_bytes`; of Weir's traces, without those
    that went on where the thread's previous one had ended. None, here and below: not known."""
    alignment_bytes: int | None = None
    """Of the file system: a stripe, or a block."""
    switches: int | None = None
    """From reading to writing or back."""
    osts: tuple[int, ...] = ()
    """Lustre's storage targets that the file lies on."""

    @property
    def requests(self) -> int:
        """Reads and writes."""
        return self.reads + self.writes

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.bytes_read + self.bytes_written

    @property
    def transfer_s(self) -> float:
        """In reads and writes."""
        return self.read_s + self.write_s

    @property
    def total_s(self) -> float:
        """In all calls."""
        return self.read_s + self.write_s + self.other_s


@dataclass(frozen=True)
class OneRank:
    """What a rank did in the calls of a `Spread`."""

    rank: int
    seconds: float
    bytes: int


@dataclass(frozen=True)
class Spread:
    """How unlike ranks were in the calls of one interface on a shared file, or on files of their own."""

    interface: str
    file: str
    """"" for files that are not shared."""
    ranks: int
    """Of the job: those without such calls took no time."""
    total_s: float
    """Of all of them."""
    bytes: int
    slowest: OneRank
    fastest: OneRank | None
    slow_ranks: int | None = None
    """How many took more than SLOW_TIMES the mean; None where that is not known."""


SLOW_TIMES = 1.5
"""See `rules.slow_ranks`."""


@dataclass(frozen=True)
class RankRow:
    """One rank. Only the outermost calls are counted: what a library does inside them is theirs."""

    rank: int
    bytes_read: int
    bytes_written: int
    system_bytes: int
    """That it moved itself by calls of the system or of stdio, also for others."""
    read_s: float
    write_s: float
    other_s: float
    """In opens, closes, seeks, syncs and all other I/O calls."""
    communication_s: float
    """In MPI calls that were not made inside I/O calls."""

    @property
    def io_s(self) -> float:
        """In all I/O calls."""
        return self.read_s + self.write_s + self.other_s


@dataclass(frozen=True)
class RankCalls:
    """What the rank that is longest in I/O calls did in those of one function, beside the other ranks."""

    name: str
    calls: int
    seconds: float
    others_calls: float
    """Here and below: the mean of the other ranks."""
    others_s: float


@dataclass(frozen=True)
class OverTime:
    """How the run went, in intervals of equal length."""

    interval_s: float
    read_bytes: tuple[float, ...]
    """By outermost calls. A call's bytes are spread evenly over its time."""
    written_bytes: tuple[float, ...]
    ranks_a_band: int
    """Ranks that share a row of `heat`."""
    heat: tuple[tuple[float, ...], ...]
    """For each band of ranks, the mean share of each interval that a thread was in I/O calls."""


@dataclass(frozen=True)
class MarkRow:
    """What happened between two marks of one name that the program set."""

    name: str
    times: int
    total_s: float
    longest_s: float


@dataclass(frozen=True)
class TraceSummary:
    """All tables of a trace."""

    head: Head
    operations: tuple[OperationRow, ...] = ()
    transfers: tuple[TransferRow, ...] = ()
    files: tuple[FileRow, ...] = ()
    ranks: tuple[RankRow, ...] = ()
    course: OverTime | None = None
    marks: tuple[MarkRow, ...] = field(default=())
    profile: Profile = field(default_factory=Profile)
    """Empty for a source that does not tell single calls."""
    path: CriticalPath | None = None
    """None where there are no several ranks, or nobody knows who waited for whom."""
    slowest_did: tuple[RankCalls, ...] = ()
    """By how much longer it took, the most first."""
    spreads: tuple[Spread, ...] = ()
    """Of a source that has no table of ranks."""
    outermost_s: float | None = None
    """The same: all ranks' time in I/O calls, each file's by its outermost interface."""

    @property
    def io_s(self) -> float:
        """Time of all ranks in outermost I/O calls."""
        return sum(row.io_s for row in self.ranks) if self.outermost_s is None else self.outermost_s

    @property
    def share_of_run(self) -> float | None:
        """That time as a share of the run; None where there was none, or the run's end is not known."""
        if not self.ranks and self.outermost_s is None:
            return None
        whole = self.head.whole_s
        # A log's sums are of all threads, whose number it does not tell.
        beyond = self.outermost_s is not None and self.outermost_s > whole
        return self.io_s / whole if whole > 0 and not beyond else None

    def share_of_io(self, seconds: float) -> float | None:
        """These seconds as a share of all ranks' time in I/O calls; None where there was none, or it is not
        known."""
        whole = self.io_s
        return min(1.0, seconds / whole) if whole > 0 else None

    @property
    def share_of_path(self) -> float | None:
        """The I/O calls' share of the critical path; None where that is not known."""
        return self.path.io_s / self.path.length_s if self.path and self.path.length_s > 0 else None

    @property
    def active(self) -> float:
        """Over how many a sum of times is spread: ranks that made I/O calls, or processes at a time."""
        if not self.head.ranked:
            return self.head.actors
        return max(1, sum(row.io_s > 0 for row in self.ranks) if self.ranks else self.head.ranks)

    def of_run(self, seconds: float) -> float:
        """What a sum over ranks means for the run: the mean of those that made I/O calls."""
        return seconds / self.active

    def path_s(self, wanted: Callable[[PathKind], bool]) -> float:
        """Of these I/O calls, the time on the critical path; 0 where that is not known."""
        return sum(row.seconds for row in self.path.kinds if wanted(row)) if self.path else 0.0

    @property
    def bandwidth(self) -> str:
        """What the bandwidths of the transfers are, in words."""
        bound = all(row.slowest_exact for row in self.transfers)
        return self.head.bandwidth + ("" if bound else "; ≥: at least, since no rank took longer")

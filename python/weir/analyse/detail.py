"""What lies behind the one number of a row: requests, ranks, time, hints; what the kernel counted meanwhile;
and a rank that is the slowest again and again."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weir.analyse.latency import PooledLatency, pool_latencies
from weir.analyse.metric import Metric, value_under
from weir.store.records import HintAsked, RankTimes, SampleRecord

CHANCE = 0.01
"""A rank is named if it were the slowest so often by chance less than once in a hundred such cases."""
LATE = 1.05
"""And only if the slowest takes this many times the mean over the ranks: somebody always comes last."""


@dataclass(frozen=True)
class Counts:
    """Medians over the samples of a case, of sums over its ranks; None where the kernel did not report them.

    `requests`, `request_bytes` and `ranks` are those in the phase's direction: the system calls that read, or
    that write, their bytes, and how many ranks made them. `calls` is what the benchmark itself asked for.
    """

    calls: float | None
    requests: float | None
    request_bytes: float | None
    ranks: float | None
    switches: float | None
    cpu_s: float | None
    processes: int

    @property
    def bytes_a_request(self) -> float | None:
        """Mean size of a request."""
        return _ratio(self.request_bytes, self.requests)

    @property
    def rounds(self) -> float | None:
        """Requests of each rank that makes any, for each call of every rank: how often a collective call goes
        to the storage."""
        return _ratio(_ratio(self.requests, self.ranks), _ratio(self.calls, float(self.processes)))


def count(samples: Sequence[SampleRecord]) -> Counts | None:
    """The counts of one phase of one case; None where no sample has any."""
    known = [sample for sample in samples if sample.system]
    if not known:
        return None
    way = "write" if known[-1].phase == "write" or known[-1].sync is not None else "read"
    taker = {"write": "writing_ranks", "read": "reading_ranks"}[way]
    return Counts(
        calls=_median([sample.operations for sample in known]),
        requests=_sum_of(known, f"{way}_calls"),
        request_bytes=_sum_of(known, f"{way}_call_bytes"),
        ranks=_sum_of(known, taker),
        switches=_sum_of(known, "voluntary_switches", "involuntary_switches"),
        cpu_s=_sum_of(known, "user_s", "system_s"),
        processes=known[-1].ranks or 1,
    )


def _sum_of(samples: list[SampleRecord], *keys: str) -> float | None:
    """The median over the samples of what these keys add up to."""
    sums: list[float | None] = []
    for sample in samples:
        parts = [(sample.system or {}).get(key) for key in keys]
        sums.append(None if None in parts else sum(part for part in parts if part is not None))
    return _median(sums)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


@dataclass(frozen=True)
class Straggler:
    """The rank, in how many of the samples it was the slowest, and its time over the mean of all ranks, as
    the median of those samples. Where the slowest is now one rank of a node and now another, `rank` is None,
    and the node is meant. `node` is None where all ranks were on one, or it is not known."""

    rank: int | None
    times: int
    samples: int
    lateness: float
    node: str | None = None


def find_straggler(
    samples: Sequence[SampleRecord], hosts: Mapping[int | None, Sequence[str]] | None = None
) -> Straggler | None:
    """The rank, or else the node, that comes last more often than chance would have it; None for neither.

    `hosts`: for each launch, the node of each of its ranks.
    """
    known = [(sample, step) for sample in samples if (step := _longest_step(sample)) is not None]
    ranks = max((sample.ranks or 1 for sample, _ in known), default=1)
    if ranks < 2:
        return None
    places = [(hosts or {}).get(sample.launch, ()) for sample, _ in known]
    slowest = [(step, step.slowest_rank, place) for (_, step), place in zip(known, places, strict=True)]
    on = [_host(rank, place) for _, rank, place in slowest]
    rank, times = Counter(rank for _, rank, _ in slowest).most_common(1)[0]
    if rank is not None and ranks * _tail(len(known), times, 1 / ranks) < CHANCE:
        found = [at for at, (_, which, _) in enumerate(slowest) if which == rank]
        nodes = {on[at] for at in found}
        return _straggler(rank, nodes.pop() if len(nodes) == 1 else None, found, slowest)
    node, times = Counter(on).most_common(1)[0]
    if node is None:
        return None
    share = max(place.count(node) / len(place) for place in places if node in place)
    count_of_nodes = max(len(set(place)) for place in places)
    if count_of_nodes * _tail(len(known), times, share) >= CHANCE:
        return None
    return _straggler(None, node, [at for at, which in enumerate(on) if which == node], slowest)


def _host(rank: int | None, place: Sequence[str]) -> str | None:
    """The node of a rank, where there are several."""
    return place[rank] if rank is not None and rank < len(place) and len(set(place)) > 1 else None


def _straggler(
    rank: int | None,
    node: str | None,
    found: Sequence[int],
    slowest: Sequence[tuple[RankTimes, int | None, Sequence[str]]],
) -> Straggler | None:
    """Of the samples at these places; None where they are hardly late."""
    steps = [slowest[at][0] for at in found]
    late = [step.max_s / step.mean_s for step in steps if step.max_s and step.mean_s]
    lateness = statistics.median(late) if late else 1.0
    return Straggler(rank, len(found), len(slowest), lateness, node) if lateness >= LATE else None


def _longest_step(sample: SampleRecord) -> RankTimes | None:
    """The step that takes most of the phase, with who was slowest in it."""
    steps = [step for step in sample.times.values() if step.mean_s and step.slowest_rank is not None]
    return max(steps, key=lambda step: step.mean_s or 0.0, default=None)


def _tail(trials: int, successes: int, chance: float) -> float:
    """The probability of at least so many successes."""
    return sum(
        math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1)
    )


@dataclass(frozen=True)
class Course:
    """Bytes finished in each interval of a phase since its start, and how long the phase took in all."""

    interval_s: float
    bytes: tuple[int, ...]
    elapsed_s: float

    def coarser(self, least_s: float) -> "Course":
        """The same in longer intervals, whole multiples of these: as few as are at least `least_s` long."""
        times = max(1, math.ceil(least_s / self.interval_s - 1e-9))
        parts = [sum(self.bytes[at : at + times]) for at in range(0, len(self.bytes), times)]
        return Course(self.interval_s * times, tuple(parts), self.elapsed_s)

    @property
    def requests_done_s(self) -> float:
        """When the last request was done, to within an interval; what follows is syncing and closing."""
        return min(len(self.bytes) * self.interval_s, self.elapsed_s)


@dataclass(frozen=True)
class Detail:
    """Of all samples of one phase of one case; what no sample has is None or empty.

    `course` is that of the sample nearest the median. `request_shares`: of each sample that has a course the
    share of its time until its last request was done. `first_done_s` and `last_done_s` are medians of when
    the first and the last rank were done, since the phase's start.
    """

    latencies: tuple[PooledLatency, ...] = ()
    counts: Counts | None = None
    course: Course | None = None
    request_shares: tuple[float, ...] = ()
    first_done_s: float | None = None
    last_done_s: float | None = None
    straggler: Straggler | None = None
    hints: tuple[HintAsked, ...] = ()


def detail_of(
    samples: Sequence[SampleRecord],
    metric: Metric,
    median: float,
    hosts: Mapping[int | None, Sequence[str]] | None = None,
) -> Detail:
    """The detail of samples whose median under the metric is `median`. `hosts`: as find_straggler's."""
    ends = [
        (sample.first_done_s, sample.last_done_s)
        for sample in samples
        if sample.first_done_s is not None and sample.last_done_s is not None
    ]
    courses = [*_courses(samples, metric)]
    nearest = min(courses, key=lambda one: abs(one[0] - median), default=None)
    return Detail(
        latencies=pool_latencies(samples),
        counts=count(samples),
        course=nearest and nearest[1],
        request_shares=tuple(one.requests_done_s / one.elapsed_s for _, one in courses),
        first_done_s=statistics.median(first for first, _ in ends) if ends else None,
        last_done_s=statistics.median(last for _, last in ends) if ends else None,
        straggler=find_straggler(samples, hosts),
        hints=tuple(next((sample.hints_asked for sample in reversed(samples) if sample.hints_asked), ())),
    )


def _courses(samples: Sequence[SampleRecord], metric: Metric) -> Iterator[tuple[float, Course]]:
    """The value and the course of each sample that has both."""
    for sample in samples:
        timeline, value = sample.timeline, value_under(sample, metric.key)
        if timeline and timeline.bytes and sample.elapsed_s and value is not None:
            yield value, Course(timeline.interval_s, tuple(timeline.bytes), sample.elapsed_s)

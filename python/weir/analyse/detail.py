"""What lies behind the one number of a row: requests, ranks, time, hints."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from weir.analyse.counts import Counts, count
from weir.analyse.latency import PooledLatency, pool_latencies
from weir.analyse.metric import Metric, value_under
from weir.analyse.straggler import Straggler, find_straggler
from weir.store.records import HintAsked, SampleRecord


@dataclass(frozen=True)
class Course:
    """Bytes finished in each interval of a phase since its start, and how long the phase took in all."""

    interval_s: float
    bytes: tuple[int, ...]
    elapsed_s: float

    def coarser(self, least_s: float) -> Course:
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
    """Of all samples of one phase of one case; what no sample tells is None or empty.

    `course` is that of the sample nearest the median. `first_done_s` and `last_done_s` are medians of when
    the first and the last rank were done, since the phase's start.
    """

    latencies: tuple[PooledLatency, ...] = ()
    counts: Counts | None = None
    course: Course | None = None
    first_done_s: float | None = None
    last_done_s: float | None = None
    straggler: Straggler | None = None
    hints: tuple[HintAsked, ...] = ()


def detail_of(samples: Sequence[SampleRecord], metric: Metric, median: float) -> Detail:
    """The detail of samples whose median under the metric is `median`."""
    ends = [
        (sample.first_done_s, sample.last_done_s)
        for sample in samples
        if sample.first_done_s is not None and sample.last_done_s is not None
    ]
    return Detail(
        latencies=pool_latencies(samples),
        counts=count(samples),
        course=_course(samples, metric, median),
        first_done_s=statistics.median(first for first, _ in ends) if ends else None,
        last_done_s=statistics.median(last for _, last in ends) if ends else None,
        straggler=find_straggler(samples),
        hints=tuple(next((sample.hints_asked for sample in reversed(samples) if sample.hints_asked), ())),
    )


def _course(samples: Sequence[SampleRecord], metric: Metric, median: float) -> Course | None:
    known = [
        (abs(value - median), sample.timeline, sample.elapsed_s)
        for sample in samples
        if sample.timeline and sample.timeline.bytes and sample.elapsed_s
        if (value := value_under(sample, metric.key)) is not None
    ]
    if not known:
        return None
    _, timeline, elapsed_s = min(known, key=lambda item: item[0])
    return Course(timeline.interval_s, tuple(timeline.bytes), elapsed_s)

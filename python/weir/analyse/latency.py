"""How long single requests took, over all samples of a case: their histograms added up."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from weir.store.records import Latency, SampleRecord

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


@dataclass(frozen=True)
class PooledLatency:
    """Durations in seconds of all requests of one kind that were timed, pooled over all samples.

    `histogram` holds (upper bound in s, requests) by rising bounds, each bin `relative_error` of its value to
    both sides.
    """

    verb: str
    timed: int
    samples: int
    min_s: float
    mean_s: float
    max_s: float
    slowest_rank: int | None
    relative_error: float
    histogram: tuple[tuple[float, int], ...]

    def percentile_s(self, share: float) -> float | None:
        """The duration below which that share of requests stayed; None for fewer than 1 / (1 - share)."""
        if self.timed * (1 - share) < 1 - 1e-9:
            return None
        left = share * self.timed
        for bound_s, count in self.histogram:
            left -= count
            if left <= 1e-9:
                return min(max(bound_s * (1 - self.relative_error), self.min_s), self.max_s)
        return self.max_s

    def as_data(self) -> dict[str, Any]:
        """For `--json`: without the histogram, which `weir export` writes."""
        shares = {f"{name.replace('.', '_')}_s": self.percentile_s(share) for name, share in SHARES.items()}
        whole = {field: value for field, value in asdict(self).items() if field not in ("verb", "histogram")}
        return {**whole, **shares}


def pool_latencies(samples: Iterable[SampleRecord]) -> tuple[PooledLatency, ...]:
    """One pooled latency for each kind of request that was timed; empty where none was."""
    by_verb: dict[str, list[Latency]] = {}
    for sample in samples:
        for verb, latency in (sample.latency or {}).items():
            if latency.timed and latency.histogram:
                by_verb.setdefault(verb, []).append(latency)
    return tuple(_pool(verb, parts) for verb, parts in by_verb.items())


def _pool(verb: str, parts: list[Latency]) -> PooledLatency:
    counts: Counter[float] = Counter()
    for part in parts:
        for bound_s, count in part.histogram:
            counts[bound_s] += count
    bins = tuple(sorted(counts.items()))
    timed = sum(counts.values())
    slowest = max(parts, key=lambda part: part.max_s or 0.0)
    means = [(part.mean_s or 0.0) * (part.timed or 0) for part in parts]
    return PooledLatency(
        verb=verb,
        timed=timed,
        samples=len(parts),
        min_s=min((part.min_s for part in parts if part.min_s is not None), default=0.0),
        mean_s=sum(means) / sum(part.timed or 0 for part in parts),
        max_s=slowest.max_s if slowest.max_s is not None else bins[-1][0],
        slowest_rank=slowest.slowest_rank,
        relative_error=max(part.relative_error or 0.0 for part in parts),
        histogram=bins,
    )

"""What each phase of a replay came to, over the repetitions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from weir.analyse.machine_state import samples_that_count
from weir.analyse.metric import bandwidth_of
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.store.records import AnyRecord, SampleRecord


@dataclass(frozen=True)
class PhaseOutcome:
    """One phase: bytes and requests of one repetition; time (s) and bandwidth (B/s) over all of them."""

    name: str
    bytes: int
    requests: int
    time: MedianEstimate
    bandwidth: MedianEstimate | None
    """None where nothing was moved."""
    wrong_words: int | None
    """None where nothing was checked."""
    cache_suspect: bool
    warnings: tuple[str, ...] = ()
    """Of its samples, each with its reason."""

    def as_data(self) -> dict[str, Any]:
        """The phase for `--json`."""
        moved = self.bandwidth
        return {
            "phase": self.name,
            "bytes": self.bytes,
            "requests": self.requests,
            "samples": self.time.count,
            "elapsed_s": self.time.median,
            "elapsed_low_s": self.time.low,
            "elapsed_high_s": self.time.high,
            "bandwidth_bytes_per_s": moved.median if moved else None,
            "bandwidth_low_bytes_per_s": moved.low if moved else None,
            "bandwidth_high_bytes_per_s": moved.high if moved else None,
            "wrong_words": self.wrong_words,
            "cache_suspect": self.cache_suspect,
            "warnings": list(self.warnings),
        }


def outcomes(records: Iterable[AnyRecord], leave_out: str | None) -> list[PhaseOutcome]:
    """The phases in the order of the pattern, without the one of that name; samples of the machine's main
    state."""
    by_phase: dict[str, list[SampleRecord]] = {}
    for sample in samples_that_count(records):
        if sample.phase != leave_out:
            by_phase.setdefault(sample.phase, []).append(sample)
    return [found for name, samples in by_phase.items() if (found := _outcome(name, samples)) is not None]


def _outcome(name: str, samples: list[SampleRecord]) -> PhaseOutcome | None:
    time = estimate_median([sample.elapsed_s for sample in samples if sample.elapsed_s is not None])
    if time is None:
        return None
    moved = [found for s in samples if (found := bandwidth_of(s)) is not None and s.bytes]
    checks = [sample.verification for sample in samples if sample.verification]
    return PhaseOutcome(
        name=name,
        bytes=samples[-1].bytes or 0,
        requests=samples[-1].operations or 0,
        time=time,
        bandwidth=estimate_median(moved),
        wrong_words=sum(check.get("wrong", 0) for check in checks) if checks else None,
        cache_suspect=any(sample.cache is not None and sample.cache.suspect for sample in samples),
        warnings=tuple(
            dict.fromkeys(f"{one.problem} ({one.why})" for sample in samples for one in sample.warnings)
        ),
    )

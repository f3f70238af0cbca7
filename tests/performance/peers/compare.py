"""Whether Weir is as quick as a peer, from pairs of samples taken one right after the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from weir.analyse.statistics import MedianEstimate, estimate_median


class Verdict(Enum):
    """What the samples say about the goal."""

    MET = "met"
    MISSED = "MISSED"
    UNSHOWN = "not shown"
    """Below the goal, but by less than the samples can tell."""
    FEW = "too few"


def judge(ratio: MedianEstimate, least: float) -> Verdict:
    """The verdict on what is to be at least this: missed where its interval does not reach the goal."""
    if ratio.low is None or ratio.high is None:
        return Verdict.FEW
    if ratio.high < least:
        return Verdict.MISSED
    return Verdict.MET if ratio.median >= least else Verdict.UNSHOWN


@dataclass
class Pairs:
    """Numbers of both sides, the i-th of one beside the i-th of the other; greater is better."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    def add(self, ours: Sequence[float], theirs: Sequence[float]) -> None:
        """Take in what two launches gave, repetition by repetition. Raises ValueError unless they are as
        many."""
        if len(ours) != len(theirs):
            raise ValueError(f"{len(ours)} numbers of ours beside {len(theirs)} of theirs")
        self.ours += ours
        self.theirs += theirs


@dataclass(frozen=True)
class Comparison:
    """Medians with their 95 % intervals, and the median of the pairs' ratios, ours over theirs."""

    ours: MedianEstimate
    theirs: MedianEstimate
    ratio: MedianEstimate
    least: float
    """The goal: the ratio is to be at least this."""

    @property
    def below(self) -> bool:
        """Our interval lies below theirs, all of it."""
        return self.ours.high is not None and self.theirs.low is not None and self.ours.high < self.theirs.low

    @property
    def verdict(self) -> Verdict:
        """Met: the ratio is as wanted, and our interval is not all below theirs. Missed: the intervals are
        apart, or that of the ratio does not reach the goal."""
        verdict = judge(self.ratio, self.least)
        return Verdict.MISSED if self.below and verdict is not Verdict.FEW else verdict

    @property
    def settled(self) -> bool:
        """More samples would hardly change the verdict: the goal is not inside the ratio's interval."""
        if self.ratio.low is None or self.ratio.high is None:
            return False
        return self.ratio.low >= self.least or self.ratio.high < self.least


def compare(pairs: Pairs, least: float) -> Comparison | None:
    """The comparison of at least one pair; None of none."""
    ratios = [ours / theirs for ours, theirs in zip(pairs.ours, pairs.theirs, strict=True)]
    ours, theirs, ratio = (estimate_median(values) for values in (pairs.ours, pairs.theirs, ratios))
    if ours is None or theirs is None or ratio is None:
        return None
    return Comparison(ours, theirs, ratio, least)

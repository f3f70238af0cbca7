"""What the two-phase library is to reach, and whether the samples show it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from peers.array.rounds import OPERATIONS, Played
from peers.compare import Verdict, judge
from weir.analyse.statistics import MedianEstimate, estimate_median

BEST = {"write": 2.0, "read": 3.0}
"""Times faster than the best public contender where the exchange and not a device decides."""
DEFAULT = {"write": 4.0, "read": 6.0}
"""Times faster than what MPI does where nobody chooses, there."""
NEVER_BELOW = 0.95
"""Of the best public contender's speed, anywhere."""
BOUND = 1.3
"""Times as long as the bound takes."""
OUTSIDE = 0.01
"""Share of a repeated dump's time that may go elsewhere than into its steps."""
MEMORY = 1.05
"""Of the memory that was asked for."""


@dataclass(frozen=True)
class Judged:
    """A goal in a case, and what came of it."""

    case: str
    operation: str
    goal: str
    value: MedianEstimate
    verdict: Verdict
    storage_alone: MedianEstimate | None = None
    """What would be measured if the bytes were stored or loaded in contiguous parts, one a rank, and nothing
    else were done. Other requests may move them a little faster."""


def judge_all(played: Played) -> list[Judged]:
    """Every goal that this case has an answer to."""
    return [
        *(
            one
            for judge_goals in (_speed, _outside)
            for ours in played.with_role("ours")
            for operation in OPERATIONS
            for one in judge_goals(played, ours.name, operation)
        ),
        *_memory(played),
    ]


def best_public(played: Played, operation: str) -> str | None:
    """The public contender of the least median."""
    medians = {
        one.name: estimate_median(played.seconds(one.name, operation))
        for one in played.with_role("public", "default")
    }
    known = {name: found.median for name, found in medians.items() if found is not None}
    return min(known, key=known.__getitem__) if known else None


def times_faster(played: Played, ours: str, theirs: str, operation: str) -> MedianEstimate | None:
    """Their time over ours, round by round."""
    pairs = zip(played.seconds(ours, operation), played.seconds(theirs, operation), strict=True)
    return estimate_median([their_s / our_s for our_s, their_s in pairs])


def storage_alone(played: Played, theirs: str, operation: str) -> MedianEstimate | None:
    """Their time over that of the step to or from storage, of the bound or alone, round by round."""
    known = played.with_role("bound", "storage")
    if not known:
        return None
    pairs = zip(played.steps(known[0].name, operation), played.seconds(theirs, operation), strict=True)
    return estimate_median([their_s / steps_s["storage"] for steps_s, their_s in pairs])


def _speed(played: Played, ours: str, operation: str) -> Iterator[Judged]:
    best = best_public(played, operation)
    cached = played.case.place.cached or operation == "read"
    goals: list[tuple[str, str | None, float]] = [(f"{NEVER_BELOW:g} of the best public", best, NEVER_BELOW)]
    if cached:
        goals.append((f"{BEST[operation]:g} times the best public", best, BEST[operation]))
        goals += [
            (f"{DEFAULT[operation]:g} times the default", one.name, DEFAULT[operation])
            for one in played.with_role("default")
        ]
    goals += [(f"within {BOUND:g} times the bound", one.name, 1 / BOUND) for one in played.with_role("bound")]
    for goal, theirs, least in goals:
        ratio = times_faster(played, ours, theirs, operation) if theirs else None
        if theirs and ratio is not None:
            alone = storage_alone(played, theirs, operation)
            yield Judged(played.case.name, operation, f"{goal} ({theirs})", ratio, judge(ratio, least), alone)


def _outside(played: Played, ours: str, operation: str) -> Iterator[Judged]:
    steps = played.steps(ours, operation)
    share = estimate_median([took_s["other"] / took_s["total"] for took_s in steps if took_s.get("total")])
    if share is not None:
        verdict = judge_most(share, OUTSIDE)
        yield Judged(played.case.name, operation, "under 1 % outside the steps", share, verdict)


def _memory(played: Played) -> Iterator[Judged]:
    for name, (grown, bound) in played.memory.items():
        share = MedianEstimate(1, grown / bound, None, None, None, "measured once")
        verdict = Verdict.MET if grown <= MEMORY * bound else Verdict.MISSED
        goal = f"within {MEMORY:g} of the memory asked for ({name})"
        yield Judged(played.case.name, "memory", goal, share, verdict)


def judge_most(estimate: MedianEstimate, most: float) -> Verdict:
    """The verdict on what is to be at most this."""
    low, high = (None if end is None else -end for end in (estimate.high, estimate.low))
    return judge(replace(estimate, median=-estimate.median, low=low, high=high), -most)


def missed(judged: Sequence[Judged]) -> bool:
    """Whether a goal was missed."""
    return any(one.verdict is Verdict.MISSED for one in judged)

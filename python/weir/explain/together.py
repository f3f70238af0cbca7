"""What several answers may explain together: their bounds count the same time more than once."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir.answers.answer import Answer, Caveat, Changes, Cost
from weir.answers.tables import CAVEATS, declare
from weir.answers.words import value_words
from weir.explain.summary import Head, TraceSummary

declare(CAVEATS, {"overlap": "rows that share time: {count}, together {most}, the time of {who}"})


@dataclass(frozen=True)
class Together:
    """Of bounds that overlap: how many, their sum, and what all may explain of the run at the most."""

    answers: int
    sum_s: float
    at_most_s: float
    of: str
    """What `at_most_s` is the time of: "rank 3", "the run"."""

    def caveat(self, head: Head) -> Caveat:
        """For first screens."""
        known = head.end_known and head.run_s > 0
        most = value_words(Cost(self.at_most_s, self.at_most_s / head.run_s if known else None))
        words = {"most": most, "who": self.of}
        return Caveat("overlap", self.answers, self.answers, Changes.VERDICT, words)


def together(summary: TraceSummary, answers: Sequence[Answer]) -> Together | None:
    """None where the bounds do not exceed what all of them may explain: then they need not overlap."""
    costs = [one.value.seconds for one in answers if isinstance(one.value, Cost)]
    bounds = [seconds for seconds in costs if seconds]
    limit = _limit(summary, max(bounds, default=0.0))
    if limit is None or len(bounds) < 2 or sum(bounds) <= limit[0]:
        return None
    return Together(len(bounds), sum(bounds), *limit)


def _limit(summary: TraceSummary, largest_s: float) -> tuple[float, str] | None:
    """What I/O may explain: no more than the slowest rank spends in it, or where ranks wait in turn, the
    critical path; and no more than the run."""
    head = summary.head
    whole = head.run_s if head.end_known and head.run_s > 0 else None
    if summary.ranks and head.ranked:
        slowest = max(summary.ranks, key=lambda row: row.io_s)
        if summary.path and slowest.io_s < summary.path.io_s and largest_s <= summary.path.io_s:
            return summary.path.io_s, "the critical path's I/O"
        # A rank's threads are added up, and may be longer in calls than the run.
        if whole is None or slowest.io_s < whole:
            who = f"rank {slowest.rank}" if head.ranks > 1 else "all I/O calls"
            return (slowest.io_s, who) if slowest.io_s >= largest_s else None
    return None if whole is None else (whole, "the run")

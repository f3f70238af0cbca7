"""What several remarks may explain together: their bounds count the same time more than once."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir.explain.remark import Remark
from weir.explain.summary import Head, TraceSummary
from weir.units import count_words, format_seconds, format_share


@dataclass(frozen=True)
class Together:
    """Of bounds that overlap: their sum, and what all of them may explain of the run at the most."""

    remarks: int
    sum_s: float
    at_most_s: float
    of: str
    """What `at_most_s` is, in words; "": the run."""

    def words(self, head: Head) -> str:
        """A sentence for people."""
        known = head.end_known and head.run_s > 0
        share = f", {format_share(self.at_most_s / head.run_s)} of the run" if known else ""
        most = f"{format_seconds(self.at_most_s)}{share}, {self.of}" if self.of else "the whole run"
        return (
            f"Together these {count_words(self.remarks, 'finding')} may explain at most {most}. Their bounds "
            f"add up to {format_seconds(self.sum_s)}, because they count the same time more than once."
        )


def together(summary: TraceSummary, remarks: Sequence[Remark]) -> Together | None:
    """None where the bounds do not exceed what all of them may explain: then they need not overlap."""
    bounds = [remark.seconds for remark in remarks if remark.seconds]
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
            return summary.path.io_s, "the time of I/O calls on the critical path"
        # A rank's threads are added up, and may be longer in calls than the run.
        if whole is None or slowest.io_s < whole:
            who = f"rank {slowest.rank}, the longest in I/O calls" if head.ranks > 1 else "all I/O calls"
            return (slowest.io_s, f"the time of {who}") if slowest.io_s >= largest_s else None
    return None if whole is None else (whole, "")

"""What stands out in a summary: what a remark is, and the rules that yield remarks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weir.registry import Registry
from weir.units import format_seconds, format_share

from .summary import Head, TraceSummary

LEAST_OF_RUN = 0.01
"""A remark that may explain less of the run is left out: a hundredth is within the noise of repeated runs."""


@dataclass(frozen=True)
class Remark:
    """`text` says what was seen, with its numbers; `why`, why that costs time; `advice`, what usually helps.
    The latter two are "" for a mere fact."""

    text: str
    why: str = ""
    advice: str = ""
    seconds: float | None = None
    """Of the run's time, how much it may explain at the most; None where that is not known."""
    incomplete: bool = False
    """Does it say that the tables lack something? That comes before all else."""

    def bound(self, head: Head) -> str:
        """What it may explain at the most, in words; "" where that is not known."""
        if self.seconds is None:
            return ""
        share = f", {format_share(self.seconds / head.run_s)} of the run" if _run_known(head) else ""
        return f"up to {format_seconds(self.seconds)}{share}"


Look = Callable[[TraceSummary], Iterator[Remark]]


@dataclass(frozen=True)
class Rule:
    """A rule, and its row of the reference page."""

    look: Look
    speaks: str
    """When it yields a remark, with its thresholds."""
    source: str
    """Where the thresholds are from."""


_rules = Registry[Rule]("weir.explain.rules", "rule")


def rule(speaks: str, source: str) -> Callable[[Look], Look]:
    """Registers a function that yields remarks on the numbers of a summary; for `Rule`, its words."""

    def keep(look: Look) -> Look:
        _rules.register(look.__name__)(Rule(look, speaks, source))
        return look

    return keep


def rules() -> dict[str, Rule]:
    """All rules by name."""
    return _rules.all()


def remarks_on(summary: TraceSummary) -> tuple[Remark, ...]:
    """What all rules say: first what the trace lacks, then by the time that it may explain."""
    found = [_bounded(remark, summary.head) for one in rules().values() for remark in one.look(summary)]
    kept = [remark for remark in found if _matters(remark, summary.head)]
    return tuple(sorted(kept, key=lambda remark: (not remark.incomplete, -(remark.seconds or 0))))


def _run_known(head: Head) -> bool:
    return head.end_known and head.run_s > 0


def _bounded(remark: Remark, head: Head) -> Remark:
    """Sums over threads may exceed the run, and nothing explains more than all of it."""
    if remark.seconds is None or not _run_known(head) or remark.seconds <= head.run_s:
        return remark
    return Remark(remark.text, remark.why, remark.advice, head.run_s, remark.incomplete)


def _matters(remark: Remark, head: Head) -> bool:
    if remark.incomplete or remark.seconds is None or not _run_known(head):
        return True
    return remark.seconds >= LEAST_OF_RUN * head.run_s


def nothing_stands_out(summary: TraceSummary) -> str:
    """Why there is no remark, as far as the summary tells."""
    share, path = summary.share_of_run, summary.share_of_path
    if path is not None:
        return f"Nothing: I/O calls take {format_share(path)} of the critical path."
    return "Nothing" + ("" if share is None else f": I/O calls take {format_share(share)} of the run") + "."


def lacks(head: Head) -> tuple[Remark, ...]:
    """What the trace lacks, by its head alone."""
    return tuple(remark for remark in remarks_on(TraceSummary(head)) if remark.incomplete)

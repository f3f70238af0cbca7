"""What to launch next where a study's parts share its time. Pure, as the scheduler of each part is.

A part has its share of the time among those that still have something to measure: what one leaves over, the
others get. Parts take turns: next is the one that has used least of its share, so that an interrupted run has
something of each.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weir.measure.questions import Outlook
from weir.measure.scheduler import PlannedLaunch, Scheduler
from weir.measure.stopping_rule import CaseState, Goals


@dataclass
class Part:
    """The scheduler of a part's cases, its share, and the time that it has used. `over`: nothing of it fits
    into what is left of its share."""

    scheduler: Scheduler
    share: float
    spent_s: float = 0.0
    over: bool = False


class PartedScheduler:
    """Chooses launches until every case of every part is settled, or nothing more fits into the time left."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = list(parts)
        self._last: tuple[Part, PlannedLaunch] | None = None
        self._all_s = math.nan
        self._before_s = math.nan
        """What was left when the last launch was chosen."""

    @property
    def states(self) -> list[CaseState]:
        """Those of all parts."""
        return [state for part in self._parts for state in part.scheduler.states]

    @property
    def goals(self) -> Goals:
        """When a case has samples enough, in any part."""
        return self._parts[0].scheduler.goals

    @property
    def open_cases(self) -> Callable[[], Collection[str]]:
        """The cases that would decide what is open."""
        return self._parts[0].scheduler.open_cases

    def next_launch(self, remaining_s: float) -> PlannedLaunch | None:
        """The next launch, of the part that has used least of its share; where nothing fits into any share,
        what fits into all the time that is left."""
        self._charge(remaining_s)
        while going := [part for part in self._parts if not part.over]:
            part = min(going, key=lambda one: one.spent_s / one.share)
            if planned := part.scheduler.next_launch(min(self._left_s(part, going), remaining_s)):
                return self._chosen(part, planned)
            part.over = True
        for part in self._parts:
            if planned := part.scheduler.next_launch(remaining_s):
                return self._chosen(part, planned)
        return None

    def first_launches(self) -> Iterator[PlannedLaunch]:
        """Those of the first round of each part."""
        for part in self._parts:
            yield from part.scheduler.first_launches()

    def try_again(self, states: Sequence[CaseState], planned: PlannedLaunch) -> None:
        """As a scheduler does, for the part that these are of."""
        for part in self._parts:
            if mine := [state for state in states if state in part.scheduler.states]:
                part.scheduler.try_again(mine, planned)

    def launch_took(self, overhead_s: float) -> None:
        """What a launch took apart from its cases, whichever part it was of."""
        for part in self._parts:
            part.scheduler.launch_took(overhead_s)

    def outlook(self, time_s: float) -> Outlook:
        """What can be answered in that time, each part in its share of it."""
        shares = sum(part.share for part in self._parts)
        found = [part.scheduler.outlook(time_s * part.share / shares) for part in self._parts]
        left_out: dict[str, int] = {}
        for one in found:
            left_out |= one.left_out
        return Outlook(
            time_s=time_s,
            needed_s=sum(one.needed_s for one in found),
            cases=frozenset().union(*(one.cases for one in found)),
            all_cases=sum(one.all_cases for one in found),
            claims=sum(one.claims for one in found),
            all_claims=sum(one.all_claims for one in found),
            left_out=left_out,
        )

    def _charge(self, remaining_s: float) -> None:
        """The time since the last launch was chosen is that of its part."""
        if math.isnan(self._all_s):
            self._all_s = remaining_s
        if self._last is not None:
            self._last[0].spent_s += self._before_s - remaining_s
        self._before_s = remaining_s

    def _left_s(self, part: Part, going: Sequence[Part]) -> float:
        """Of what the parts that are over have not used, this one's share, without what it has used."""
        over_s = sum(one.spent_s for one in self._parts if one.over)
        return (self._all_s - over_s) * part.share / sum(one.share for one in going) - part.spent_s

    def _chosen(self, part: Part, planned: PlannedLaunch) -> PlannedLaunch:
        self._last = (part, planned)
        return planned


def parts_of(
    states: Sequence[CaseState],
    part_of: Callable[[CaseState], str],
    shares: Mapping[str, float],
    scheduler_of: Callable[[list[CaseState]], Scheduler],
) -> list[Part]:
    """The parts that have cases, in the order of the study; a case is of the part of its first comparison."""
    by_part: dict[str, list[CaseState]] = {name: [] for name in shares}
    for state in states:
        by_part[part_of(state)].append(state)
    return [Part(scheduler_of(mine), shares[name]) for name, mine in by_part.items() if mine]

"""Who is measured when: both sides in turns, again and again, until it is clear or the time is over."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from peers.compare import Comparison, Pairs, compare
from peers.launch import LaunchFailed
from weir.analyse.statistics import FEWEST_SAMPLES

Numbers = dict[str, list[float]]
"""What a launch gave, by phase: one number a repetition; greater is better."""

FEWEST_ROUNDS = 4
MOST_SAMPLES = 60


@dataclass
class Bout:
    """A case of both sides. Each is a function that launches it once; `cleanup` follows a failure."""

    name: str
    ours: Callable[[], Numbers]
    theirs: Callable[[], Numbers]
    least: float
    """The goal of the ratio, ours over theirs."""
    unit: str = "B/s"
    phases: dict[str, str] = field(default_factory=dict)
    cleanup: Callable[[], None] = lambda: None
    rounds: int = 0
    took_s: float = 0.0
    """What the last round took."""
    pairs: dict[str, Pairs] = field(default_factory=dict)
    skipped: str = ""
    """Why the other side could not do it."""
    failed: str = ""
    """Why ours could not, which is a defect."""

    def fight(self) -> None:
        """One launch of each side. Who begins changes from round to round: the second finds things warm."""
        began = time.monotonic()
        first, second = (self._ours, self._theirs) if self.rounds % 2 == 0 else (self._theirs, self._ours)
        got = {first: first()}
        if not self.over:
            got[second] = second()
        self.rounds += 1
        self.took_s = time.monotonic() - began
        if self.over:
            self.cleanup()
            return
        for phase in self.phases:
            self.pairs.setdefault(phase, Pairs()).add(got[self._ours][phase], got[self._theirs][phase])

    @property
    def over(self) -> bool:
        """Whether a side cannot go on."""
        return bool(self.skipped or self.failed)

    def comparisons(self) -> dict[str, Comparison]:
        """What is known so far, by phase."""
        found = {phase: compare(pairs, self.least) for phase, pairs in self.pairs.items()}
        return {phase: one for phase, one in found.items() if one is not None}

    @property
    def begun(self) -> bool:
        """Whether it has too few samples for an interval, or too few launches to call them independent."""
        few = any(len(pairs.ours) < FEWEST_SAMPLES for pairs in self.pairs.values())
        return not self.over and (few or self.rounds < FEWEST_ROUNDS)

    @property
    def settled(self) -> bool:
        """Whether more rounds are pointless."""
        known = self.comparisons().values()
        enough = all(one.settled or one.ratio.count >= MOST_SAMPLES for one in known)
        return self.over or (not self.begun and enough)

    def _ours(self) -> Numbers:
        try:
            return self._whole(self.ours())
        except LaunchFailed as error:
            self.failed = str(error)
            return {}

    def _theirs(self) -> Numbers:
        try:
            return self._whole(self.theirs())
        except LaunchFailed as error:
            self.skipped = str(error)
            return {}

    def _whole(self, numbers: Numbers) -> Numbers:
        missing = [phase for phase in self.phases if not numbers.get(phase)]
        if missing:
            raise LaunchFailed(f"it gave no number for '{missing[0]}'")
        return numbers


def fight_all(bouts: Sequence[Bout], budget_s: float) -> None:
    """Rounds over all bouts that are not settled, until the budget is used up; only what an interval needs at
    least is measured even then."""
    began = time.monotonic()
    for number in itertools.count(1):
        fought = 0
        for bout in bouts:
            in_time = time.monotonic() - began + bout.took_s <= budget_s
            if bout.begun or (in_time and not bout.settled):
                bout.fight()
                fought += 1
        if fought == 0:
            return
        spent = time.monotonic() - began
        print(f"  round {number}: {fought} cases, {spent:.0f} s of {budget_s:.0f} s", file=sys.stderr)

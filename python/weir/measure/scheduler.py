"""What to launch next. Pure: it gets what happened and how much time is left, and touches nothing.

Rounds: in each round every unsettled case runs once (or in a few passes, where starting takes longer), so
that the cases of a comparison share whatever the machine goes through. Every second round is in reverse, and
every other one begins with the next case: what a case leaves to the next one, such as dirty pages, is then
not always left to the same one. While any case has fewer than the least number of samples, only such cases
run, and of these only what the time left can answer whole (see questions), decided again each round by what
cases took. Where it cannot answer all, the first cases, whose numbers stand on the run's first screen, run
before others. After that the time goes to the cases that would decide what is still open, all of a comparison
in one round since they are compared as neighbours in time; what is left of it goes to those with the widest
intervals.
"""

import operator
import statistics
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from weir.launch.base import LaunchSpec
from weir.measure.questions import Outlook, Question, outlook
from weir.measure.stopping_rule import CaseState, Goals
from weir.study.case import Case

LONGEST_LAUNCH_S = 10.0
"""Launches are cut so that they are expected to stay below this: only between launches can the budget be
kept."""
FIRST_OVERHEAD_S = 1.0
"""Taken for starting and ending a launch until one was seen."""
MOST_PASSES = 3
"""A launch that takes longer than its cases goes through them up to this often. Not more often: what
differs from launch to launch, such as where ranks and memory are placed, shall show in the samples."""


@dataclass(frozen=True)
class PlannedLaunch:
    """Cases of one launch, in this order, on the same ranks."""

    round: int
    spec: LaunchSpec
    states: tuple[CaseState, ...]
    passes: int
    expected_s: float

    def order(self) -> list[CaseState]:
        """The cases as they run: in each pass every one of them, in another order."""
        return [state for step in range(self.passes) for state in _turned(list(self.states), step)]


class Scheduler:
    """Chooses launches until every case is settled or nothing more fits into the time left."""

    def __init__(  # noqa: PLR0913 - what it is to know
        self,
        states: Sequence[CaseState],
        goals: Goals,
        *,
        spec_of: Callable[[Case], LaunchSpec],
        prior_s: Callable[[Case], float],
        first_round: int = 1,
        questions: Sequence[Question] = (),
        open_cases: Callable[[], Collection[str]] = frozenset,
        first_cases: Collection[str] = (),
    ) -> None:
        self.states = list(states)
        everything = frozenset(state.case.id for state in states)
        self.questions = list(questions) or [Question("", everything, own=everything)]
        self._first = frozenset(first_cases) & everything
        if self._first:
            self.questions.insert(0, Question("", self._first, first=True))
        self.goals = goals
        self.open_cases = open_cases
        """The cases that would decide what is open, by the samples so far. Asking takes a while."""
        # Of very many cases each is asked for again and again.
        self._specs = {state.case.id: spec_of(state.case) for state in states}
        self._priors_s = {state.case.id: prior_s(state.case) for state in states}
        self._first_round, self._round = first_round, first_round - 1
        self._in_parts = False
        """Whether no comparison that is left fits whole into the time that there was at first."""
        self._queue: deque[PlannedLaunch] = deque()
        self._overheads_s: list[float] = []
        self._off = 1.0
        self._took: dict[str, float] = {}
        """How many times as long as guessed each case took that was measured."""
        self._to_learn_from: Sequence[CaseState] = self.states
        """Those that may have been measured since it was last looked."""

    def next_launch(self, remaining_s: float) -> PlannedLaunch | None:
        """The next launch; None when all is settled or what is left does not fit into the remaining time."""
        self._learn_how_far_off()
        while True:
            while self._queue:
                planned = self._queue.popleft()
                fitting = self._affordable(self._open(planned.states), remaining_s)
                if fitting:
                    found = self._planned(planned.round, planned.spec, fitting, remaining_s)
                    self._to_learn_from = found.states
                    return found
            self._round += 1
            self._queue.extend(self._plan_round(remaining_s))
            if not self._queue:
                return None

    def first_launches(self) -> Iterator[PlannedLaunch]:
        """Those of the first round, were there time for all."""
        while planned := self.next_launch(float("inf")):
            if planned.round == self._first_round:
                yield planned
            if planned.round != self._first_round or not self._queue:
                return

    def try_again(self, states: Sequence[CaseState], planned: PlannedLaunch) -> None:
        """Launch these of a launch that died once more, next and on their own, so that they can take no
        others with them."""
        expected_s = self.overhead_s + sum(map(self.expected_s, states))
        self._queue.appendleft(PlannedLaunch(planned.round, planned.spec, tuple(states), 1, expected_s))

    def launch_took(self, overhead_s: float) -> None:
        """Learn what a launch took apart from its cases."""
        self._overheads_s.append(max(overhead_s, 0.0))

    def outlook(self, time_s: float) -> Outlook:
        """What can be answered in that time, as far as is known by now."""
        cases = {state.case.id: state.samples > 0 for state in self.states}
        # Few sets of cases are asked for, each several times.
        return outlook(self.questions, cases, cache(self._least_time_s), time_s)

    def expected_s(self, state: CaseState) -> float:
        """How long a case is expected to take in a launch: what it took, before that the first guess,
        corrected by how far off the guesses at others were."""
        return state.expected_s(self._priors_s[state.case.id] * self._off)

    def _learn_how_far_off(self) -> None:
        """From the cases of the last launch; at first from all that were measured before."""
        for state in self._to_learn_from:
            if state.durations_s:
                took_s = statistics.median(state.durations_s)
                self._took[state.case.id] = took_s / max(self._priors_s[state.case.id], 1e-9)
        if self._to_learn_from:
            self._off = statistics.median(self._took.values()) if self._took else 1.0
        self._to_learn_from = []

    def _least_time_s(self, cases: frozenset[str]) -> float:
        """The time that these cases still need until each has the least number of samples."""
        groups: dict[LaunchSpec, list[CaseState]] = {}
        for state in self._open(self.states):
            if state.case.id in cases and state.samples < self.goals.min_samples:
                groups.setdefault(self._specs[state.case.id], []).append(state)
        return sum(map(self._time_of_group_s, groups.values()))

    def _time_of_group_s(self, states: list[CaseState]) -> float:
        missing = [self.goals.min_samples - state.samples for state in states]
        cases_s = [self.expected_s(state) for state in states]
        most = 1 if self.goals.fresh else MOST_PASSES
        passes = max(1, int(min(self.overhead_s / max(sum(cases_s), 1e-9), most)))
        # The first launch goes through its cases once: their lengths are not known yet.
        first = 0 if all(state.durations_s for state in states) else 1
        rounds = first + -(-(max(missing) - first) // passes)
        launches = rounds * len(self._split(states))
        measuring_s: float = sum(map(operator.mul, missing, cases_s))
        return launches * self.overhead_s + measuring_s

    @property
    def overhead_s(self) -> float:
        """How long a launch is expected to take apart from its cases."""
        return statistics.median(self._overheads_s) if self._overheads_s else FIRST_OVERHEAD_S

    def _plan_round(self, remaining_s: float) -> list[PlannedLaunch]:
        candidates = self._candidates(remaining_s)
        chosen = {id(state) for state in self._affordable(candidates, remaining_s)}
        # Back to the order of the study: priority says who runs, not when.
        states = [state for state in self.states if id(state) in chosen]
        groups: dict[LaunchSpec, list[CaseState]] = {}
        for state in _turned(states, self._round - 1):
            groups.setdefault(self._specs[state.case.id], []).append(state)
        return [
            self._planned(self._round, spec, part, remaining_s)
            for spec, members in groups.items()
            for part in self._split(members)
        ]

    def _candidates(self, remaining_s: float) -> list[CaseState]:
        """First those that get the least number of samples in time; once they have them, those that decide
        what is open, then the widest. Where none gets them and none ever had them, whatever there is; where
        that is all that is left to the same command, as many as fit."""
        open_states = self._open(self.states)
        too_few = [state for state in open_states if state.samples < self.goals.min_samples]
        enough = [state for state in open_states if state.samples >= self.goals.min_samples]
        expected = self.outlook(remaining_s)
        in_time = [state for state in too_few if state.case.id in expected.cases]
        first = [state for state in in_time if state.case.id in self._first]
        if first and not expected.is_whole:
            return first
        if in_time:
            return sorted(in_time, key=lambda state: state.samples)
        if all(state.samples < self.goals.min_samples for state in self.states):
            return sorted(too_few, key=lambda state: state.samples)
        self._in_parts |= not enough and self._round == self._first_round
        if self._in_parts and not enough:
            return self._as_many_as_fit(too_few, remaining_s)
        deciding = self.open_cases() if enough else ()
        wanted = [state for state in enough if state.case.id in deciding]
        return sorted(wanted or enough, key=lambda state: -state.width())

    def _as_many_as_fit(self, states: list[CaseState], time_s: float) -> list[CaseState]:
        """Those that get the least number of samples in that time, and at least one: first those that were
        begun, so that the same command comes to an end."""
        ordered = sorted(states, key=lambda state: -state.samples)

        def lacks_time(count: int) -> bool:
            return self._least_time_s(frozenset(state.case.id for state in ordered[:count])) > time_s

        count = bisect_left(range(1, len(ordered) + 1), True, key=lacks_time)
        return ordered[: max(count, 1)]

    def _affordable(self, candidates: Iterable[CaseState], remaining_s: float) -> list[CaseState]:
        """As many of the candidates as fit into the time, each spec paid for once with the launch's own
        time."""
        chosen: list[CaseState] = []
        paid: set[LaunchSpec] = set()
        for state in candidates:
            spec = self._specs[state.case.id]
            cost = self.expected_s(state) + (0.0 if spec in paid else self.overhead_s)
            if cost <= remaining_s:
                chosen.append(state)
                paid.add(spec)
                remaining_s -= cost
        return chosen

    def _split(self, states: Iterable[CaseState]) -> list[list[CaseState]]:
        parts: list[list[CaseState]] = []
        length_s = 0.0
        for state in states:
            expected = self.expected_s(state)
            if not parts or self.goals.fresh or length_s + expected > LONGEST_LAUNCH_S:
                parts.append([])
                length_s = self.overhead_s
            parts[-1].append(state)
            length_s += expected
        return parts

    def _planned(
        self, round_number: int, spec: LaunchSpec, states: Sequence[CaseState], remaining_s: float
    ) -> PlannedLaunch:
        cases_s = sum(self.expected_s(state) for state in states)
        passes = self._passes(states, cases_s, min(remaining_s, LONGEST_LAUNCH_S))
        return PlannedLaunch(
            round_number, spec, tuple(states), passes, expected_s=self.overhead_s + passes * cases_s
        )

    def _passes(self, states: Sequence[CaseState], cases_s: float, longest_s: float) -> int:
        """How often to go through the cases in one launch, once their lengths are known."""
        if self.goals.fresh or not all(state.durations_s for state in states):
            return 1
        worth_while = self.overhead_s / max(cases_s, 1e-9)
        in_time = (longest_s - self.overhead_s) / max(cases_s, 1e-9)
        wanted = min(self._samples_wanted(state) for state in states)
        return max(1, int(min(worth_while, in_time, wanted, MOST_PASSES)))

    def _samples_wanted(self, state: CaseState) -> int:
        least, most = self.goals.min_samples, self.goals.max_samples
        return (least if state.samples < least else most) - state.samples

    @staticmethod
    def _open(states: Iterable[CaseState]) -> list[CaseState]:
        return [state for state in states if state.verdict is None]


def _turned(states: list[CaseState], step: int) -> list[CaseState]:
    """Every second step in reverse, every other step beginning with the next case."""
    shift = step // 2 % len(states) if states else 0
    turned = states[shift:] + states[:shift]
    return turned[::-1] if step % 2 else turned

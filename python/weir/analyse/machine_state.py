"""In which state the machine was when each sample was taken.

A virtual machine's host moves its cores between caches; the same program then runs at another speed, and a
cache line passes from core to core in another time. The core probes that time between cases. The values of
one state spread (a factor of three was seen, filled), those of two states leave a gap: states are told apart
by gaps, and a sample is of the state that the probes before and after it show.

Samples of one state count, the *main* one. Storage mostly waits for disks: its samples count in every state,
but for the results that surely differ between them. Pure.
"""

import math
import statistics
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

from weir.analyse.metric import value_of
from weir.analyse.paired import Standing, quotient_interval, standing_of
from weir.analyse.passes import Passes
from weir.analyse.statistics import estimate_median
from weir.store.records import AnyRecord, LaunchRecord, SampleRecord, StateRecord

GAP = 2.0
"""Neighbouring values that are farther apart, as a factor, are of different states."""
GAP_OF_FEW, FEW = 3.0, 10
"""The same of fewer probes than FEW, which do not fill the spread of a state."""
FEWEST = 3
"""Probes that a second state has at least: fewer may have been disturbed."""
STORAGE = "storage"
"""The benchmark that mostly waits for disks."""
BRIDGES = 50
"""One of so many probes may lie in a gap: the state changed while it ran, or it was disturbed."""


@dataclass(frozen=True)
class State:
    """A state by the times of its probes, one way, in ns."""

    handoff_ns: float
    """Their median."""
    low_ns: float
    high_ns: float
    probes: int


def find_states(probes_ns: Iterable[float]) -> list[State]:
    """The states that the times of probes show, the fastest first."""
    values = sorted(probes_ns)
    bridges = len(values) // BRIDGES
    parts = _parts(values, GAP, bridges, max(FEWEST, bridges + 1))
    # What lies apart and is too little for a state belongs to none.
    gap = GAP if len(values) >= FEW else GAP_OF_FEW
    cores = sorted((max(_parts(part, gap, 0, 1), key=len) for part in parts), key=len, reverse=True)
    found = [core for at, core in enumerate(cores) if core and (at == 0 or len(core) >= FEWEST)]
    return [State(statistics.median(core), core[0], core[-1], len(core)) for core in sorted(found, key=min)]


def _parts(values: Sequence[float], gap: float, bridges: int, fewest: int) -> list[Sequence[float]]:
    """The sorted values cut at each gap that has at most so many in it and `fewest` or more on each side."""
    gaps = []
    for at in range(fewest - 1, len(values) - fewest):
        beyond = bisect_left(values, gap * values[at])
        if beyond - at - 1 <= bridges and len(values) - beyond >= fewest:
            gaps.append((beyond - at - 1, -values[beyond] / values[at], at, beyond))
    if not gaps:
        return [values]
    *_, at, beyond = min(gaps)
    parts = (values[: at + 1], values[beyond:])
    return [found for part in parts for found in _parts(part, gap, bridges, fewest)]


def shown_states(probes_ns: Sequence[float], states: Sequence[State]) -> list[State | None]:
    """The state that each probe shows, given in the order of time. Null for a time of no state, and for one
    of a slower state than the probes on both sides of it: it may have been disturbed."""
    found = [next((s for s in states if s.low_ns <= value <= s.high_ns), None) for value in probes_ns]
    return [None if _stands_alone(found, at) else state for at, state in enumerate(found)]


def _stands_alone(found: Sequence[State | None], at: int) -> bool:
    state, others = found[at], [*found[max(at - 1, 0) : at], *found[at + 1 : at + 2]]
    if state is None or not others:
        return False
    return all(one is not None and one.low_ns < state.low_ns for one in others)


@dataclass(frozen=True)
class Place:
    """Where was probed: times of other cores differ by their distance, and not by a state."""

    hosts: tuple[str, ...] = ()
    cpus: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tag:
    """What probes tell of one sample. `state` is null where it changed while the sample was taken, or is not
    clear, or nothing was probed. `main`: no probe shows anything but the main state. `kept`: it counts.
    `unfinished`: it does not, since a launch died within its repetition."""

    place: Place
    state: State | None
    changed: bool
    main: bool
    kept: bool
    unfinished: bool
    before_ns: float | None
    after_ns: float | None


@dataclass(frozen=True)
class Seen:
    """A state at one place, and how many samples were taken in it."""

    place: Place
    state: State
    samples: int
    main: bool
    """Whether it is the state of most samples there."""


@dataclass(frozen=True)
class Stretch:
    """Probes of one place that followed each other and showed one state; null for times of none. They were
    taken from `first_at` to `last_at`, UTC; null where that is not known."""

    place: Place
    state: State | None
    probes: int
    first_at: str | None
    last_at: str | None


@dataclass(frozen=True)
class Sorted:
    """The tags of all samples, in their order, and the states, main ones first; `stretches` are in the order
    of time at each place."""

    tags: tuple[Tag, ...]
    seen: tuple[Seen, ...]
    stretches: tuple[Stretch, ...] = ()


@dataclass
class _Between:
    """A sample and its probes, by their numbers at their place; null where one found no time."""

    place: Place
    before: int | None = None
    after: int | None = None
    stored: tuple[str, str] | None = None
    """Case and phase, if it is one of storage."""
    value: float | None = None


@dataclass
class Course:
    """The probes and samples of a run, in their order."""

    _probes: dict[Place, list[float]] = field(default_factory=dict)
    _probed_at: dict[Place, list[str | None]] = field(default_factory=dict)
    _samples: list[_Between] = field(default_factory=list)
    _launch: int | None = None
    _hosts: tuple[str, ...] = ()
    _last: _Between = field(default_factory=lambda: _Between(Place()))
    """Where a sample lies that would come now."""
    _waiting: list[_Between] = field(default_factory=list)
    """Samples since the last probe."""
    _passes: Passes = field(default_factory=Passes)

    def note(self, record: AnyRecord) -> None:
        """Take note of a record; all but launches, probes and samples say nothing of states."""
        self._passes.note(record)
        if isinstance(record, (LaunchRecord, StateRecord, SampleRecord)) and record.launch != self._launch:
            self._launch, self._hosts = record.launch, ()
            self._last, self._waiting = _Between(Place()), []
        match record:
            case LaunchRecord():
                self._hosts = tuple(str(node.host) for node in record.nodes)
            case StateRecord():
                self._probed(record)
            case SampleRecord():
                stored = (record.case, record.phase) if record.benchmark == STORAGE else None
                found = _Between(self._last.place, self._last.before, None, stored, value_of(record))
                self._samples.append(found)
                self._waiting.append(found)

    def _probed(self, record: StateRecord) -> None:
        place = Place(self._hosts, tuple(record.cpus or ()))
        value = record.handoff_ns.max if record.handoff_ns else None
        number = None
        if value is not None and 0 < value < math.inf:
            probes = self._probes.setdefault(place, [])
            number = len(probes)
            probes.append(value)
            self._probed_at.setdefault(place, []).append(record.probed_at)
        for one in self._waiting:
            if one.place != place:  # a probe of other cores, before it, tells nothing of this one
                one.before = None
            one.place, one.after = place, number
        self._last, self._waiting = _Between(place, number), []

    def sort(self) -> Sorted:
        """The samples by states, as far as the probes so far tell."""
        states = {place: find_states(values) for place, values in self._probes.items()}
        shown = {place: shown_states(values, states[place]) for place, values in self._probes.items()}
        found = [
            [shown[one.place][number] for number in (one.before, one.after) if number is not None]
            for one in self._samples
        ]
        same = [probes[0] if probes and len({*probes}) == 1 else None for probes in found]
        counts = Counter((one.place, state) for one, state in zip(self._samples, same, strict=True))
        main = {
            place: max(of_place, key=lambda state: (counts[place, state], -state.handoff_ns))
            for place, of_place in states.items()
        }
        seen = [
            Seen(place, state, counts[place, state], state == main[place])
            for place, of_place in states.items()
            for state in of_place
        ]
        of_main = [
            all(probe == main[one.place] for probe in probes)
            for one, probes in zip(self._samples, found, strict=True)
        ]
        differing = self._differing(same)
        unfinished = self._passes.unfinished()
        tags = [
            Tag(
                place=one.place,
                state=state,
                changed=None not in probes and len({*probes}) == 2,
                main=is_main,
                kept=number not in unfinished
                and (is_main or (one.stored is not None and one.stored not in differing)),
                unfinished=number in unfinished,
                before_ns=self._time_of(one, one.before),
                after_ns=self._time_of(one, one.after),
            )
            for number, (one, probes, state, is_main) in enumerate(
                zip(self._samples, found, same, of_main, strict=True)
            )
        ]
        stretches = [one for place, states_of in shown.items() for one in self._stretches(place, states_of)]
        return Sorted(tuple(tags), tuple(sorted(seen, key=lambda one: not one.main)), tuple(stretches))

    def _stretches(self, place: Place, shown: Sequence[State | None]) -> Iterator[Stretch]:
        pairs = zip(shown, self._probed_at[place], strict=True)
        for state, probes in groupby(pairs, key=lambda pair: pair[0]):
            times = [time for _, time in probes]
            yield Stretch(place, state, len(times), times[0], times[-1])

    def _differing(self, states: Sequence[State | None]) -> set[tuple[str, str]]:
        """The results of storage that surely differ between two states."""
        values: dict[tuple[Place, tuple[str, str]], dict[State, list[float]]] = {}
        for one, state in zip(self._samples, states, strict=True):
            if one.stored and state and one.value is not None:
                values.setdefault((one.place, one.stored), {}).setdefault(state, []).append(one.value)
        return {
            stored
            for (_, stored), by_state in values.items()
            for one, other in combinations(by_state.values(), 2)
            if surely_differ(one, other)
        }

    def _time_of(self, sample: _Between, number: int | None) -> float | None:
        return None if number is None else self._probes[sample.place][number]


def surely_differ(ones: Sequence[float], others: Sequence[float]) -> bool:
    """Whether the intervals of their medians lie apart, by more than nobody minds; not where one has none."""
    one, other = estimate_median(ones), estimate_median(others)
    if one is None or other is None:
        return False
    return standing_of(*quotient_interval(one, other)) in (Standing.ABOVE, Standing.BELOW)


def samples_that_count(records: Iterable[AnyRecord]) -> list[SampleRecord]:
    """The samples of a run but those that are set aside for the machine's state, or of a repetition that a
    launch's death cut."""
    course, samples = Course(), list[SampleRecord]()
    for record in records:
        course.note(record)
        if isinstance(record, SampleRecord):
            samples.append(record)
    return [sample for sample, tag in zip(samples, course.sort().tags, strict=True) if tag.kept]

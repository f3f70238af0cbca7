"""Values of a machine with which simulations give numbers of some source, and how far a model is off that did
not see a number: each is left out in turn."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from weir.errors import ExitCode, WeirError
from weir.simulate.data import FIT, Datum
from weir.simulate.kinds import Base, Kind
from weir.simulate.model import Machine, path_of
from weir.simulate.result import Simulation
from weir.simulate.round import rounded
from weir.simulate.schema import KEYS, Path
from weir.simulate.search import Point, Search, minimise, refine
from weir.simulate.simulate import Asked, Simulate, check_aggregators, check_ranks
from weir.units import count_words, format_share

SEED = 1
FACTOR = 10.0
"""How far below and above its value a key is sought where nobody says."""
TO = ".."
WIDEST = 1e9
"""High over low of a range at most: in a wider one few machines are tried near any value."""
NEAR_END = 1e-3
"""Of a range, along logarithms."""
IMPOSSIBLE = 1e3
"""The error of a machine that cannot be."""
SAME = 1e-9
"""Two numbers that differ less in proportion are one."""
FAR = 0.5
"""The median error of the fitted numbers above which the model does not reach them."""
Values = Mapping[Path, Base]
"""Of the free keys that are fitted, in base units."""


@dataclass(frozen=True)
class Free:
    """A key that is fitted, between two values in base units."""

    path: Path
    low: float
    high: float

    @property
    def name(self) -> str:
        """The whole key."""
        return ".".join(self.path)

    def at(self, place: float) -> Base:
        """The value there, from 0 (low) to 1 (high), along logarithms; of counts and sizes a whole one."""
        value = float(self.low * (self.high / self.low) ** place)
        whole = KEYS[self.path].kind.suffix in ("", "_bytes")
        return max(1, round(value)) if whole else value

    def place_of(self, value: float) -> float:
        """Where that value is."""
        if self.high <= self.low:
            return 0.0
        inside = min(self.high, max(self.low, value))
        return math.log(inside / self.low) / math.log(self.high / self.low)


def _example(kind: Kind) -> str:
    """A range of such numbers."""
    low = kind.parse(kind.example)
    return kind.example if isinstance(low, str) else f"{kind.example}{TO}{kind.spell(low * FACTOR)}"


def parse_free(word: str, machine: Machine) -> Free:
    """That of KEY, sought within its low and high where the model has them, else within a factor of 10; or of
    KEY=LOW..HIGH. Raises WeirError where there is no such number."""
    name, equals, ends = (part.strip() for part in word.partition("="))
    path = path_of(name)
    kind, given = KEYS[path].kind, machine.given(path)
    example = f"write for example {name}={_example(kind)}"
    value = machine.values.get(path)
    if isinstance(kind.parse(kind.example), str):
        raise WeirError(f"'{word}' cannot be fitted", "it is no number", "free a number")
    if equals:
        low, to, high = ends.partition(TO)
        if not to:
            raise WeirError(f"'{word}' has no ends", "", example)
        bases = [kind.parse(low.strip()), kind.parse(high.strip())]
    elif given and given.low is not None and given.high is not None:
        bases = [kind.parse(given.low), kind.parse(given.high)]
    elif value is None or isinstance(value, str) or value <= 0:
        raise WeirError(
            f"nothing says between which values to seek {'.'.join(path)}", "the model has none", example
        )
    else:
        bases = [value / FACTOR, value * FACTOR]
    first, last = map(float, bases)
    if not 0 < first < last or last / first > WIDEST:
        why = (
            "it must rise, and begin above 0" if not 0 < first < last else "it is wider than a factor of 1e9"
        )
        raise WeirError(f"'{word}' is no range", why, example)
    return Free(path, first, last)


def check_distinct(keys: Sequence[Free]) -> None:
    """Raises WeirError for a key that is free twice."""
    names = [one.name for one in keys]
    for name in names:
        if names.count(name) > 1:
            raise WeirError(f"{name} is free twice", "", "name it once")


@dataclass(frozen=True)
class Fitted:
    """A number, what the model gives that was fitted to all, and what one gives that never saw it."""

    datum: Datum
    simulated: float
    unseen: float | None
    """Of a model fitted to all others; null of one that was only checked, or where there are no others."""

    @property
    def error(self) -> float:
        """Simulated over given, minus 1."""
        return self.simulated / self.datum.value - 1

    @property
    def unseen_error(self) -> float | None:
        """The same of the model that never saw it."""
        return None if self.unseen is None else self.unseen / self.datum.value - 1


@dataclass(frozen=True)
class Fit:
    """What came of it. `idle`: keys that change none of the numbers, and are as before. `spread`: the least
    and the greatest value of each of the others, with each number left out; empty for one number. `settled`:
    whether the search came to rest before it had made all evaluations."""

    machine: Machine
    before: Machine
    free: tuple[Free, ...]
    idle: tuple[Free, ...]
    rows: tuple[Fitted, ...]
    spread: Mapping[Path, tuple[float, float]]
    evaluations: int
    settled: bool

    @property
    def reaches(self) -> bool:
        """Whether the model gives about the numbers that it was fitted to."""
        return summary(self.errors(FIT))[0] <= FAR

    @property
    def is_open(self) -> bool:
        """Whether there are fewer numbers than keys, so that other values would do as well."""
        return len(self.free) - len(self.idle) > len(self.errors(FIT))

    def is_at_end(self, free: Free) -> bool:
        """Whether the key would rather have a value that it was not allowed."""
        place = free.place_of(self.machine.number(*free.path))
        return not NEAR_END < place < 1 - NEAR_END

    def errors(self, kind: str) -> list[float]:
        """Absolute ones: of the numbers of a use, or of those left out."""
        if kind == LEFT_OUT:
            return [abs(one.unseen_error) for one in self.rows if one.unseen_error is not None]
        return [abs(one.error) for one in self.rows if one.datum.use == kind]


LEFT_OUT = "left out"


def summary(errors: Sequence[float]) -> tuple[float, float]:
    """The median and the worst of absolute errors, of which there is one."""
    return median(errors), max(errors)


@dataclass
class Fitting:
    """A machine, keys that are free, and numbers; simulations run side by side in so many `threads`."""

    machine: Machine
    free: Sequence[Free]
    data: Sequence[Datum]
    simulate: Simulate
    evaluations: int = 150
    threads: int = 1
    told: Callable[[str], None] = lambda words: None

    def __post_init__(self) -> None:
        for datum in self.data:
            with _placing(datum):
                check_ranks(self.machine, datum.asked)
                check_aggregators(datum.asked)
        self._known: dict[tuple[frozenset[tuple[Path, Base]], Asked], Simulation] = {}

    def fit(self) -> Fit:
        """Search, then leave each number out. Raises WeirError where a number cannot be simulated at all, or
        no key changes one."""
        used = [one for one in self.data if one.use == FIT]
        start = tuple(free.place_of(self._value(free)) for free in self.free)
        self._check(self._values(start))
        found = self._search(used, lambda f: minimise(f, start, self.evaluations, SEED))
        self._tell_errors([self._row(one, self._values(found.best)).error for one in used])
        points = [self._without(one, used, found.best) for one in used if len(used) > 1]
        left = {one.place: self._values(point) for one, point in zip(used, points, strict=False)}
        # One that was sought without a number may be better for all.
        point = min([found.best, *points], key=lambda each: self._error(self._values(each), used))
        best = self._rounded(self._without_idle(self._values(point), used), used)
        rows = [self._row(one, best, left.get(one.place)) for one in self.data]
        tried = [best, *left.values()] if left else []
        spread = {
            path: (float(min(values)), float(max(values)))
            for path in best
            for values in [[float(one[path]) for one in tried]]
            if values
        }
        machine = self._machine(best, self._source(used, found))
        idle = tuple(free for free in self.free if free.path not in best)
        return Fit(
            machine, self.machine, tuple(self.free), idle, tuple(rows), spread, found.calls, found.settled
        )

    def _tell_errors(self, errors: Sequence[float]) -> None:
        middle, worst = summary([abs(one) for one in errors])
        ends = f"error {format_share(middle)} in the median, {format_share(worst)} at worst"
        self.told(f"fitted to {count_words(len(errors), 'number')}: {ends}")

    def _value(self, free: Free) -> float:
        value = self.machine.values.get(free.path)
        return (
            float(value) if isinstance(value, int | float) and value > 0 else math.sqrt(free.low * free.high)
        )

    def _values(self, point: Point) -> Values:
        return {free.path: free.at(x) for free, x in zip(self.free, point, strict=True)}

    def _without_idle(self, values: Values, used: Sequence[Datum]) -> Values:
        """Those that change a number: it is another one at an end of the range, or with the value before."""
        kept = dict(values)
        for free in self.free:
            without = {path: value for path, value in kept.items() if path != free.path}
            others = [without, {**kept, free.path: free.at(0)}, {**kept, free.path: free.at(1)}]
            numbers = self._numbers(kept, used)
            if all(_are_same(self._numbers(other, used), numbers) for other in others):
                kept = without
        if not kept:
            raise WeirError(
                f"nothing was fitted: no number changes with {', '.join(free.name for free in self.free)}",
                "nothing in the patterns waits for that",
                "free other keys: `weir predict --all` shows what is busy",
                ExitCode.INCONCLUSIVE,
            )
        return kept

    def _rounded(self, values: Values, used: Sequence[Datum]) -> Values:
        """As they are written down; exactly where that cannot be, and at the end of a range."""
        ends = {free.path: (free.low, free.high) for free in self.free}
        found = {
            path: min(ends[path][1], max(ends[path][0], rounded(path, value)))
            for path, value in values.items()
            if not isinstance(value, str)
        }
        return values if self._numbers(found, used) is None else found

    def _numbers(self, values: Values, data: Sequence[Datum]) -> list[float] | None:
        """Of all data; null of a machine that cannot be."""
        try:
            machine = self._machine(values)
            return [one.quantity.of(self._simulated(values, machine, one.asked)) for one in data]
        except WeirError:
            return None

    def _check(self, values: Values) -> None:
        """Raises WeirError where the first machine lacks a number; later ones count as far off."""
        machine = self._machine(values)
        for datum in self.data:
            with _placing(datum):
                datum.quantity.of(self._simulated(values, machine, datum.asked))

    def _without(self, one: Datum, used: Sequence[Datum], best: Point) -> Point:
        others = [other for other in used if other is not one]
        most = max(20, self.evaluations // 4)
        found = self._search(others, lambda f: refine(f, best, most)).best
        self.told(f"fitted without {one.quantity.words} of {one.place}")
        return found

    def _search(self, data: Sequence[Datum], search: Callable[[Callable[[Point], float]], Search]) -> Search:
        return search(lambda point: self._error(self._values(point), data))

    def _error(self, values: Values, data: Sequence[Datum]) -> float:
        """The root of the mean square of the logarithms of simulated over given."""
        try:
            machine = self._machine(values)
            asked = list(dict.fromkeys(one.asked for one in data))
            with ThreadPoolExecutor(self.threads) as pool:
                found = dict(
                    zip(
                        asked, pool.map(lambda one: self._simulated(values, machine, one), asked), strict=True
                    )
                )
            ratios = [one.quantity.of(found[one.asked]) / one.value for one in data]
        except WeirError:
            return IMPOSSIBLE
        return math.sqrt(sum(math.log(ratio) ** 2 for ratio in ratios) / len(ratios))

    def _simulated(self, values: Values, machine: Machine, asked: Asked) -> Simulation:
        key = (frozenset(values.items()), asked)
        if key not in self._known:
            self._known[key] = self.simulate(machine, asked)
        return self._known[key]

    def _machine(self, values: Values, source: str = "fitted: in a search") -> Machine:
        return self.machine.changed(values, source)

    def _source(self, used: Sequence[Datum], found: Search) -> str:
        file = used[0].place.rpartition(":")[0].rpartition("/")[2]
        numbers = count_words(len(used), "number")
        return f"fitted: to {numbers} of {file}, Nelder-Mead, {found.calls} points, seed {SEED}"

    def _row(self, one: Datum, best: Values, without: Values | None = None) -> Fitted:
        def number(values: Values) -> float:
            return one.quantity.of(self._simulated(values, self._machine(values), one.asked))

        return Fitted(one, number(best), None if without is None else number(without))


def _are_same(some: Sequence[float] | None, others: Sequence[float] | None) -> bool:
    """Number for number; machines that cannot be are no others."""
    if some is None or others is None:
        return True
    return all(math.isclose(one, other, rel_tol=SAME) for one, other in zip(some, others, strict=True))


@contextmanager
def _placing(datum: Datum) -> Iterator[None]:
    """Errors raised inside get the line of that number in front."""
    try:
        yield
    except WeirError as error:
        problem = f"{datum.place}: {error.problem}"
        raise WeirError(problem, error.why, error.suggestion, error.exit_code) from error

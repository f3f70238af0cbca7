"""Values of a machine with which simulations give numbers of some source, and how far a model is off that did
not see a number: each is left out in turn."""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median

from weir.errors import WeirError
from weir.simulate.data import FIT, Datum
from weir.simulate.kinds import Base
from weir.simulate.model import Machine, path_of
from weir.simulate.result import Simulation
from weir.simulate.schema import KEYS, Path
from weir.simulate.search import Point, Search, minimise, refine
from weir.simulate.simulate import Asked, Simulate, check_ranks
from weir.units import count_words

SEED = 1
FACTOR = 10.0
"""How far below and above its value a key is sought where nobody says."""
TO = ".."
NEAR_END = 1e-3
"""Of a range, along logarithms."""
IMPOSSIBLE = 1e3
"""The error of a machine that cannot be."""


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


def parse_free(word: str, machine: Machine) -> Free:
    """That of KEY, sought within its low and high where the model has them, else within a factor of 10; or of
    KEY=LOW..HIGH. Raises WeirError where there is no such number."""
    name, equals, ends = (part.strip() for part in word.partition("="))
    path = path_of(name)
    kind, given = KEYS[path].kind, machine.given(path)
    example = f"write for example {name}={kind.example}{TO}{kind.example}"
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
    if not 0 < first < last:
        raise WeirError(f"'{word}' is no range", "it must rise, and begin above 0", example)
    return Free(path, first, last)


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
    """What came of it. `spread`: the least and the greatest value of each key, with each number left out."""

    machine: Machine
    before: Machine
    free: tuple[Free, ...]
    rows: tuple[Fitted, ...]
    spread: Mapping[Path, tuple[float, float]]
    evaluations: int

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
            check_ranks(self.machine, datum.asked)
        self._known: dict[tuple[Point, Asked], Simulation] = {}

    def fit(self) -> Fit:
        """Search, then leave each number out. Raises WeirError where a number cannot be simulated at all."""
        used = [one for one in self.data if one.use == FIT]
        start = tuple(free.place_of(self._value(free)) for free in self.free)
        self._check(start)
        found = self._search(used, lambda f: minimise(f, start, self.evaluations, SEED))
        self.told(
            f"fitted to {count_words(len(used), 'number')}: error {100 * (math.exp(found.value) - 1):.1f} %"
        )
        left = {} if len(used) < 2 else {one.place: self._without(one, used, found.best) for one in used}
        rows = [self._row(one, found.best, left.get(one.place)) for one in self.data]
        points = [found.best, *left.values()]
        spread = {
            free.path: (float(min(values)), float(max(values)))
            for at, free in enumerate(self.free)
            for values in [[float(free.at(point[at])) for point in points]]
        }
        machine = self._machine(found.best, self._source(used, found))
        return Fit(machine, self.machine, tuple(self.free), tuple(rows), spread, found.calls)

    def _value(self, free: Free) -> float:
        value = self.machine.values.get(free.path)
        return (
            float(value) if isinstance(value, int | float) and value > 0 else math.sqrt(free.low * free.high)
        )

    def _check(self, start: Point) -> None:
        """Raises WeirError where the first machine lacks a number; later ones count as far off."""
        machine = self._machine(start)
        for datum in self.data:
            try:
                datum.quantity.of(self._simulated(start, machine, datum.asked))
            except WeirError as error:
                raise WeirError(f"{datum.place}: {error.problem}", error.why, error.suggestion) from error

    def _without(self, one: Datum, used: Sequence[Datum], best: Point) -> Point:
        others = [other for other in used if other is not one]
        most = max(20, self.evaluations // 4)
        found = self._search(others, lambda f: refine(f, best, most)).best
        self.told(f"fitted without {one.quantity.words} of {one.place}")
        return found

    def _search(self, data: Sequence[Datum], search: Callable[[Callable[[Point], float]], Search]) -> Search:
        return search(lambda point: self._error(point, data))

    def _error(self, point: Point, data: Sequence[Datum]) -> float:
        """The root of the mean square of the logarithms of simulated over given."""
        try:
            machine = self._machine(point)
            asked = list(dict.fromkeys(one.asked for one in data))
            with ThreadPoolExecutor(self.threads) as pool:
                found = dict(
                    zip(asked, pool.map(lambda one: self._simulated(point, machine, one), asked), strict=True)
                )
            ratios = [one.quantity.of(found[one.asked]) / one.value for one in data]
        except WeirError:
            return IMPOSSIBLE
        return math.sqrt(sum(math.log(ratio) ** 2 for ratio in ratios) / len(ratios))

    def _simulated(self, point: Point, machine: Machine, asked: Asked) -> Simulation:
        key = (point, asked)
        if key not in self._known:
            self._known[key] = self.simulate(machine, asked)
        return self._known[key]

    def _machine(self, point: Point, source: str = "fitted: in a search") -> Machine:
        values = {free.path: free.at(x) for free, x in zip(self.free, point, strict=True)}
        return self.machine.changed(values, source)

    def _source(self, used: Sequence[Datum], found: Search) -> str:
        file = used[0].place.rpartition(":")[0].rpartition("/")[2]
        return f"fitted: to {len(used)} numbers of {file}, Nelder-Mead, {found.calls} points, seed {SEED}"

    def _row(self, one: Datum, best: Point, without: Point | None) -> Fitted:
        def number(point: Point) -> float:
            return one.quantity.of(self._simulated(point, self._machine(point), one.asked))

        return Fitted(one, number(best), None if without is None else number(without))

"""What a paper prints of a machine, and what the model of that machine gives for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log2
from statistics import median
from typing import Any

from weir.core.client import Core
from weir.figures.figure import Drawing
from weir.simulate.quantities import parse_quantity
from weir.simulate.result import Simulation

FIT, PREDICTION = "fit", "prediction"
GAIN = "gain"
"""The quantity of a number that is the quotient of two times."""
PER_KFLOP = "balance"
"""Of bytes for each thousand operations of HPL."""
PROCESSORS = "processors"
"""The quantity of a number that is the place of a point of a curve."""


@dataclass(frozen=True)
class Said:
    """What a paper says in words where it prints no number, and the rule that decides whether it holds."""

    words: str
    at_least: float = 0.0
    at_most: float = inf

    def holds(self, value: float) -> bool:
        """Whether it does of that value."""
        return self.at_least <= value <= self.at_most


@dataclass(frozen=True)
class Curve:
    """Where a number stands in a figure: `panel` is its title, `axis` what `x` counts. Where `x` is a name,
    it is a bar."""

    panel: str
    series: str
    x: float | str
    axis: str = ""


@dataclass(frozen=True)
class Printed:
    """A number of a paper, in base units: `place` and `row` say which; `quantity` what a simulation has for
    it; `use` whether the model was fitted to it. No value: it is not printed."""

    place: str
    row: str
    quantity: str
    value: float | None
    use: str
    said: Said | None = None
    curve: Curve | None = None


@dataclass(frozen=True)
class Experiment:
    """A pattern on a machine, and what is printed of it."""

    machine: str
    request: dict[str, Any]
    """For `weir-core simulate`."""
    printed: tuple[Printed, ...]


@dataclass(frozen=True)
class Cell:
    """A printed number beside the simulated one."""

    machine: str
    printed: Printed
    simulated: float

    @property
    def error(self) -> float | None:
        """Simulated over printed, minus 1; null of the place of a point."""
        printed = self.printed
        if printed.value is None or printed.quantity == PROCESSORS:
            return None
        return self.simulated / printed.value - 1

    @property
    def doublings(self) -> float | None:
        """How many lie between the simulated place of a point and the printed one; null of other numbers."""
        printed = self.printed
        if printed.value is None or printed.quantity != PROCESSORS:
            return None
        return log2(self.simulated / printed.value)

    @property
    def is_compared(self) -> bool:
        """Whether the paper says anything that it can be held against."""
        return self.printed.value is not None or self.printed.said is not None

    @property
    def holds(self) -> bool | None:
        """Whether what is said in words does; null where nothing is."""
        return None if self.printed.said is None else self.printed.said.holds(self.simulated)


@dataclass(frozen=True)
class Claim:
    """What a paper says of several of its numbers together, and by how much the simulated ones miss it, 0.05
    for 5 %; `where`: which one does most; `use`: whether a model was fitted to some of them."""

    place: str
    says: str
    missed: float = 0.0
    where: str = ""
    use: str = PREDICTION


@dataclass(frozen=True)
class Paper:
    """`cells`: simulates it; `unfitted`: what the models hold that was chosen with the printed results known,
    beside what was fitted; `drawn`: whether its cells are points of figures, or `figure` what draws them;
    `claims`: what it says of all."""

    title: str
    source: str
    cells: Callable[[Core], Iterable[Cell]]
    unfitted: tuple[str, ...] = ()
    drawn: bool = False
    claims: Callable[[Sequence[Cell]], Iterable[Claim]] | None = None
    figure: Callable[[Sequence[Cell]], Drawing] | None = None


@dataclass(frozen=True)
class Errors:
    """How far simulated numbers are off, without sign."""

    count: int
    median: float
    worst: float


def simulated(
    experiments: Callable[[Core], Iterable[Experiment]],
) -> Callable[[Core], Iterator[Cell]]:
    """The cells of such experiments."""

    def cells(core: Core) -> Iterator[Cell]:
        for one in experiments(core):
            found = core.simulate(one.request, Simulation)
            for printed in one.printed:
                yield Cell(one.machine, printed, parse_quantity(printed.quantity).of(found))

    return cells


def errors(cells: Sequence[Cell], use: str) -> Errors | None:
    """Of the cells of that use; None where there are none."""
    off = [abs(cell.error) for cell in cells if cell.printed.use == use and cell.error is not None]
    return Errors(len(off), median(off), max(off)) if off else None

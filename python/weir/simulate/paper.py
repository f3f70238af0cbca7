"""What a paper prints of a machine, and what the model of that machine gives for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from weir.core.client import Core
from weir.simulate.quantities import parse_quantity
from weir.simulate.result import Simulation

FIT, PREDICTION = "fit", "prediction"
GAIN = "gain"
"""The quantity of a number that is the quotient of two times."""
PER_KFLOP = "balance"
"""Of bytes for each thousand operations of HPL."""


@dataclass(frozen=True)
class Printed:
    """A number of a paper, in base units: `place` and `row` say which; `quantity` what a simulation has for
    it; `use` whether the model was fitted to it. No value: it is not printed."""

    place: str
    row: str
    quantity: str
    value: float | None
    use: str


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
        """Simulated over printed, minus 1."""
        return None if self.printed.value is None else self.simulated / self.printed.value - 1


@dataclass(frozen=True)
class Paper:
    """`cells`: simulates it; `unfitted`: what the models hold that was chosen with the printed results known,
    beside what was fitted."""

    title: str
    source: str
    cells: Callable[[Core], Iterable[Cell]]
    unfitted: tuple[str, ...] = ()


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

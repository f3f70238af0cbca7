"""What a paper prints of a machine, and what the model of that machine gives for it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from weir.core.client import Core
from weir.simulate.quantities import parse_quantity
from weir.simulate.result import Simulation

FIT, PREDICTION = "fit", "prediction"


@dataclass(frozen=True)
class Printed:
    """A number of a paper, in base units: `place` and `row` say which; `quantity` what a simulation has for
    it; `use` whether the model was fitted to it."""

    place: str
    row: str
    quantity: str
    value: float
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
    def error(self) -> float:
        """Simulated over printed, minus 1."""
        return self.simulated / self.printed.value - 1


@dataclass(frozen=True)
class Paper:
    """`unfitted`: what the models hold that was chosen with the printed results known, beside what was
    fitted."""

    title: str
    source: str
    experiments: Callable[[Core], Iterable[Experiment]]
    unfitted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Errors:
    """How far simulated numbers are off, without sign."""

    count: int
    median: float
    worst: float


def reproduce(paper: Paper, core: Core) -> list[Cell]:
    """All numbers, in the paper's order."""
    cells = []
    for one in paper.experiments(core):
        found = core.simulate(one.request, Simulation)
        for printed in one.printed:
            cells.append(Cell(one.machine, printed, parse_quantity(printed.quantity).of(found)))
    return cells


def errors(cells: Sequence[Cell], use: str) -> Errors | None:
    """Of the cells of that use; None where there are none."""
    off = [abs(cell.error) for cell in cells if cell.printed.use == use]
    return Errors(len(off), median(off), max(off)) if off else None

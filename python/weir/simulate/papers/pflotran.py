"""Sripathi et al. (2009): PFLOTRAN's I/O on the Cray XT5 and Blue Gene/P, before and after grouping."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from weir.analyse.paired import ALIKE
from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, GAIN, PREDICTION, PROCESSORS, Cell, Curve, Paper, Printed
from weir.simulate.papers import papers
from weir.simulate.picture import RANKS as PROCESSORS_AXIS
from weir.simulate.result import Simulation

XT5, BLUE_GENE = "Cray XT5", "Blue Gene/P"
MACHINES = {XT5: "jaguarpf-lustre", BLUE_GENE: "bluegene-p"}
RANKS = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
"""The paper's study begins with 2,048; fewer show where grouping does not pay."""
MOST = RANKS[-1]
GROUP = 25
"""Ranks of an I/O group, which the paper does not print: fitted to the gain of 25 in the initialisation."""
SOLVE_S = 2800.0
"""Of 30 steps on the most ranks, which no text gives: fitted to the gain of 5 of all."""
INITIAL, WRITE, ALL = "initialisation", "HDF5 write", "whole application"
PRINTED = {INITIAL: (25.0, FIT), WRITE: (3.0, PREDICTION), ALL: (5.0, FIT)}
"""Gains with the most ranks of the XT5."""
OPTIONS = ("--cells", "1350x2500x80", "--read-buffer", "90000000")
"""270 million cells; ids are read in few large reads, since each is cut into requests in any case."""
ROUTERS_OF_A_NODE = 10e6
"""Bytes/s of a node of Blue Gene/P to its I/O node, which 64 share."""


@dataclass(frozen=True)
class _Times:
    initial_s: float
    step_s: float
    all_s: float


def _cells(core: Core) -> Iterator[Cell]:
    patterns = {ranks: Raw(core.emit_pattern("aquifer", OPTIONS, ranks)) for ranks in RANKS}
    for title, name in MACHINES.items():
        gains: dict[str, dict[int, float]] = {INITIAL: {}, WRITE: {}, ALL: {}}
        for ranks, pattern in patterns.items():
            for what, gain in gains_of(core, name, pattern, ranks).items():
                gains[what][ranks] = gain
                yield _gain_cell(title, ranks, what, gain)
        for what, found in gains.items():
            yield Cell(
                title, Printed("below", f"{what}: pays from", PROCESSORS, None, PREDICTION), pays_from(found)
            )


def gains_of(core: Core, name: str, pattern: Raw, ranks: int) -> dict[str, float]:
    """By grouping on that machine, in the two phases and in all."""
    machine = _machine(name, ranks)
    default, grouped = (
        _times(core, {"machine": machine, "pattern": pattern, **groups})
        for groups in ({}, {"read_group": GROUP, "write_group": GROUP})
    )
    solve_s = SOLVE_S * MOST / ranks
    return {
        INITIAL: default.initial_s / grouped.initial_s,
        WRITE: default.step_s / grouped.step_s,
        ALL: (default.all_s + solve_s) / (grouped.all_s + solve_s),
    }


def _gain_cell(title: str, ranks: int, what: str, gain: float) -> Cell:
    is_printed = title == XT5 and ranks == MOST
    value, use = PRINTED[what] if is_printed else (None, PREDICTION)
    curve = Curve(f"Gain by grouping, {title}", what, ranks, PROCESSORS_AXIS)
    return Cell(title, Printed(f"{ranks} ranks", what, GAIN, value, use, curve=curve), gain)


def pays_from(gains: Mapping[int, float]) -> int:
    """The fewest ranks from which on grouping brings more than nobody minds; twice the most if it never
    does."""
    found = 2 * max(gains)
    for ranks in sorted(gains, reverse=True):
        if gains[ranks] <= ALIKE:
            break
        found = ranks
    return found


def _machine(name: str, ranks: int) -> dict[str, Any]:
    model = find_machine(name)
    machine = model.as_core()
    if name == "bluegene-p":
        nodes = ranks / model.number("nodes", "ranks")
        machine["storage"]["routers_bytes_per_s"] = nodes * ROUTERS_OF_A_NODE
    return machine


def _times(core: Core, request: dict[str, Any]) -> _Times:
    phases = core.simulate(request, Simulation).phases
    steps = [phase.time_s for phase in phases if phase.name.startswith("output")]
    return _Times(
        sum(phase.time_s for phase in phases) - sum(steps), steps[-1], sum(phase.time_s for phase in phases)
    )


papers.register("pflotran")(
    Paper(
        "Gains by grouping PFLOTRAN's I/O",
        "V. Sripathi et al., 2009, conclusions; strong scaling of 270 million cells, 30 steps",
        _cells,
        (
            f"groups of {GROUP} ranks for reading and writing (fitted to 25 times)",
            f"{SOLVE_S:.0f} s of solving on {MOST} ranks, in proportion more on fewer (fitted to 5 times)",
            f"grouping pays where it brings more than {100 * (ALIKE - 1):.0f} %",
        ),
        drawn=True,
    )
)

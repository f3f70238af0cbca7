"""Sripathi et al. (2009): PFLOTRAN's I/O on the Cray XT5 and Blue Gene/P, before and after grouping."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, GAIN, PREDICTION, Cell, Paper, Printed
from weir.simulate.papers import papers
from weir.simulate.result import Simulation

RANKS = (2048, 4096, 8192, 16384, 32768, 65536)
MOST = RANKS[-1]
GROUP = 25
"""Ranks of an I/O group, which the paper does not print: fitted to the gain of 25 in the initialisation."""
SOLVE_S = 2500.0
"""Of 30 steps on the most ranks, which no text gives: fitted to the gain of 5 of all."""
OPTIONS = ("--cells", "1350x2500x80", "--read-buffer", "90000000")
"""270 million cells; ids are read in few large reads, since each is cut into requests in any case."""
MACHINES = {"Cray XT5": "jaguarpf-lustre", "Blue Gene/P": "bluegene-p"}
ROUTERS_OF_A_NODE = 10e6
"""Bytes/s of a node of Blue Gene/P to its I/O node, which 64 share."""


@dataclass(frozen=True)
class _Times:
    initial_s: float
    step_s: float
    all_s: float


def _cells(core: Core) -> Iterator[Cell]:
    for title, name in MACHINES.items():
        for ranks in RANKS:
            pattern = Raw(core.emit_pattern("aquifer", OPTIONS, ranks))
            machine = _machine(name, ranks)
            default, grouped = (
                _times(core, {"machine": machine, "pattern": pattern, **groups})
                for groups in ({}, {"read_group": GROUP, "write_group": GROUP})
            )
            solve_s = SOLVE_S * MOST / ranks
            gains = {
                "initialisation": (default.initial_s / grouped.initial_s, 25.0, FIT),
                "HDF5 write": (default.step_s / grouped.step_s, 3.0, FIT),
                "whole application": ((default.all_s + solve_s) / (grouped.all_s + solve_s), 5.0, FIT),
            }
            for what, (gain, printed, use) in gains.items():
                is_printed = name == "jaguarpf-lustre" and ranks == MOST
                yield Cell(
                    title,
                    Printed(
                        f"{ranks} ranks",
                        what,
                        GAIN,
                        printed if is_printed else None,
                        use if is_printed else PREDICTION,
                    ),
                    gain,
                )


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
            "three values for three numbers: predicted are other counts of ranks, and Blue Gene/P",
        ),
    )
)

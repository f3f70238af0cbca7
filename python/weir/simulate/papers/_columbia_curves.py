"""Bandwidths of FLASH-IO's files over processors: as Saini et al. (2006) print their peaks, and simulated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from weir.bounded_parsing import decode_json
from weir.core.client import Core
from weir.simulate.result import Simulation

STEPS = (1, 4, 8, 16, 32, 64, 128, 256, 384, 508)
"""Processors that the texts name."""
COUNTS = {8: STEPS, 16: STEPS, 32: STEPS[:7]}
"""Those of each size of blocks, cells along a side; a disk quota ended those of 32 (section 4)."""
FILES = {"checkpoint": "checkpoint", "plot": "no corners", "corner": "corners"}
"""As the paper calls them, by the phases of the pattern."""
MEAN = "mean of three"
BLOCKS = {8: 81, 16: 161, 32: 161}
"""Of a rank, on average (section 5: 80 and 160; the benchmark gives every third rank one, two more)."""
NOT_UNKNOWNS = 10
"""Arrays of a file that are written from where they are: its header and its tree."""

Curves = dict[tuple[int, str], dict[int, float]]
"""Bytes/s by processors, of each size of blocks and file."""


@dataclass(frozen=True)
class Peak:
    """The highest point of a curve: bytes/s, and the processors that the texts give for it."""

    figure: int
    value: float
    at: tuple[int, ...]

    @property
    def near(self) -> set[int]:
        """These counts, and those a step away."""
        places = [STEPS.index(count) for count in self.at]
        return {count for at in places for count in STEPS[max(0, at - 1) : at + 2]}


PEAKS = {
    (8, "checkpoint"): Peak(9, 152e6, (16,)),
    (16, "checkpoint"): Peak(9, 255e6, (32,)),
    (32, "checkpoint"): Peak(9, 271e6, (4,)),
    (8, "no corners"): Peak(10, 88e6, (16,)),
    (16, "no corners"): Peak(10, 252e6, (32,)),
    (32, "no corners"): Peak(10, 252e6, (8, 32)),
    (8, "corners"): Peak(11, 113e6, (16,)),
    (16, "corners"): Peak(11, 293e6, (32,)),
    (32, "corners"): Peak(11, 263e6, (8,)),
    (8, MEAN): Peak(12, 117e6, (16,)),
    (16, MEAN): Peak(12, 268e6, (32,)),
    (32, MEAN): Peak(12, 237e6, (8,)),
}
"""Section 4. For 32 without corners figure 8's text has 8 processors, figure 10's has 32."""


def simulated_curves(
    core: Core, machine: dict[str, Any], gather_s: float, counts: Mapping[int, Sequence[int]]
) -> Curves:
    """Those on that machine, for these processors."""
    curves: Curves = {key: {} for key in PEAKS}
    for side, some in counts.items():
        for count in some:
            pattern = with_gathering(emitted(core, side, count), side, gather_s)
            found = core.simulate({"machine": machine, "pattern": pattern}, Simulation)
            values = {FILES[one.name]: one.bytes_written / one.time_s for one in found.phases}
            for file, value in {**values, MEAN: fmean(values.values())}.items():
                curves[side, file][count] = value
    return curves


@cache
def emitted(core: Core, side: int, ranks: int) -> dict[str, Any]:
    """FLASH-IO's pattern."""
    options = ("--block", str(side), "--method", "independent")
    pattern: dict[str, Any] = decode_json(core.emit_pattern("flash-io", options, ranks))
    return pattern


def with_gathering(pattern: dict[str, Any], side: int, gather_s: float) -> dict[str, Any]:
    """One in which each rank gathers an unknown out of memory before it writes it."""
    return {**pattern, "phases": [_with_gathering(phase, side, gather_s) for phase in pattern["phases"]]}


def _with_gathering(phase: dict[str, Any], side: int, gather_s: float) -> dict[str, Any]:
    cells = (side + 1) ** 3 if phase["name"] == "corner" else side**3
    gather = {"compute": {"time_s": gather_s * BLOCKS[side] * cells}}
    return {**phase, "steps": [one for step in phase["steps"] for one in _gathered(step, gather)]}


def _gathered(step: dict[str, Any], gather: dict[str, Any]) -> list[dict[str, Any]]:
    is_unknown = "access" in step and step["access"]["array"] >= NOT_UNKNOWNS
    return [gather, step] if is_unknown else [step]

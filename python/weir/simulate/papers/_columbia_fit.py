"""Fits six values to the peaks of Saini et al. (2006).

python -m weir.simulate.papers._columbia_fit [POINTS]
"""

import math
import sys
from collections.abc import Sequence

from weir.core.client import Core, find_core
from weir.simulate.find import find_machine
from weir.simulate.fit import Free
from weir.simulate.model import Machine
from weir.simulate.papers._columbia_claims import misplaced
from weir.simulate.papers._columbia_curves import PEAKS, Curves, simulated_curves
from weir.simulate.schema import KEYS as KEYS_OF_MODEL
from weir.simulate.search import minimise

START = {
    ("storage", "copy"): 310e6,
    ("storage", "targets", "write"): 32e6,
    ("storage", "locks", "transfer"): 0.6e-3,
    ("storage", "locks", "waiter"): 0.3e-6,
    ("storage", "locks", "waiter_mib"): 12e-6,
}
"""Tried by hand, before the search; gathering begins in the middle."""
GATHER_NS = (100.0, 300.0)
COUNTS = {8: (4, 8, 16, 32, 64, 128), 16: (4, 8, 16, 32, 64, 128), 32: (1, 4, 8, 16, 32)}
"""Around the peaks."""
MARGIN = 0.01
"""By which a peak near its printed place is to be above all others."""
WEIGHT = 3.0
"""Of what is misplaced, beside the values."""
EVALUATIONS, SEED = 150, 1


def error_of(curves: Curves) -> float:
    """The root of the mean square of the logarithms of simulated over printed peaks; added: by how much peaks
    are misplaced."""
    values = [math.log(max(curves[key].values()) / peak.value) for key, peak in PEAKS.items()]
    astray = sum(max(0.0, misplaced(curves[key], peak) + MARGIN) for key, peak in PEAKS.items())
    return math.hypot(*values) / math.sqrt(len(values)) + WEIGHT * astray


def _free(machine: Machine) -> list[Free]:
    found = []
    for path in START:
        given = machine.given(path)
        assert given is not None and given.low is not None and given.high is not None
        low, high = (float(KEYS_OF_MODEL[path].kind.parse(end)) for end in (given.low, given.high))
        found.append(Free(path, low, high))
    return found


def main() -> None:
    """Search, and say what came of it."""
    core, machine = Core(find_core()), find_machine("columbia-cxfs")
    free = _free(machine)
    low, high = GATHER_NS

    def values_at(point: Sequence[float]) -> tuple[Machine, float]:
        changed = {one.path: one.at(place) for one, place in zip(free, point[1:], strict=True)}
        return machine.changed(changed, "fitted: in a search"), low * (high / low) ** point[0]

    def error_at(point: Sequence[float]) -> float:
        model, gather_ns = values_at(point)
        error = error_of(simulated_curves(core, model.as_core(), gather_ns * 1e-9, COUNTS))
        shown = [f"{model.number(*one.path):.5g}" for one in free]
        print(f"{error:.4f} {gather_ns:.1f} ns", *shown, flush=True)
        return error

    start = (0.5, *(one.place_of(START[one.path]) for one in free))
    found = minimise(error_at, start, int(sys.argv[1]) if len(sys.argv) > 1 else EVALUATIONS, SEED)
    model, gather_ns = values_at(found.best)
    print(f"error {found.value:.4f} after {found.calls} points; gather {gather_ns:.4g} ns")
    for one in free:
        print(one.name, f"{model.number(*one.path):.5g}")


if __name__ == "__main__":
    main()

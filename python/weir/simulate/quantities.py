"""Which number of a simulation is meant: "time", "checkpoint/written", "total.open+create"."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir.errors import WeirError, did_you_mean
from weir.simulate.kinds import RATE, TIME, Kind
from weir.simulate.result import Operation, Phase, Simulation, bandwidth

KINDS: dict[str, Kind] = {
    **{"time": TIME, "written": RATE, "read": RATE, "moved": RATE},
    **{"total": TIME, "mean": TIME, "longest": TIME},
}
OF_OPERATIONS = ("total", "mean", "longest")
"""Over all ranks; the others are of a phase, or of all that are timed."""
EXAMPLE = "write for example time, checkpoint/written, total.read or mean.open+create"


@dataclass(frozen=True)
class Quantity:
    """`phase`: empty for all; `operations`: those that count, empty where it is of phases."""

    words: str
    what: str
    phase: str = ""
    operations: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """That of its values."""
        return KINDS[self.what]

    def of(self, found: Simulation) -> float:
        """The number. Raises WeirError where the simulation has none."""
        phases = [phase for phase in found.phases if phase.name == self.phase] if self.phase else found.timed
        some = [op for phase in phases for op in phase.operations if op.op in self.operations]
        value = _of_operations(self.what, some) if self.operations else _of_phases(self.what, phases)
        if not value:
            known = ", ".join(phase.name for phase in found.phases)
            done = ", ".join(dict.fromkeys(op.op for phase in found.phases for op in phase.operations))
            why = f"its phases are {known}; their operations {done}"
            raise WeirError(f"the simulation has no '{self.words}'", why, EXAMPLE)
        return value


def parse_quantity(text: str) -> Quantity:
    """That of those words. Raises WeirError where they mean none."""
    phase, _, rest = text.strip().rpartition("/")
    what, dot, operations = rest.partition(".")
    if what not in KINDS or bool(dot) != (what in OF_OPERATIONS) or (dot and not operations):
        known = f"known are {', '.join(KINDS)}"
        raise WeirError(f"'{text}' is no quantity", known, did_you_mean(what, KINDS) or EXAMPLE)
    return Quantity(text.strip(), what, phase, tuple(operations.split("+")) if operations else ())


def _of_phases(what: str, phases: Sequence[Phase]) -> float | None:
    if what == "time":
        return sum(phase.time_s for phase in phases)
    moved = {
        "written": [(phase.bytes_written, phase.time_s) for phase in phases],
        "read": [(phase.bytes_read, phase.time_s) for phase in phases],
        "moved": [(phase.bytes_written + phase.bytes_read, phase.time_s) for phase in phases],
    }
    return bandwidth(moved[what])


def _of_operations(what: str, some: Sequence[Operation]) -> float | None:
    total_s, count = sum(one.total_s for one in some), sum(one.count for one in some)
    if what == "longest":
        return max((one.longest_s for one in some), default=None)
    return total_s if what == "total" else total_s / count if count else None

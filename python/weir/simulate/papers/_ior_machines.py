"""The two machines of the paper on IOR, and what their models give for a test, each simulated once."""

from dataclasses import dataclass, field
from typing import Any

from weir.bounded_parsing import decode_json
from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.papers._ior_pattern import GIB, MIB, Ior
from weir.simulate.quantities import parse_quantity
from weir.simulate.result import Simulation


@dataclass(frozen=True)
class Subject:
    """A machine as the paper tests it: sections 5.2 (processors of a node, the file's size for each
    processor) and 5.4 (the transfer), its stripes of a shared file, and the counts of processors."""

    title: str
    model: str
    of_node: int
    block: int
    transfer: int
    processors: tuple[int, ...]
    most: int
    """Transfers of a processor that are simulated at most, where they are small."""
    stripes: int | None = None

    def test(self, ranks: int, **other: Any) -> Ior:
        """A test with the paper's own transfer and size, if nothing else is said."""
        chosen = {"transfer": self.transfer, "block": self.block, "most": self.most, **other}
        return Ior(ranks, **chosen)


BASSI = Subject("Bassi", "bassi-gpfs", 8, 256 * MIB, 2 * MIB, (8, 16, 32, 64, 128, 256, 512), most=2**14)
JAGUAR = Subject(
    "Jaguar XT4",
    "jaguar-lustre",
    2,
    2 * GIB,
    256 * MIB,
    (8, 16, 32, 64, 128, 256, 512, 1024),
    most=2**10,
    stripes=144,
)


@dataclass
class Machines:
    """What was simulated is known, and not simulated again."""

    core: Core
    _models: dict[str, dict[str, Any]] = field(default_factory=dict)
    _found: dict[tuple[str, Ior, int | None], Simulation] = field(default_factory=dict)

    def rate(self, subject: Subject, test: Ior, way: str = "written", stripes: int | None = None) -> float:
        """Bytes/s "written" or "read". A shared file has the subject's stripes, if no others are asked for;
        a file of one processor has those of the machine's default."""
        asked = stripes or (None if test.own_files else subject.stripes)
        key = (subject.model, test, asked)
        if key not in self._found:
            self._found[key] = self._simulated(subject, test.pattern(), asked)
        phase = "write" if way == "written" else "read"
        return parse_quantity(f"{phase}/{way}").of(self._found[key])

    def application(self, subject: Subject, options: tuple[str, ...], ranks: int) -> Simulation:
        """MADbench with those options, as its proxy application makes it."""
        pattern = decode_json(self.core.emit_pattern("cmb", options, ranks))
        return self._simulated(subject, pattern, subject.stripes)

    def _simulated(self, subject: Subject, pattern: Any, stripes: int | None) -> Simulation:
        if subject.model not in self._models:
            self._models[subject.model] = find_machine(subject.model).as_core()
        request: dict[str, Any] = {"machine": self._models[subject.model], "pattern": pattern}
        return self.core.simulate(request | ({"stripes": stripes} if stripes else {}), Simulation)

"""Parameters of the storage benchmark, and the nest of strides that they make.

The model of IOR (Shan and Shalf 2007, section 4): a file is segments, each with one block of every rank, each
block made in transfers. The same rules as `make_pattern` of src/pattern/parametric.cpp, which decides; a
test holds the two equal. They stand twice because each candidate needs its nest: one start of `weir-core
describe` takes 45 ms of a processor, and the choice between candidates is made access by access.
"""

from dataclasses import dataclass
from typing import Any, Literal

from msgspec import UNSET

from weir.mimic.nests import Nest, merged
from weir.pattern import Order, Pace

Layout = Literal["shared", "file-per-process"]
Offsets = Literal["sequential", "strided", "shuffled", "random", "random-partition"]
SyncWhen = Literal["close", "write", "never"]
WORD = 8
"""Transfers are multiples of it."""


@dataclass(frozen=True)
class Parameters:
    """One kind of request as a case of the storage benchmark; sizes in bytes. `sync` is None of what only
    reads. `ranks` are its `tasks`, where the pattern has more."""

    verb: Literal["write", "read", "check", "mixed"]
    ranks: int
    layout: Layout
    block: int
    transfer: int
    segments: int = 1
    files: int = 1
    offsets: Offsets = "sequential"
    sync: SyncWhen | None = None
    collective: bool = False
    together: bool = False
    datasets: Literal["one", "segment"] = "one"
    read_percent: int | None = None
    think_time_s: float = 0.0
    rate_bytes_per_s: int = 0
    seed: int | None = None

    @property
    def requests(self) -> int:
        """Of one rank in one file."""
        return self.segments * self.transfers

    @property
    def transfers(self) -> int:
        """Of one rank in a block."""
        return self.block // self.transfer if self.transfer else 1

    @property
    def bytes(self) -> int:
        """Of all ranks in one file."""
        return self.ranks * self.segments * self.block

    def nest(self, regions: int = 1) -> Nest:
        """The pieces of a rank. `regions`: of how many blocks side by side each rank's part has room."""
        segment = self.ranks * self.block * regions
        own = self.segments * self.transfers
        if self.offsets in ("random", "random-partition"):
            everything = own * self.ranks if self.layout == "shared" else own
            return Nest(((everything, self.transfer),), self.transfer)
        if self.layout == "file-per-process":
            return Nest(merged(((own, self.transfer),)), self.transfer)
        if self.offsets == "strided":
            apart = merged(((own, self.ranks * self.transfer),))
            return Nest(apart, self.transfer, merged(((self.ranks, self.transfer),)))
        levels = merged(((self.segments, segment), (self.transfers, self.transfer)))
        return Nest(levels, self.transfer, merged(((self.ranks, self.block * regions),)))

    def order(self) -> Order:
        """The order of a rank's requests."""
        seed = UNSET if self.seed is None else self.seed
        match self.offsets:
            case "shuffled":
                return Order(kind="shuffled", seed=seed)
            case "random" | "random-partition" as kind:
                return Order(kind=kind, seed=seed, draws=self.requests)
        return Order(kind="sequential")

    def pace(self) -> Pace | None:
        """How a rank holds itself back; None if it does not."""
        if self.think_time_s or self.rate_bytes_per_s:
            return Pace(think_s=self.think_time_s, most_bytes_per_s=self.rate_bytes_per_s)
        return None

    def options(self) -> dict[str, Any]:
        """The options of `weir-core storage` and of studies that differ from the defaults, sizes in bytes."""
        phases = {"write": self.verb == "write", "read": self.verb == "read"}
        other = {self.verb: True} if self.verb in ("check", "mixed") else {}
        found: dict[str, Any] = {"block": self.block, "transfer": self.transfer}
        chosen: dict[str, tuple[Any, Any]] = {
            "segments": (self.segments, 1),
            "files": (self.files, 1),
            "layout": (self.layout, "shared"),
            "offsets": (self.offsets, "sequential"),
            "sync": (self.sync or "close", "close"),
            "collective": (self.collective, False),
            "together": (self.together, False),
            "datasets": (self.datasets, "one"),
            "read_percent": (self.read_percent, None),
            "think_time": (self.think_time_s, 0.0),
            "rate": (self.rate_bytes_per_s, 0),
        }
        found |= {name: value for name, (value, default) in chosen.items() if value != default}
        return found | phases | other

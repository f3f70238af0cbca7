"""Systems side by side by their balance: each quantity over the greatest of all, as figure 5 has it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from weir.compare.printed_rows import BOUND
from weir.compare.settings import BALANCE
from weir.network.reach import WITHIN
from weir.printable import printable
from weir.ratios.derived import balance_rows
from weir.ratios.quantities import QUANTITIES, RATE, SMALL_FLOP_PER_S, Quantity
from weir.results.row import Row, measured, median_of


@dataclass(frozen=True)
class System:
    """`rows`: of each quantity that of the most ranks, by phase; bounds are no values."""

    name: str
    rows: Mapping[str, Row]

    @cached_property
    def is_small(self) -> bool:
        """Whether HPL is below 1 Tflop/s; where that is not printed it is not said to be."""
        rate = self.rows.get(RATE.phase)
        return rate is not None and median_of(rate) < SMALL_FLOP_PER_S

    def is_doubtful(self, one: Quantity) -> bool:
        """Whether it has more of this than larger systems can: it is global, and the system small."""
        return one.is_global and self.is_small


def are_apart(one: Quantity, rows: Sequence[Row]) -> bool:
    """Whether of these systems' numbers some are of messages within one node, and do not compare with the
    others."""
    return len({one.is_within(row) for row in rows}) > 1


def system_of(name: str, rows: Iterable[Row]) -> System:
    """That of a run or of printed numbers; its own balance, or what its rows give."""
    found: dict[str, Row] = {}
    for row in sorted(balances_in([*rows]), key=lambda row: row.ranks):
        if BOUND not in row.options:
            found[row.phase] = row
    return System(printable(name), found)


def balances_in(rows: Sequence[Row]) -> list[Row]:
    """The balance that is there already, as in a profile, or that of the cases."""
    return [row for row in measured(rows) if row.benchmark == BALANCE] or balance_rows(rows)


@dataclass(frozen=True)
class Share:
    """A quantity of a system as a share of the greatest of all; null ends without an interval."""

    system: System
    quantity: Quantity
    row: Row
    share: float
    low: float | None
    high: float | None
    are_apart: bool = False
    """Whether others of the quantity are of several nodes, and some of one."""

    @property
    def within(self) -> bool:
        """Whether it is of messages within one node."""
        return self.quantity.is_within(self.row)

    @property
    def column(self) -> str:
        """The quantity's; of messages within one node that too, where all systems' are."""
        name = self.quantity.column
        return f"{name} {WITHIN}" if self.within and not self.are_apart else name

    @property
    def hollow(self) -> bool:
        """Drawn hollow: of a small system, of the caches, or of one node beside several."""
        of_one = self.within and self.are_apart
        return self.system.is_doubtful(self.quantity) or self.row.in_caches or of_one


def normalised(systems: Sequence[System]) -> list[Share]:
    """Column by column: the best of a column is 1."""
    found = []
    for one in QUANTITIES:
        known = [(system, row) for system in systems if (row := system.rows.get(one.phase)) is not None]
        apart = are_apart(one, [row for _, row in known])
        most = max((median_of(row) for _, row in known), default=0.0)
        for system, row in known if most > 0 else ():
            low, high = (None if end is None else end / most for end in (row.low, row.high))
            found.append(Share(system, one, row, median_of(row) / most, low, high, apart))
    return found

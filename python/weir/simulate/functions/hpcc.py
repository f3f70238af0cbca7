"""The study of Saini et al. 2006 on modelled machines: what is simulated beside what is printed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from weir.errors import WeirError
from weir.simulate.functions import _printed
from weir.simulate.functions._printed import BALANCE, Alike, Changes, Ordered, Printed
from weir.simulate.functions._speeds import TO_AND_FRO, Seconds, Speeds
from weir.simulate.kinds import Base
from weir.simulate.model import Machine, path_of
from weir.simulate.schema import Path

FUNCTIONS = (
    "Barrier", "Allreduce", "Reduce", "Reduce_scatter", "Allgather", "Allgatherv", "Alltoall", "Sendrecv",
    "Exchange", "Bcast",
)  # fmt: skip
"""Those of figures 6 to 15."""
COUNTS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 576)
TURNS = 60
"""Of a search: each halves the interval of the logarithm, to less than one in 1e12."""

Machines = Mapping[str, Machine]


@dataclass(frozen=True)
class Study:
    """The machines by their names, and what simulates them."""

    machines: Machines
    seconds: Seconds

    def speeds(self, name: str) -> Speeds:
        """Of the machine of that name. Raises WeirError if there is none."""
        if name not in self.machines:
            raise WeirError(f"there is no machine '{name}'", "", "name a folder with those of the paper")
        share, _ = _printed.HPL_SHARES.get(name, (1.0, ""))
        return Speeds(self.machines[name], self.seconds, share)

    def value(self, name: str, what: str, ranks: int) -> float:
        """The quantity: of a balance B/kflop, a bandwidth in bytes/s, else seconds."""
        return _value(self.speeds(name), what, ranks)


def _value(speeds: Speeds, what: str, ranks: int) -> float:
    if what == BALANCE:
        return 1000 * speeds.balance(ranks)
    return speeds.bandwidth(what, ranks) if what in TO_AND_FRO else speeds.time_s(what, ranks)


def fitted(study: Study) -> dict[str, Machine]:
    """The machines with the values that make the numbers come out that they are fitted to."""
    machines = dict(study.machines)
    for number in _printed.NUMBERS:
        if number.fits:
            words = f"fitted: {_words(number)}, by bisection"
            machines[number.machine] = _solved(study, machines, number, number.value, words)
        if number.machine == _printed.BX2:
            _take_links(machines)
    for alike in _printed.ALIKE:
        goal = Study(machines, study.seconds).value(alike.other, alike.what, alike.ranks)
        words = f"fitted: S2 {alike.place}, as {alike.other} at {alike.what} on {alike.ranks}, by bisection"
        machines[alike.machine] = _solved(study, machines, alike, goal, words)
    bandwidth = machines[_printed.X1].number("network", "bandwidth")
    machines[_printed.X1_SSP] = machines[_printed.X1_SSP].changed(
        {("network", "bandwidth"): bandwidth}, "fitted: that of cray-x1"
    )
    return machines


def _words(number: Printed) -> str:
    shown = f"{number.value:g} B/kflop" if number.what == BALANCE else f"{number.what} {number.value:.3g} B/s"
    return f"S2 {number.place}, {shown} at {number.ranks} CPUs"


def _take_links(machines: dict[str, Machine]) -> None:
    """What was found for NUMAlink 4 holds for its four boxes, and half of it for NUMAlink 3."""
    link = machines[_printed.BX2].number("network", "link")
    for name, share, why in (
        (_printed.BX2_FOUR, 1.0, "that of altix-numalink4"),
        (_printed.ALTIX3, 0.5, "half of altix-numalink4's, whose peak is twice as high (S2 4.1.1)"),
    ):
        changes: dict[Path, Base] = {("network", "link"): link * share}
        if machines[name].number("network", "bandwidth") > link * share:
            changes[("network", "bandwidth")] = link * share
        machines[name] = machines[name].changed(changes, f"fitted: {why}")


def _solved(study: Study, machines: Machines, asked: Printed | Alike, goal: float, words: str) -> Machine:
    """With these keys, all of one value, at which the quantity is the goal: it rises or falls with it."""
    machine = machines[asked.machine]
    paths = [path_of(key) for key in asked.fits]

    def with_value(value: float) -> Machine:
        return machine.changed(dict.fromkeys(paths, value), words)

    def found(value: float) -> float:
        speeds = Study({asked.machine: with_value(value)}, study.seconds).speeds(asked.machine)
        return _value(speeds, asked.what, asked.ranks)

    low, high = _interval(machine, paths[0])
    rises = found(high) > found(low)
    for _ in range(TURNS):
        middle = sqrt(low * high)
        if middle in (low, high) or high / low < 1 + 1e-6:
            break
        if (found(middle) < goal) == rises:
            low = middle
        else:
            high = middle
    return with_value(sqrt(low * high))


def _interval(machine: Machine, path: Path) -> tuple[float, float]:
    """A hundred times less or more than there is, but a message is not quicker than its node's link."""
    value = machine.number(*path)
    most = machine.number("network", "link") if path == ("network", "bandwidth") else 100 * value
    least = machine.number("network", "bandwidth") if path == ("network", "link") else value / 100
    return least, most


# -- Tables: rows of text.


def numbers(study: Study) -> Iterator[tuple[str, ...]]:
    """Machine, quantity, ranks, simulated, printed, their ratio, fit or prediction, place."""
    for one in _printed.NUMBERS:
        value = study.value(one.machine, one.what, one.ranks)
        role = f"fit of {', '.join(one.fits)}" if one.fits else "prediction"
        shown = [_shown(one.what, each) for each in (value, one.value)]
        yield (one.machine, one.what, str(one.ranks), *shown, f"{value / one.value:.3f}", role, one.place)


def orders(study: Study) -> Iterator[tuple[str, ...]]:
    """Function, ranks, the machines in the order simulated, in the order printed, whether it is that one."""
    for one in _printed.ORDERS:
        found = {name: study.value(name, one.what, one.ranks) for group in one.machines for name in group}
        quick = sorted(found, key=lambda name: found[name], reverse=one.what in TO_AND_FRO)
        printed = " > ".join(" = ".join(group) for group in one.machines)
        shown = " > ".join(f"{name} {_shown(one.what, found[name])}" for name in quick)
        fits = [f", fit of {alike.machine}" for alike in _printed.ALIKE if is_fitted(alike, one)]
        said = _holds(is_ordered(one, quick)) + "".join(fits)
        yield (one.what, str(one.ranks), shown, printed, said, one.place)


def is_fitted(alike: Alike, order: Ordered) -> bool:
    """Is a machine's place in that order one that a value of it was fitted to?"""
    return (alike.what, alike.ranks) == (order.what, order.ranks)


def is_ordered(order: Ordered, found: Sequence[str]) -> bool:
    """Are the machines that were found, the quickest first, in that order?"""
    groups = iter(found)
    return all({next(groups) for _ in group} == set(group) for group in order.machines)


def changes(study: Study) -> Iterator[tuple[str, ...]]:
    """Machine, quantity, ranks, times as much on more ranks, what is printed, whether it is so."""
    for one in _printed.CHANGES:
        first, second = (study.value(one.machine, one.what, ranks) for ranks in one.ranks)
        ranks = " to ".join(map(str, one.ranks))
        holds = changes_so(one, second / first)
        yield (one.machine, one.what, ranks, f"x {second / first:.2f}", one.place, _holds(holds))


def changes_so(change: Changes, factor: float) -> bool:
    """Is the factor between the limits?"""
    return change.between[0] <= factor <= change.between[1]


def curves(study: Study) -> Iterator[tuple[str, ...]]:
    """Function and machine, and the value for each number of ranks."""
    for what in FUNCTIONS:
        for (name,) in _printed.BY_SYSTEM:
            speeds = study.speeds(name)
            counts = [ranks for ranks in COUNTS if ranks <= speeds.ranks]
            shown = [_shown(what, study.value(name, what, ranks)) for ranks in counts]
            yield (what, name, *shown, *[""] * (len(COUNTS) - len(shown)))


def _shown(what: str, value: float) -> str:
    if what == BALANCE:
        return f"{value:.2f} B/kflop"
    return f"{value / (1 << 20):.4g} MB/s" if what in TO_AND_FRO else f"{value * 1e6:.4g} us"


def _holds(holds: bool) -> str:
    return "as printed" if holds else "not as printed"


TABLES = {
    "Numbers": (("machine", "quantity", "ranks", "simulated", "printed", "ratio", "", "S2"), numbers),
    "Orders": (("function", "ranks", "simulated, the quickest first", "printed", "", "S2"), orders),
    "Changes": (("machine", "quantity", "ranks", "simulated", "S2", ""), changes),
    "Functions, 1 MB": (("function", "machine", *map(str, COUNTS)), curves),
}

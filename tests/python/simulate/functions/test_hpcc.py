"""The study of HPCC and IMB on machines, with a stand-in for the simulator."""

import pytest

from simulate.functions.messages import Message, rounds_of
from toy_machine import TOY, toy
from weir.errors import WeirError
from weir.pattern import Pattern
from weir.simulate.functions import _printed, hpcc
from weir.simulate.functions.__main__ import with_values
from weir.simulate.functions._printed import Changes, Ordered
from weir.simulate.functions._speeds import MIB, Speeds
from weir.simulate.kinds import Base
from weir.simulate.model import Machine
from weir.simulate.schema import Path

NAMES = {one.machine for one in _printed.NUMBERS} | {name for (name,) in _printed.BY_SYSTEM}


def by_link(machine: Machine, pattern: Pattern) -> float:
    """Each round takes the time in which the bytes that rank 0 sends pass its node's link, or those of all
    messages the bisection."""
    link, half = machine.number("network", "link"), float(machine.values.get(("network", "bisection"), 1e18))

    def time_s(messages: list[Message]) -> float:
        of_one = sum(size for one, _, size in messages if one == messages[0][0])
        return max(of_one / link, sum(size for *_, size in messages) / half)

    return sum(map(time_s, rounds_of(pattern.phases[0].steps)))


def machine(**network: float) -> Machine:
    changes: dict[Path, Base] = {("nodes", "flops"): 1e9, ("network", "bisection"): 1e15}
    changes |= {("network", key): value for key, value in network.items()}
    return toy().changed(changes)


def study(**links: float) -> hpcc.Study:
    names = {name: links.get(name.replace("-", "_"), 1e9) for name in NAMES}
    machines = {
        name: machine(link=link, bandwidth=1e7, bisection=1e10 if "opteron" in name else 1e12)
        for name, link in names.items()
    }
    return hpcc.Study(machines, by_link)


def test_quantities_are_what_the_benchmarks_call_them() -> None:
    speeds = Speeds(machine(link=1e9, bandwidth=1e9), by_link, 0.5)
    assert speeds.bandwidth("PingPong", 2) == pytest.approx(1e9)
    assert speeds.bandwidth("Sendrecv", 4) == pytest.approx(2e9)
    assert speeds.bandwidth("Exchange", 4) == pytest.approx(2e9)
    assert speeds.random_ring(4) == pytest.approx(1e9)
    assert speeds.balance(4) == pytest.approx(1e9 / (0.5 * 1e9))
    assert speeds.time_s("Alltoall", 4) == pytest.approx(3 * MIB / 1e9)


def test_combining_takes_the_streams_memory() -> None:
    """Its copy moves two bytes for one; a sum of two operands three for one of the result."""

    def computing(machine: Machine, pattern: Pattern) -> float:
        return sum(step.compute.time_s for step in pattern.phases[0].steps if step.compute)

    one = machine().changed({("nodes", "stream"): 3e6})
    assert Speeds(one, computing).time_s("Reduce", 2, 1000) == pytest.approx(1000 / 1e6)
    assert Speeds(machine(), computing).time_s("Reduce", 2, 1000) == 0


def test_fitted_values_give_what_is_printed() -> None:
    found = hpcc.fitted(study())
    rows = list(hpcc.numbers(hpcc.Study(found, by_link)))
    fits = [row for row in rows if row[6].startswith("fit of")]
    assert [row[0] for row in fits if row[5] != "1.000"] == ["cray-x1-ssp"], "the stand-in knows no copies"
    assert len(rows) - len(fits) == 3, "predictions"
    bx2 = found["altix-numalink4"]
    given = bx2.given(("network", "link"))
    assert given is not None
    assert given.source == "fitted: S2 4.1.1, 203.12 B/kflop at 506 CPUs, by bisection"
    assert found["altix-numalink3"].number("network", "link") == pytest.approx(
        bx2.number("network", "link") / 2, rel=1e-5
    )


def test_orders_and_changes_are_judged() -> None:
    order = Ordered("Alltoall", 8, (("a",), ("b", "c"), ("d",)), "")
    assert hpcc.is_ordered(order, ["a", "c", "b", "d"])
    assert not hpcc.is_ordered(order, ["b", "a", "c", "d"])
    change = Changes("a", "balance", (1, 2), (0.9, 1.1), "")
    assert hpcc.changes_so(change, 1)
    assert not hpcc.changes_so(change, 1.2)


def test_tables_have_a_row_for_all_that_is_printed() -> None:
    links = {"nec_sx8": 5e9, "cray_x1": 4e9, "altix_numalink4": 3e9, "xeon_infiniband": 2e9}
    asked = study(**links)
    assert len(list(hpcc.numbers(asked))) == len(_printed.NUMBERS)
    first, *_ = hpcc.orders(asked)
    assert first[4] == "as printed, fit of cray-x1"
    assert {len(row) for row in hpcc.curves(asked)} == {2 + len(hpcc.COUNTS)}
    assert len(list(hpcc.changes(asked))) == len(_printed.CHANGES)


def test_a_machine_that_is_lacking_is_named() -> None:
    with pytest.raises(WeirError, match="there is no machine 'nec-sx8'"):
        hpcc.Study({}, by_link).speeds("nec-sx8")


def test_only_fitted_values_of_a_file_are_written() -> None:
    text = TOY.read_text()
    link = next(line for line in text.splitlines() if line.startswith("link = "))
    changed = toy().changed({("network", "link"): 2e9}, "fitted: a test")
    found = with_values(text, changed)
    assert found == text.replace(link, 'link = { value = "2 GB/s", source = "fitted: a test" }', 1)

"""How often a healthy thing is named, and how often an ill one is found: simulated, with fixed seeds."""

import math
import random
import statistics
from dataclasses import dataclass

import pytest

from weir.analyse.outlying import find_odd

MATTERS = -math.log(0.9)
ERROR = 0.05
SAMPLES = 9


@dataclass(frozen=True)
class World:
    """`between`: the standard deviation of healthy nodes, `noise` of samples; `tails`: degrees of freedom of
    Student's distribution that nodes have, with samples that are disturbed; 0 is normal."""

    nodes: int
    measurements: int
    between: float
    noise: float = 0.03
    tails: int = 0


def levels(draw: random.Random, world: World, slower: float = 0) -> dict[str, float]:
    """Of each node the median of its samples, in logarithms; the first is `slower`."""
    found = {}
    for node in range(world.nodes):
        off = draw.gauss(0, world.between)
        if world.tails:
            chi = draw.gammavariate(world.tails / 2, 2) / world.tails
            off *= math.sqrt((world.tails - 2) / world.tails / chi)
        off += math.log(1 - slower) if node == 0 else 0
        samples = [off + draw.gauss(0, world.noise) for _ in range(SAMPLES)]
        if world.tails:
            samples = [one - draw.expovariate(3) * (draw.random() < 0.05) for one in samples]
        found[f"n{node}"] = statistics.median(samples)
    return found


def named(draw: random.Random, world: World, slower: float = 0) -> set[str]:
    """Who is named as slower in a study of several measurements, of which the ill node is slower in one."""
    chance = ERROR / (world.nodes * world.measurements)
    found = set()
    for at in range(world.measurements):
        values = levels(draw, world, 0 if at else slower)
        odd = find_odd(values, chance, MATTERS)
        found |= {name for name in odd.odd if values[name] < odd.middle[name]}
    return found


@pytest.mark.parametrize("tails", [0, 5])
@pytest.mark.parametrize("between", [0.0, 0.02, 0.05])
@pytest.mark.parametrize(("nodes", "studies"), [(3, 150), (4, 150), (5, 150), (8, 150), (20, 60), (64, 15)])
def test_in_at_most_one_of_twenty_studies_a_healthy_node_is_named(
    nodes: int, studies: int, between: float, tails: int
) -> None:
    draw = random.Random(f"{nodes} {between} {tails}")
    world = World(nodes, 4, between, tails=tails)
    wrong = sum(bool(named(draw, world)) for _ in range(studies))
    # The share itself lies below 5 %; so few studies may have some more by chance, one time in a hundred.
    assert wrong <= ERROR * studies + 2.33 * math.sqrt(ERROR * studies)
    SEEN.append((wrong, studies))


SEEN: list[tuple[int, int]] = []


def test_of_all_these_studies_far_less_than_one_of_twenty_names_anybody() -> None:
    if SEEN:  # else this worker ran none of them
        assert sum(wrong for wrong, _ in SEEN) <= ERROR * sum(studies for _, studies in SEEN)


@pytest.mark.parametrize("nodes", [8, 64])
def test_a_node_that_is_15_per_cent_slower_is_found(nodes: int) -> None:
    draw = random.Random(nodes)
    studies = 40
    found = [named(draw, World(nodes, 4, 0.0), 0.15) for _ in range(studies)]
    assert sum("n0" in one for one in found) >= 0.95 * studies
    assert sum(one != {"n0"} for one in found) <= 0.05 * studies


def test_ill_nodes_do_not_hide_each_other() -> None:
    draw = random.Random(1)
    values = levels(draw, World(16, 1, 0.01)) | {"a": -0.3, "b": -0.31, "c": -0.8}
    assert find_odd(values, ERROR / 19, MATTERS).odd == {"a", "b", "c"}


def test_half_of_the_nodes_are_another_kind_and_none_is_ill() -> None:
    draw = random.Random(2)
    slow, fast = (levels(draw, World(6, 1, 0.01)) for _ in range(2))
    values = {f"{name}a": level - 0.2 for name, level in slow.items()} | fast
    found = find_odd(values, ERROR / 12, MATTERS)
    assert found.odd == frozenset()
    assert [set(kind) for kind in found.kinds] == [
        {f"n{at}a" for at in range(6)},
        {f"n{at}" for at in range(6)},
    ]
    assert find_odd(values | {"n1": values["n1"] - 0.5}, ERROR / 12, MATTERS).odd == {"n1"}


def test_of_two_that_differ_neither_is_the_odd_one() -> None:
    found = find_odd({"a": 0.0, "b": -0.7}, ERROR / 2, MATTERS)
    assert found.odd == frozenset() and math.isinf(found.reach)


def test_among_three_only_what_is_far_off_is_named() -> None:
    assert find_odd({"a": 0.0, "b": 0.01, "c": -0.15}, ERROR / 12, MATTERS).odd == frozenset()
    assert find_odd({"a": 0.0, "b": 0.01, "c": -0.7}, ERROR / 12, MATTERS).odd == {"c"}
    assert find_odd({"a": 0.0, "b": 0.2, "c": -0.7}, ERROR / 12, MATTERS).odd == frozenset()


def test_what_differs_by_less_than_matters_is_not_named() -> None:
    values = {f"n{at}": 1e-4 * at for at in range(10)} | {"n10": -0.09}
    assert find_odd(values, ERROR / 11, MATTERS).odd == frozenset()


def test_the_reach_is_where_naming_begins() -> None:
    draw = random.Random(3)
    values = levels(draw, World(12, 1, 0.02))
    found = find_odd(values, ERROR / 12, 0.0)
    middle = found.middle["n0"]
    for off, told in ((1.1, True), (0.9, False)):
        beside = find_odd(values | {"x": middle - off * found.reach}, ERROR / 12, 0.0)
        assert ("x" in beside.odd) is told

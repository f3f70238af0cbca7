"""Random machines and patterns: against a plain reference, and what must hold for any."""

import random
from typing import Any

import pytest

from weir.core.client import Core, find_core
from weir.simulate.result import Simulation

from .reference import time_of_writes


@pytest.fixture(scope="module")
def core() -> Core:
    return Core(find_core())


def machine_of(dice: random.Random) -> dict[str, Any]:
    targets = dice.randint(1, 7)
    return {
        "name": "random",
        "nodes": {"count": 40, "ranks": 1},
        "network": {
            "latency_s": dice.choice([0.0, dice.uniform(0, 1e-2)]),
            "link_bytes_per_s": dice.uniform(50, 500),
        },
        "storage": {
            "stripe_bytes": dice.randint(1, 9),
            "stripes": dice.randint(1, targets),
            "request_bytes": dice.randint(1, 20),
            "in_flight": dice.randint(1, 9),
            "client_bytes_per_s": dice.uniform(50, 500),
            "servers": {"count": dice.randint(1, targets), "link_bytes_per_s": dice.uniform(50, 500)},
            "targets": {
                "count": targets,
                "read_bytes_per_s": dice.uniform(10, 100),
                "write_bytes_per_s": dice.uniform(10, 100),
                "request_s": dice.choice([0.0, dice.uniform(0, 0.1)]),
                "positioning_s": dice.choice([0.0, dice.uniform(0, 0.5)]),
            },
        },
    }


def pattern_of(dice: random.Random) -> tuple[dict[str, Any], list[list[tuple[int, int]]]]:
    """Strided writes of all ranks, and the same as lists."""
    ranks, pieces, length = dice.randint(1, 9), dice.randint(1, 6), dice.choice([1, 2, 7, 13, 40])
    gap, start = dice.choice([0, 0, 3]), dice.randint(0, 20)
    step = length + gap
    between = dice.choice([step * pieces, step * pieces + 5])
    write = {
        "verb": "write",
        "file": 0,
        "ranks": {"first": 0, "count": ranks, "step": 1},
        "rank_levels": [{"count": ranks, "stride": between}],
        "extent": {"start": start, "levels": [{"count": pieces, "stride": step}], "length": length},
        "order": {"kind": "sequential"},
        "sync_each": False,
    }
    steps = [{"open": {"file": 0, "mode": "create"}}, {"access": write}, {"close": {"file": 0}}]
    phase = {"name": "write", "collective": False, "reorder": {"kind": "none"}, "steps": steps}
    phase |= {"time_limit_s": 0.0, "wear_out": False, "limited_by": ""}
    files = [{"name": "data", "per_rank": False}]
    pattern = {"weir_pattern": 1, "name": "random", "ranks": ranks, "files": files, "phases": [phase]}
    work = [
        [(start + rank * between + turn * step, length) for turn in range(pieces)] for rank in range(ranks)
    ]
    return pattern, work


@pytest.mark.parametrize("seed", range(60))
def test_writes_take_what_the_reference_says(core: Core, seed: int) -> None:
    dice = random.Random(seed)
    machine = machine_of(dice)
    pattern, work = pattern_of(dice)
    found = core.simulate({"machine": machine, "pattern": pattern}, Simulation)
    assert found.phases[0].bytes_written == sum(size for one in work for _, size in one)
    (writes,) = [one for one in found.phases[0].operations if one.op == "write"]
    assert writes.count == sum(len(one) for one in work)
    assert found.phases[0].time_s == pytest.approx(time_of_writes(machine, work), rel=1e-9)


def slower(value: Any, key: str = "") -> Any:
    """The same machine, all of it half as fast."""
    if isinstance(value, dict):
        return {name: slower(one, name) for name, one in value.items()}
    if key.endswith("bytes_per_s"):
        return value / 2
    return value * 2 if key.endswith("_s") else value


@pytest.mark.parametrize("seed", range(100, 130))
def test_half_as_fast_takes_twice_as_long(core: Core, seed: int) -> None:
    dice = random.Random(seed)
    machine = machine_of(dice)
    machine["storage"]["targets"] |= {
        "cache_bytes": dice.choice([0, 30]),
        "read_cache_bytes": dice.choice([0, 64]),
        "partial_stripe": dice.choice(["none", "read-modify-write"]),
    }
    machine["storage"]["gather_bytes"] = dice.choice([0, 0, 7, 64])
    machine["storage"]["locks"] = {
        "unit": dice.choice(["none", "stripe", "target", "file", 5]),
        "of": dice.choice(["node", "rank"]),
        "transfer_s": dice.uniform(0, 0.1),
        "waiter_s": dice.uniform(0, 0.01),
    }
    machine["storage"]["metadata"] = {
        "open_s": dice.uniform(0, 0.1),
        "close_s": dice.uniform(0, 0.1),
        "collective": dice.choice(["each", "tree", "one"]),
    }
    pattern, _ = pattern_of(dice)
    phase = pattern["phases"][0]
    phase["collective"] = dice.choice([False, True])
    phase["steps"] += [{"barrier": {}}, {"broadcast": {"bytes": 100, "root": 0}}]
    once, twice = (
        core.simulate({"machine": one, "pattern": pattern}, Simulation).phases[0].time_s
        for one in (machine, slower(machine))
    )
    assert twice == pytest.approx(2 * once, rel=1e-12)
    assert once > 0


def some_sends(dice: random.Random, ranks: int) -> list[dict[str, Any]]:
    """Messages between some ranks and as many others, of which some are empty."""
    found = []
    for _ in range(dice.randint(1, 4)):
        count = dice.randint(1, ranks)
        sets = [{"first": dice.randint(0, ranks - count), "count": count, "step": 1} for _ in range(2)]
        found.append({"send": {"from": sets[0], "to": sets[1], "bytes": dice.choice([0, 1, 50, 1000])}})
    return found


@pytest.mark.parametrize("seed", range(200, 240))
def test_half_as_fast_takes_twice_as_long_with_messages(core: Core, seed: int) -> None:
    dice = random.Random(seed)
    machine = machine_of(dice)
    machine["network"] |= {
        "overhead_s": dice.choice([0.0, dice.uniform(0, 1e-2)]),
        "bandwidth_bytes_per_s": dice.uniform(50, 500),
        "bisection_bytes_per_s": dice.uniform(50, 500),
    }
    pattern, work = pattern_of(dice)
    steps = pattern["phases"][0]["steps"]
    ranks = pattern["ranks"]
    steps[1:1] = some_sends(dice, ranks)
    steps += some_sends(dice, ranks)
    once, twice = (
        core.simulate({"machine": one, "pattern": pattern}, Simulation).phases[0]
        for one in (machine, slower(machine))
    )
    assert once.bytes_written == sum(size for one in work for _, size in one)
    assert twice.time_s == pytest.approx(2 * once.time_s, rel=1e-9)
    for one, other in zip(once.operations, twice.operations, strict=True):
        assert one.total_s >= 0 and one.longest_s <= once.time_s * (1 + 1e-9)
        assert other.total_s == pytest.approx(2 * one.total_s, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(300, 330))
def test_ranks_that_read_the_same_take_as_long_dealt_with_at_once(core: Core, seed: int) -> None:
    """A time limit that never ends has each rank dealt with by itself. Where a queue gets requests of several
    ranks in turn, what is between them is not kept apart: to 5 %."""
    dice = random.Random(seed)
    machine = machine_of(dice)
    machine["nodes"] = {"count": 128, "ranks": 1}
    machine["storage"]["targets"]["positioning_s"] = 0.0
    machine["storage"]["in_flight"] = dice.randint(1, 4)
    machine["storage"]["metadata"] = {"open_s": dice.uniform(0, 1e-2), "close_s": 0.0}
    pattern, _ = pattern_of(dice)
    phase = pattern["phases"][0]
    read = phase["steps"][1]["access"]
    pattern["ranks"] = ranks = dice.randint(40, 128)
    read |= {"verb": "read", "ranks": {"first": 0, "count": ranks, "step": 1}, "rank_levels": []}
    phase["steps"][0]["open"]["mode"] = "read"
    at_once = core.simulate({"machine": machine, "pattern": pattern}, Simulation)
    phase["time_limit_s"] = 1e9
    each = core.simulate({"machine": machine, "pattern": pattern}, Simulation)
    assert at_once.events < 50 < each.events
    assert at_once.time_s == pytest.approx(each.time_s, rel=0.05)

"""How exactly a node's speed is known, by how its launches differ."""

import math
from dataclasses import replace

import pytest

from rows import row
from weir.analyse.student import quantile
from weir.nodes.standing import families
from weir.results.row import Row
from weir.store.records import SampleRecord

EACH = 3


def of_node(node: str, off: float, launches: list[float]) -> Row:
    """Three equal samples of each launch, at exp(off + launch); no round is told."""
    logs = [off + one for one in launches for _ in range(EACH)]
    records = tuple(
        SampleRecord(case=node, phase="write", launch=number // EACH) for number in range(len(logs))
    )
    made = row("write", 1.0, node=node, comparisons=("disk",), n=len(logs), case=node)
    return replace(made, samples=tuple(map(math.exp, logs)), records=records)


def test_the_interval_of_a_node_narrows_with_its_launches() -> None:
    """By the root of how many there are."""
    launches = [-0.02, 0.02] * 8
    offs = [0.0, 0.01, -0.01, 0.02, -0.02, 0.0, 0.01, -0.01]
    (family,) = families([of_node(f"n{at}", off, launches) for at, off in enumerate(offs)])
    variance = sum(one**2 for one in launches) / (len(launches) - 1)
    spread = math.sqrt(sum(one**2 for one in offs) / (len(offs) - 1))
    reach = quantile(1 - 0.05 / len(offs), len(offs) * (len(launches) - 1)) * math.hypot(
        math.sqrt(variance / len(launches)), spread / math.sqrt(len(offs))
    )
    first = family.standings[0]
    assert (first.low, first.high) == pytest.approx((math.expm1(-reach), math.expm1(reach)))

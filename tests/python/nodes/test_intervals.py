"""Intervals of nodes and of kinds of nodes, by the formulas themselves."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rows import row
from weir.analyse.student import quantile
from weir.nodes.standing import Family, families


def family_of(logs: Sequence[float]) -> Family:
    """Of nodes with six equal samples each, which tell of no launch."""
    made = [
        row("write", 1.0, node=f"n{at}", comparisons=("disk",), n=6, case=f"n{at}") for at in range(len(logs))
    ]
    (family,) = families(
        replace(one, samples=(math.exp(log),) * 6) for one, log in zip(made, logs, strict=True)
    )
    return family


def test_a_node_of_few_launches_has_the_interval_of_one_among_all() -> None:
    """All nodes share the error, which lies at either end."""
    logs = [0.0, 0.01, -0.01, 0.02, -0.02, 0.03, -0.03, 0.0]
    first = family_of(logs).standings[0]
    reach = quantile(1 - 0.05 / 8, 7) * statistics.stdev(logs) * math.sqrt(1 + 1 / 8)
    assert (first.low, first.high) == pytest.approx((math.expm1(-reach), math.expm1(reach)))


def test_the_ratio_of_two_kinds_has_the_interval_of_two_means() -> None:
    offs = [0.015, 0.005, -0.005, -0.015]
    found = family_of([*offs, *(0.5 + off for off in offs)]).kinds
    reach = quantile(0.95, 6) * statistics.stdev(offs) * math.sqrt(2 / 4)
    assert found == pytest.approx([math.exp(0.5 + off) for off in (0, -reach, reach)])

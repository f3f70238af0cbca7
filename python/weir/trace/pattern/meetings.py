"""When all ranks waited for each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

CLOCKS_NS = 1_000_000
"""Clocks of different hosts may differ so much."""


def meetings_of_all(of_ranks: list[NDArray[Any]]) -> NDArray[np.int64]:
    """From each rank's collective calls (dtype MEETING, by begin) to those that all ranks made at the same
    time: shape (ranks, meetings), indexes into the rank's own. The k-th of each where all made the same
    calls; else, since collectives of some ranks lie between, those of one name that overlap in time on all
    ranks."""
    shortest = min(range(len(of_ranks)), key=lambda rank: len(of_ranks[rank]))
    reference = of_ranks[shortest]
    if all(np.array_equal(one["call"], reference["call"]) for one in of_ranks):
        return np.tile(np.arange(len(reference)), (len(of_ranks), 1))
    found = np.zeros((len(of_ranks), len(reference)), np.int64)
    good = np.ones(len(reference), bool)
    for rank, one in enumerate(of_ranks):
        if not len(one):
            return np.zeros((len(of_ranks), 0), np.int64)
        at = np.searchsorted(one["end_ns"], reference["begin_ns"] - CLOCKS_NS)
        at = np.minimum(at, len(one) - 1)
        for _ in range(3):  # another's collective may lie between
            at = np.where(one["call"][at] == reference["call"], at, np.minimum(at + 1, len(one) - 1))
        good &= (one["call"][at] == reference["call"]) & (
            one["begin_ns"][at] <= reference["end_ns"] + CLOCKS_NS
        )
        good[1:] &= at[1:] > at[:-1]
        found[rank] = at
    latest = np.max([one["begin_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    earliest = np.min([one["end_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    return found[:, good & (latest <= earliest + CLOCKS_NS)]

"""When all ranks waited for each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

CLOCKS_NS = 1_000_000
"""Clocks of different hosts may differ so much."""


def meetings_of_all(meetings: NDArray[Any], ranks: list[int]) -> NDArray[np.int64]:
    """From ranks' collective calls (dtype SPAN, by rank and begin) to those that all ranks made at the same
    time: shape (ranks, meetings), indexes. The k-th of each where all made the same calls; else, since
    collectives of some ranks lie between, those of one name that overlap in time on all ranks."""
    first = np.searchsorted(meetings["rank"], ranks)
    counts = np.searchsorted(meetings["rank"], ranks, "right") - first
    if (counts == counts[0]).all():
        all_of_each = first[:, None] + np.arange(counts[0])
        called = meetings["what"][all_of_each]
        if (called == called[0]).all():
            return all_of_each
    of_ranks = [meetings[begin : begin + count] for begin, count in zip(first, counts, strict=True)]
    return first[:, None] + _at_the_same_time(of_ranks, of_ranks[int(np.argmin(counts))])


def _at_the_same_time(of_ranks: list[NDArray[Any]], reference: NDArray[Any]) -> NDArray[np.int64]:
    found = np.zeros((len(of_ranks), len(reference)), np.int64)
    good = np.ones(len(reference), bool)
    for rank, one in enumerate(of_ranks):
        if not len(one):
            return np.zeros((len(of_ranks), 0), np.int64)
        at = np.searchsorted(one["end_ns"], reference["begin_ns"] - CLOCKS_NS)
        at = np.minimum(at, len(one) - 1)
        for _ in range(3):  # another's collective may lie between
            at = np.where(one["what"][at] == reference["what"], at, np.minimum(at + 1, len(one) - 1))
        good &= (one["what"][at] == reference["what"]) & (
            one["begin_ns"][at] <= reference["end_ns"] + CLOCKS_NS
        )
        good[1:] &= at[1:] > at[:-1]
        found[rank] = at
    latest = np.max([one["begin_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    earliest = np.min([one["end_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    return found[:, good & (latest <= earliest + CLOCKS_NS)]

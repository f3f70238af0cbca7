"""Ranks of times: less is better."""

from dataclasses import replace
from typing import Any

from hpcc_samples import hpcc_rows
from weir.analyse.metric import Metric
from weir.compare.profile import Profile, as_profile_row
from weir.ratios.collection import collection_of
from weir.ratios.derived import DUMP, WRITE, derived_rows
from weir.results.row import Row

GIB = 2**30


def with_storage(name: str, rate: float) -> Profile:
    """A machine of 16 GiB whose storage takes writes at that rate."""
    (like,) = (row for row in hpcc_rows() if row.phase == "ptrans")
    metric = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
    known: dict[str, Any] = {"benchmark": "storage", "phase": "write", "moves": "write", "sync": "close"}
    row: Row = replace(like, samples=(rate,) * 6, median=rate, metric=metric, suspect=False, **known)
    rows = [*hpcc_rows(), row]
    every = [*rows, *derived_rows(rows, {"memory": {"total_bytes": 16 * GIB}})]
    made = {"study": "hpcc", "created_at": "2026-11-20T08:00:00Z", "weir_version": "0.1.0"}
    return Profile(name=name, rows=tuple(map(as_profile_row, every)), **made)


def test_of_times_the_shortest_is_first() -> None:
    found = collection_of(
        "here", [(name, with_storage(name, rate)) for name, rate in (("a", GIB), ("b", 2 * GIB))]
    )
    ranks = {
        column.phase: {found.entries[at].machine: cell.rank for at, cell in column.cells.items()}
        for column in found.columns
    }
    assert ranks[DUMP] == ranks[WRITE] == {"a": 2, "b": 1}

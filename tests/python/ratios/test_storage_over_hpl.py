"""What the storage does is held against the whole machine."""

from dataclasses import replace
from typing import Any

import pytest

from hpcc_samples import hpcc_rows
from weir.analyse.metric import Metric
from weir.ratios.derived import WRITE, storage_rows


def test_storage_is_over_hpl_with_the_most_ranks() -> None:
    rows = [
        row for ranks in (4, 2) for row in hpcc_rows(ranks=ranks, more={"hpl": {"flop_per_s": ranks * 80e9}})
    ]
    like = next(row for row in rows if row.phase == "ptrans")
    metric = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
    known: dict[str, Any] = {"benchmark": "storage", "phase": "write", "moves": "write", "sync": "close"}
    write = replace(like, samples=(2e9,) * 6, median=2e9, metric=metric, suspect=False, **known)
    (found,) = storage_rows([*rows, write], {})
    assert (found.phase, found.median) == (WRITE, pytest.approx(1e3 * 2e9 / (4 * 80e9)))

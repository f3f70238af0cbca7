"""Made-up runs of the gas cloud as records, accounts and rows."""

from __future__ import annotations

from typing import Any

from cloud_runs import run_sample
from samples import TIME
from weir.io_account.account import IoAccount, io_account
from weir.results.printed import Printed
from weir.results.row import Row
from weir.store.records import SampleRecord, to_record


def records(*samples: dict[str, Any]) -> list[SampleRecord]:
    """The samples as they are read back from a run."""
    found = [to_record(sample) for sample in samples]
    return [record for record in found if isinstance(record, SampleRecord)]


def account(shape: dict[str, Any], count: int = 7, **changes: Any) -> IoAccount:
    """The account of that many equal runs."""
    found = io_account(runs(shape, count, **changes))
    assert found is not None
    return found


def runs(shape: dict[str, Any], count: int = 7, **changes: Any) -> list[SampleRecord]:
    """The samples of that many equal runs."""
    return records(*(run_sample("c", shape, repetition=at, **changes) for at in range(count)))


def run_row(samples: list[SampleRecord], *printed: Printed, **changes: Any) -> Row:
    """The row of the phase "run", as the report sees it."""
    io = io_account(samples)
    assert io is not None
    cells = io.shape.get("cells")
    options = {"cells": "x".join(map(str, cells)) if isinstance(cells, list) else None, "method": "two-phase"}
    return Row(
        case="c",
        phase="run",
        ranks=io.ranks,
        options=options | changes,
        n=io.runs,
        median=10.0,
        low=None,
        high=None,
        verdict="inconclusive",
        metric=TIME,
        benchmark="cloud",
        application=True,
        records=tuple(samples),
        printed=printed,
    )

"""A run's contents of given rows, as a report sees them."""

from collections.abc import Mapping, Sequence
from typing import Any

from weir.report.gather import Contents
from weir.results.row import Row
from weir.results.summary import RunSummary
from weir.store.records import CaseRecord, FailureRecord
from weir.store.run_directory import RunInfo, StudyWords

CARD: dict[str, Any] = {
    "directory": "/scratch",
    "host": {"name": "n1"},
    "file_system": {"type": "ext4", "nature": "local"},
    "block_device": {"name": "sda"},
}


def contents_of(rows: Sequence[Row], card: Mapping[str, Any] = CARD, *, failures: int = 0) -> Contents:
    """A run that measured these rows on the machine of the card."""
    info = RunInfo(
        weir_version="0",
        created_at="2026-01-01T00:00:00Z",
        command=["weir"],
        study=StudyWords(name="one"),
        directory=card.get("directory"),
    )
    cases = {row.case: CaseRecord(case=row.case, benchmark=row.benchmark) for row in rows}
    summary = RunSummary(list(rows), [FailureRecord() for _ in range(failures)], cases=cases)
    return Contents(info, "", summary, list(rows), [], [], "", [], dict(card))

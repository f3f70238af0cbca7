"""The columns by which rows of finer tables are told apart and joined with `samples` and `cases`."""

from __future__ import annotations

from weir.export.source import Source
from weir.export.table import Column, Kind, Value
from weir.store.records import SampleRecord

COLUMNS = (
    Column("run"),
    Column("case"),
    Column("label"),
    Column("sample", Kind.INTEGER),
    Column("phase"),
    Column("repetition", Kind.INTEGER),
    Column("round", Kind.INTEGER),
    Column("launch", Kind.INTEGER),
)


def cells(source: Source, number: int, sample: SampleRecord) -> list[Value]:
    """The cells of a sample."""
    return [
        source.run.name,
        sample.case,
        source.cases[sample.case].label or None,
        number,
        sample.phase,
        sample.repetition,
        sample.round,
        sample.launch,
    ]

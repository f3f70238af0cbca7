"""One row a bin of a sample's latency histogram: how many requests took up to that long."""

from __future__ import annotations

from collections.abc import Iterator

from weir.export.source import Source
from weir.export.table import Column, Kind, Table, Value, table
from weir.export.tables import _of_sample

_BIN = (Column("operation"), Column("upper_bound_s", Kind.NUMBER), Column("requests", Kind.INTEGER))


@table("histogram")
def histogram(source: Source) -> Table:
    """One row a bin that is not empty, of each operation of each sample whose requests were timed."""
    columns = (*_of_sample.COLUMNS, *_BIN)
    return Table("histogram", columns, _rows(source), "no sample has latencies of single requests")


def _rows(source: Source) -> Iterator[list[Value]]:
    for number, sample in source.samples():
        of_sample = _of_sample.cells(source, number, sample)
        for operation, latency in (sample.latency or {}).items():
            for upper_bound_s, requests in latency.histogram:
                yield [*of_sample, operation, upper_bound_s, requests]

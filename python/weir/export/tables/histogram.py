"""One row a bin of a sample's latency histogram: how many requests took up to that long."""

from collections.abc import Iterator

from weir.export.format import CellType, DataTable, Field, Value, table
from weir.export.source import SAMPLE_COLUMNS, Source, sample_cells

_BIN = (
    Field("operation"),
    Field("upper_bound_s", CellType.NUMBER),
    Field("requests", CellType.INTEGER),
)


@table("histogram")
def histogram(source: Source) -> DataTable:
    """One row a bin that is not empty, of each operation of each sample whose requests were timed."""
    columns = (*SAMPLE_COLUMNS, *_BIN)
    return DataTable("histogram", columns, _rows(source), "no sample has latencies of single requests")


def _rows(source: Source) -> Iterator[list[Value]]:
    for number, sample in source.samples():
        of_sample = sample_cells(source, number, sample)
        for operation, latency in (sample.latency or {}).items():
            for upper_bound_s, requests in latency.histogram:
                yield [*of_sample, operation, upper_bound_s, requests]

"""One row an interval of a sample's phase: the bytes finished in it."""

from collections.abc import Iterator

from weir.export.format import CellType, DataTable, Field, Value, table
from weir.export.source import SAMPLE_COLUMNS, Source, sample_cells
from weir.store.records import SampleRecord

_INTERVAL = (
    Field("start_s", CellType.NUMBER),
    Field("end_s", CellType.NUMBER),
    Field("bytes", CellType.INTEGER),
    Field("bandwidth_bytes_per_s", CellType.NUMBER),
)


@table("timeline")
def timeline(source: Source) -> DataTable:
    """One row an interval since the phase's start; the last one ends with the phase."""
    columns = (*SAMPLE_COLUMNS, *_INTERVAL)
    return DataTable("timeline", columns, _rows(source), "no sample has its bytes over time")


def _rows(source: Source) -> Iterator[list[Value]]:
    for number, sample in source.samples():
        of_sample = sample_cells(source, number, sample)
        for interval in _intervals(sample):
            yield [*of_sample, *interval]


def _intervals(sample: SampleRecord) -> Iterator[list[Value]]:
    line = sample.timeline
    for index, finished in enumerate(line.bytes if line else ()):
        assert line is not None
        start_s, end_s = index * line.interval_s, (index + 1) * line.interval_s
        if sample.elapsed_s is not None and start_s < sample.elapsed_s < end_s:
            end_s = sample.elapsed_s
        yield [start_s, end_s, finished, finished / (end_s - start_s)]

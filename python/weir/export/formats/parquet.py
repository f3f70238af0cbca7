"""Apache Parquet, by pyarrow, which is not installed with Weir's base."""

import itertools
from typing import BinaryIO

import weir
from weir.export.format import CellType, DataTable, TabularFormat, export_format
from weir.export.source import Source
from weir.tabular import parquet_library

ROWS_AT_ONCE = 10_000
"""Rows held in memory, which make one row group."""


@export_format("parquet")
class Parquet(TabularFormat):
    """One table; columns of 64-bit integers and floats, truth values and text, any of them null."""

    is_text = False

    def prepare(self, table: str | None) -> None:
        """Raises WeirError where pyarrow is not installed, or for a table that does not exist."""
        super().prepare(table)
        parquet_library()

    def write_table(self, table: DataTable, source: Source, out: BinaryIO) -> None:
        """Write the table, one row group after the other."""
        arrow, parquet = parquet_library()
        types = {
            CellType.TEXT: arrow.string(),
            CellType.INTEGER: arrow.int64(),
            CellType.NUMBER: arrow.float64(),
            CellType.TRUTH: arrow.bool_(),
        }
        fields = [arrow.field(column.name, types[column.kind]) for column in table.columns]
        about = {"weir_version": weir.__version__, "weir_run": source.run.name, "weir_table": table.name}
        schema = arrow.schema(fields, metadata=about)
        rows = iter(table.rows)
        with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
            while some := list(itertools.islice(rows, ROWS_AT_ONCE)):
                columns = zip(*some, strict=True)
                arrays = [
                    arrow.array(cells, type=field.type) for cells, field in zip(columns, fields, strict=True)
                ]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))

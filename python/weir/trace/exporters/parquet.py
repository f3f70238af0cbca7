"""Apache Parquet, by pyarrow, which is not installed with Weir's base."""

from typing import Any, BinaryIO

import numpy as np

import weir
from weir.tabular import parquet_library
from weir.trace.exporter import Exporter, exporter
from weir.trace.exporters._columns import Columns, Numbers, Words
from weir.trace.model import Trace


@exporter("parquet")
class Parquet(Exporter):
    """A row for each call; a row group for each batch. Texts are dictionaries, unknown is null."""

    is_text = False

    def prepare(self) -> None:
        """Raises WeirError where pyarrow is not installed."""
        parquet_library()

    def write(self, trace: Trace, out: BinaryIO) -> None:
        """Write the rows, batch by batch."""
        arrow, parquet = parquet_library()
        maker = Columns(trace)
        writer = None
        for batch in trace.batches():
            columns = {column.name: _array(arrow, column) for column in maker.of(batch)}
            table = arrow.table(columns)
            if writer is None:
                about = {"weir_version": weir.__version__, "weir_trace": _printable(trace.name)}
                schema = table.schema.with_metadata(
                    about | {"weir_notes": _printable("\n".join(trace.notes))}
                )
                writer = parquet.ParquetWriter(out, schema, compression="zstd")
            writer.write_table(table, row_group_size=len(batch))
        if writer is not None:
            writer.close()


def _array(arrow: Any, column: Words | Numbers) -> Any:
    if isinstance(column, Numbers):
        return arrow.array(column.values, mask=None if column.known is None else ~column.known)
    # A dictionary holds no null: rows of a null point nowhere.
    texts = [_printable(word or "") for word in column.words]
    unknown = np.array([word is None for word in column.words])
    at = arrow.array(column.at.astype("int32"), mask=unknown[column.at])
    return arrow.DictionaryArray.from_arrays(at, arrow.array(texts, arrow.string()))


def _printable(text: str) -> str:
    """File names are bytes; Parquet's strings are UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

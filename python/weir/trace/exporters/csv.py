"""Comma-separated values (RFC 4180, but for lines that end as Unix has it), UTF-8; unknown is empty."""

import csv
from typing import BinaryIO

import numpy as np

from weir.printable import cell_text
from weir.tabular import Utf8Writer
from weir.trace.exporter import Exporter, exporter
from weir.trace.exporters._columns import Columns, Numbers, Words
from weir.trace.model import Trace


@exporter("csv")
class Csv(Exporter):
    """A row for each call, under a line of headings."""

    def write(self, trace: Trace, out: BinaryIO) -> None:
        """Write the rows, batch by batch."""
        writer = csv.writer(Utf8Writer(out), lineterminator="\n")
        maker = Columns(trace)
        headed = False
        for batch in trace.batches():
            columns = list(maker.of(batch))
            if not headed:
                writer.writerow(column.name for column in columns)
                headed = True
            writer.writerows(zip(*map(_cells, columns), strict=True))


def _cells(column: Words | Numbers) -> list[object]:
    if isinstance(column, Words):
        words = np.array([None if word is None else cell_text(word) for word in column.words], object)
        return list(words[column.at])
    values = column.values
    if values.dtype == bool:
        return list(np.where(values, "true", "false"))
    if column.known is None:
        return list(values.tolist())
    cells = values.astype(object)
    cells[~column.known] = None
    return list(cells)

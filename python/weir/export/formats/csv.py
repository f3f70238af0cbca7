"""Comma-separated values (RFC 4180, but for lines that end as Unix has it), UTF-8; unknown is empty."""

import csv
from typing import BinaryIO

from weir.export.format import CellType, DataTable, TabularFormat, export_format
from weir.export.source import Source
from weir.printable import cell_text
from weir.tabular import Utf8Writer


@export_format("csv")
class Csv(TabularFormat):
    """One table with a line of headings; numbers as Python writes them, so that none loses digits."""

    def write_table(self, table: DataTable, source: Source, out: BinaryIO) -> None:
        """Write the table."""
        writer = csv.writer(Utf8Writer(out), lineterminator="\n")
        writer.writerow(column.name for column in table.columns)
        truths = [at for at, column in enumerate(table.columns) if column.kind is CellType.TRUTH]
        for row in table.rows:
            cells = [cell_text(cell) if isinstance(cell, str) else cell for cell in row]
            for at in truths:
                if cells[at] is not None:
                    cells[at] = "true" if cells[at] else "false"
            writer.writerow(cells)

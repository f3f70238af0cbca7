"""`weir cloud show`: a dump in a table."""

from __future__ import annotations

from weir.cli._cloud import DumpArgument, opened
from weir.cli._options import JsonOption


def command(dump: DumpArgument, json: JsonOption = False) -> None:
    """Show DUMP's header, and the range and mean of each array."""
    from weir.cli._output import print_json, print_table

    source = opened(dump)
    from weir.cloud.table import as_data, headlines, rows

    if json:
        print_json(as_data(source))
        return
    ranges = rows(source)
    for line in headlines(source):
        print(line)
    print()
    print_table(("array", ">minimum", ">mean", ">maximum"), ranges)

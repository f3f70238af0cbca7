"""Rows of IMB's tables that are not to be believed: IMB found wrong data, or their numbers exclude each
other."""

from weir.errors import ExitCode
from weir.reading.readers._imb.formulas import megabyte_words, throughput_fits, times_fit
from weir.reading.readers._imb.scan import Entry, Table
from weir.reading.result import ReadCase, ReadFailure

_DEFECT = 0.01
"""Above it IMB calls a result wrong."""


def doubt(case: ReadCase, table: Table, entry: Entry, megabyte: float | None) -> ReadFailure | None:
    """Why a row is not to be believed; None where nothing speaks against it."""
    cells, place = entry.cells, f"line {entry.line} of '{{file}}'"
    if float(cells.get("defects", "0")) > _DEFECT:
        return ReadFailure(
            case,
            f"{table.function} moved wrong data, {place}",
            f"IMB's check found a defect of {cells['defects']}",
            "find out which part of the MPI or network is at fault",
            ExitCode.WRONG_DATA,
        )
    why = _contradiction(table, entry, megabyte)
    if not why:
        return None
    return ReadFailure(
        case,
        f"{place} contradicts itself",
        why,
        "compare it with the original output; it is left out",
        ExitCode.CASE_FAILED,
    )


def _contradiction(table: Table, entry: Entry, megabyte: float | None) -> str:
    """Which of a row's numbers exclude each other, in words; empty where none do."""
    cells = entry.cells
    if megabyte is not None and throughput_fits(table, entry, megabyte) is False:
        time = cells.get("t[usec]") or cells.get("t_max[usec]")
        of = f"{time} µs" if time else f"{cells['Msg/sec']} messages/s"
        mb = f"{cells['Mbytes/sec']} MB/s with MB of {megabyte_words(megabyte)}"
        return f"{cells['#bytes']} bytes in {of} are not {mb}"
    if not times_fit(entry):
        times = ", ".join(f"{name} {text}" for name, text in cells.items() if name.startswith("t_"))
        return f"{times} are not in order"
    overlap = cells.get("overlap[%]", "0")
    return f"an overlap of {overlap} %" if float(overlap) > 100.0 else ""

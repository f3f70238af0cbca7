"""What a row of IMB's tables is a measurement of: its case, with the options that set it apart."""

import re

from weir.reading.readers._imb.formulas import definitions
from weir.reading.readers._imb.scan import Entry, Output, Table
from weir.reading.result import ReadCase
from weir.units import format_bytes

BENCHMARK, BENCHMARK_OF_FILES = "network", "imb-io"
_SELECTING = frozenset(
    (
        "npmin",
        "multi",
        "msglog",
        "msglen",
        "input",
        "include",
        "exclude",
        "iter",
        "iter_policy",
        "time",
        "mem",
    )
)
"""Options of IMB that choose what is measured, or how often: a row says both itself."""
_OPTION = re.compile(r"--?([A-Za-z]\w*)")


def case_of(output: Output, table: Table, entry: Entry) -> ReadCase:
    """The case of a row. Of several groups at once, `ranks` are all processes, with those that wait."""
    group, size = entry.number("Group"), entry.number("#bytes")
    processes = table.processes or 0
    active = table.groups * processes
    own: dict[str, object] = {
        "function": table.function,
        "bytes": size,
        "imb": definitions(output.version),
        "imb_version": output.version,
        "part": output.part,
        "active": active,
        "group": processes,
    }
    if table.mode:
        own["mode"] = table.mode
    if group is not None:
        own["group_number"] = group
    if "defects" in table.columns:
        own["check"] = True
    options = _options(output.command)
    ranks = active + table.idle
    words = [
        format_bytes(size) if size is not None else "",
        f"{table.groups} groups of {processes}" if table.groups > 1 else "",
        f"group {group}" if group is not None else "",
        f"{processes} of {ranks} ranks" if table.idle and table.groups == 1 else "",
        table.mode or "",
        *(f"{key} {value}" for key, value in options.items()),
    ]
    return ReadCase(
        BENCHMARK_OF_FILES if output.part == "MPI-IO" else BENCHMARK,
        ranks,
        options | own,
        table.function,
        ", ".join(filter(None, words)) or table.function,
        (ranks, active, processes, -1 if size is None else size, -1 if group is None else group),
    )


def _options(command: list[str]) -> dict[str, str]:
    """The options on IMB's command line that change what a row means, as they were written."""
    found: dict[str, str] = {}
    for word, value in zip(command[1:], [*command[2:], ""], strict=False):
        option = _OPTION.fullmatch(word)
        if option and option[1] not in _SELECTING:
            found[option[1]] = "" if _OPTION.fullmatch(value) else value
    return found

"""Samples of the benchmark `network` from IMB's tables: each row one, in the numbers that were printed."""

from collections.abc import Iterator
from datetime import datetime

from weir.reading.readers._imb.cases import case_of
from weir.reading.readers._imb.doubts import doubt
from weir.reading.readers._imb.formulas import HALF, megabyte_of, megabyte_words, moved, stated_megabyte
from weir.reading.readers._imb.scan import Entry, Gap, Output, Table
from weir.reading.result import ReadCase, ReadLaunch, ReadLeftOut, ReadSample
from weir.store.records import MetricRecord, Warning
from weir.units import count_words, format_bytes

PHASE = "call"
TIME = "time_us"
_FEW_DIGITS = 1.0
"""Below so many microseconds two decimals are two digits at most."""

_METRICS = (
    # key, IMB's columns, unit, noun, better, over_ranks
    (TIME, ("t[usec]", "t_max[usec]", "t_ovrl[usec]", "t_pure[usec]"), "us", "time", "lower", "slowest"),
    ("bandwidth_bytes_per_s", ("Mbytes/sec",), "B/s", "bandwidth", "higher", "slowest"),
    ("messages_per_s", ("Msg/sec",), "1/s", "rate of messages", "higher", "slowest"),
    ("t_min_us", ("t_min[usec]",), "us", "time of the fastest rank", "lower", "fastest"),
    ("t_avg_us", ("t_avg[usec]",), "us", "mean time of the ranks", "lower", "mean"),
    ("t_pure_us", ("t_pure[usec]",), "us", "time without computing", "lower", "slowest"),
    ("t_cpu_us", ("t_CPU[usec]",), "us", "time of the computing", "lower", "slowest"),
    ("overlap_percent", ("overlap[%]",), "%", "overlap", "higher", "slowest"),
)


def launch_of(output: Output) -> ReadLaunch:
    """What one start of IMB printed, as samples and as what is missing or not to be believed."""
    launch = ReadLaunch(
        _facts(output), _machine(output), _date(output), output.facts.get("MPI Version") or None
    )
    stated = stated_megabyte(output.version)
    megabyte = megabyte_of(output.tables, stated)
    if stated and megabyte != stated:
        launch.notes.append(
            f"the bandwidths in '{{file}}' agree with MB of {megabyte_words(megabyte)}, and not with "
            f"those of version {output.version}: they are taken so"
        )
    if megabyte is None and any("Mbytes/sec" in table.columns for table in output.tables):
        launch.notes.append(
            "the bandwidths in '{file}' are unknown: neither its version nor its lines say whether a MB "
            "is 2^20 or 10^6 bytes"
        )
    for table in output.tables:
        _read_table(launch, output, table, megabyte)
    if not output.complete:
        launch.left_out += _missing(output)
    return launch


def _facts(output: Output) -> dict[str, object]:
    names = {
        "machine": "Machine",
        "system": "System",
        "release": "Release",
        "kernel_version": "Version",
        "mpi_standard": "MPI Version",
        "thread_level": "MPI Thread Environment",
        "date": "Date",
    }
    facts = {key: output.facts.get(name) or None for key, name in names.items()}
    return {"version": output.version, "part": output.part, **facts, "command": output.command or None}


def _machine(output: Output) -> str | None:
    parts = [output.facts.get(name) for name in ("Machine", "System", "Release")]
    return " ".join(filter(None, parts)) or None


def _date(output: Output) -> str | None:
    try:
        return datetime.strptime(output.facts.get("Date", ""), "%a %b %d %H:%M:%S %Y").isoformat()
    except ValueError:
        return None


def _read_table(launch: ReadLaunch, output: Output, table: Table, megabyte: float | None) -> None:
    """The table's rows as samples, those that contradict themselves as failures, the rest as left out."""
    unchecked = f"the bandwidths of {table.function} in '{{file}}' are not checked: its formula is not known"
    if _is_unchecked(table) and unchecked not in launch.notes:
        launch.notes.append(unchecked)
    for entry in table.entries:
        case = case_of(output, table, entry)
        failure = doubt(case, table, entry, megabyte)
        if failure:
            launch.failures.append(failure)
        else:
            launch.samples.append(_sample(case, table, entry, megabyte))
    launch.left_out += [_left_out(table, gap) for gap in table.gaps]


def _left_out(table: Table, gap: Gap) -> ReadLeftOut:
    """A line without a result; after a time-out IMB measures no larger messages either."""
    size = f"line {gap.line}" if gap.size is None else format_bytes(gap.size)
    if "time-out" in gap.why and gap.size is not None:
        size = f"from {size} on"
    processes = f", {count_words(table.processes, 'process', 'processes')}" if table.processes else ""
    where = f"line {gap.line} of '{{file}}' holds no result: " if gap.size is None else ""
    return ReadLeftOut(table.function, f"{size}{processes}", f"{where}{gap.why}")


def _is_unchecked(table: Table) -> bool:
    return "Mbytes/sec" in table.columns and "Msg/sec" not in table.columns and moved(table) is None


def _sample(case: ReadCase, table: Table, entry: Entry, megabyte: float | None) -> ReadSample:
    metrics = tuple(_metrics(entry, megabyte))
    details = {"repetitions": entry.number("#repetitions"), "resolution_us": 2 * HALF, "line": entry.line}
    return ReadSample(case, PHASE, metrics, details, tuple(_warnings(metrics)))


def _metrics(entry: Entry, megabyte: float | None) -> Iterator[MetricRecord]:
    """The numbers of a row; null is what was printed as 0.00, which only says that it is less than that."""
    for key, columns, unit, noun, better, over_ranks in _METRICS:
        text = next((entry.cells[column] for column in columns if column in entry.cells), None)
        if text is None:
            continue
        value: float | None = float(text)
        if unit == "B/s":
            value = value * megabyte if megabyte and value else None
        elif value == 0 and unit != "%":
            value = None
        yield MetricRecord(key, value, unit, noun, better, over_ranks)  # type: ignore[arg-type]


def _warnings(metrics: tuple[MetricRecord, ...]) -> Iterator[Warning]:
    time = next((one.value for one in metrics if one.key == TIME), None)
    if time is not None and time < _FEW_DIGITS:
        yield Warning(
            "few-digits",
            f"the time is known to {HALF / time * 100:.2g} % only",
            "IMB prints two decimals of a microsecond",
            "",
        )


def _missing(output: Output) -> Iterator[ReadLeftOut]:
    """What an output that ends early does not tell."""
    why = "'{file}' ends before IMB's last line"
    seen = list(dict.fromkeys(table.function for table in output.tables))
    if seen:
        yield ReadLeftOut(seen[-1], "what would follow", why)
    for name in dict.fromkeys(output.listed):
        if name not in seen:
            yield ReadLeftOut(name, "all sizes", why)

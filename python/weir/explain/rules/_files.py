"""What several rules say of files and transfers."""

from collections.abc import Callable
from pathlib import PurePath

from weir.explain.summary import FileRow, TraceSummary, TransferRow
from weir.trace.model import READ
from weir.units import format_bytes, format_share


def with_transfers(summary: TraceSummary, row: TransferRow, share: float) -> float:
    """Of the run, the time of this share of the requests; the slowest rank's, if it is known exactly."""
    known = row.slowest_s is not None and row.slowest_exact
    return share * (row.slowest_s or 0.0 if known else summary.of_run(row.total_s))


def part_words(part: float, whole: float) -> str:
    """A share that is 100 % only where it is all."""
    words = format_share(part / whole)
    return words if part >= whole or words != format_share(1) else f"{int(1e4 * part / whole) / 100:.2f} %"


def count_of(file: FileRow, kind: str) -> int:
    """Reads, or writes."""
    return file.reads if kind == READ else file.writes


def where_most(summary: TraceSummary, row: TransferRow, which: Callable[[FileRow], bool]) -> str:
    """A sentence on the file with the most such requests among those; "" where there is none."""
    files = [one for one in summary.files if one.interface == row.interface and count_of(one, row.kind)]
    found = [one for one in files if which(one)]
    if not found or len(files) == 1:
        return f" They are in {PurePath(files[0].file).name}." if len(files) == 1 else ""
    most = max(found, key=lambda one: count_of(one, row.kind))
    mean = (most.bytes_read if row.kind == READ else most.bytes_written) // count_of(most, row.kind)
    return (
        f" Most are in {PurePath(most.file).name}: {count_of(most, row.kind):,} {row.kind}s of "
        f"{format_bytes(mean)} on average."
    )

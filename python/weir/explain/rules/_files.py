"""Files and transfers, as several rules name them."""

from collections.abc import Callable
from pathlib import PurePath

from weir.answers.answer import Evidence
from weir.explain.summary import FileRow, TraceSummary, TransferRow
from weir.trace.model import READ


def with_transfers(summary: TraceSummary, row: TransferRow, share: float) -> float:
    """Of the run, the time of this share of the requests; the slowest rank's, if it is known exactly."""
    known = row.slowest_s is not None and row.slowest_exact
    return share * (row.slowest_s or 0.0 if known else summary.of_run(row.total_s))


def count_of(file: FileRow, kind: str) -> int:
    """Reads, or writes."""
    return file.reads if kind == READ else file.writes


def mean_of(file: FileRow, kind: str) -> int:
    """Bytes of a read, or of a write."""
    return (file.bytes_read if kind == READ else file.bytes_written) // max(1, count_of(file, kind))


def file_name(path: str) -> str:
    """Without its folders."""
    return PurePath(path).name


def and_more(path: str, files: int) -> str:
    """ "log.txt and 2 more": the file that stands for so many."""
    return file_name(path) + (f" and {files - 1:,} more" if files > 1 else "")


def files_with(summary: TraceSummary, row: TransferRow, which: Callable[[FileRow], bool]) -> list[FileRow]:
    """The only file with such requests; else those which are meant, the one with the most of them first,
    without those that have less than a tenth of its number."""
    files = [one for one in summary.files if one.interface == row.interface and count_of(one, row.kind)]
    if len(files) == 1:
        return files
    meant = sorted(filter(which, files), key=lambda one: -count_of(one, row.kind))
    return [one for one in meant if 10 * count_of(one, row.kind) >= count_of(meant[0], row.kind)]


def in_files(files: list[FileRow], kind: str) -> tuple[tuple[str, ...], tuple[Evidence, ...]]:
    """The files as part of a subject, and the first one's requests of that kind."""
    if not files:
        return (), ()
    name = file_name(files[0].file)
    requests, mean = count_of(files[0], kind), mean_of(files[0], kind)
    return (and_more(name, len(files)),), (
        Evidence(f"{kind}s of {name}", requests),
        Evidence(f"mean {kind} of {name}", mean, "B"),
    )

"""What was done with each file and dataset."""

import os
from pathlib import PurePath

from weir.explain.page.section import Section, Table
from weir.explain.summary import FileRow, Summary
from weir.units import format_bytes, format_seconds

HEADINGS = (
    "~file",
    "interface",
    ">opens",
    ">reads",
    ">read",
    ">writes",
    ">written",
    ">reaches to",
    ">reading",
    ">writing",
    ">other calls",
)
MOST = 60


def section(summary: Summary) -> Section | None:
    """The files of the longest time."""
    if not summary.files:
        return None
    shown = summary.files[:MOST]
    folder = os.path.commonpath([PurePath(row.file).parent for row in shown]) if _alike(shown) else ""
    left = len(summary.files) - len(shown)
    return Section(
        60,
        "files",
        "Files",
        f"Those of the longest time first{f', all below {folder}' if folder else ''}. Times are those of "
        f"{summary.head.all} together.",
        tables=(
            Table(
                (*HEADINGS[:2], ">ranks" if summary.head.ranked else ">processes", *HEADINGS[2:]),
                [_cells(row, folder) for row in shown],
                f"{left:,} more are in what `weir explain --json` prints." if left else "",
            ),
        ),
    )


def _alike(rows: tuple[FileRow, ...]) -> bool:
    return len({PurePath(row.file).is_absolute() for row in rows}) == 1


def _cells(row: FileRow, folder: str) -> list[str]:
    name = os.path.relpath(row.file, folder) if folder else row.file
    return [
        f"{row.dataset} in {name}" if row.dataset else name,
        row.interface,
        f"{row.ranks:,}",
        f"{row.opens:,}",
        f"{row.reads:,}" if row.reads else "",
        format_bytes(row.bytes_read) if row.reads else "",
        f"{row.writes:,}" if row.writes else "",
        format_bytes(row.bytes_written) if row.writes else "",
        "" if row.end_bytes is None else format_bytes(row.end_bytes),
        format_seconds(row.read_s),
        format_seconds(row.write_s),
        format_seconds(row.other_s),
    ]

"""`weir explain`: what a trace says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, RedactOption, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.handed.takes import Takes
from weir.units import format_bytes, format_seconds, format_share

if TYPE_CHECKING:
    from weir.explain.remark import Remark
    from weir.explain.summary import Head, OperationRow, TraceSummary, TransferRow

MOST_FILES = 12
MOST_PHASES = 8

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE",
        help="A folder made by `weir trace`, a packed trace, or a Darshan log.",
        autocompletion=completion.traces,
    ),
    Takes(("trace", "packed-trace", "log")),
]
PageOption = Annotated[
    Path | None,
    typer.Option(
        "--page", help="The page's file. Default: page.html in the trace's folder; of a file, FILE.html here."
    ),
]
NoPageOption = Annotated[bool, typer.Option("--no-page", help="Write no page.")]


@writes
def command(
    trace: TraceArgument,
    page: PageOption = None,
    no_page: NoPageOption = False,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Show what stands out in TRACE, and tables of operations, request sizes and files; and write one HTML
    page with all of it, figures, and a zoomable timeline of every call.

    The page works offline. With --json, nothing is written unless --page names a file.
    """
    from weir.trace.open import import_numpy

    import_numpy()
    import msgspec

    from weir.explain.page.render import write_page
    from weir.explain.remark import remarks_on
    from weir.explain.summarise import tables_of
    from weir.explain.together import together
    from weir.redaction import Redactor

    summary, opened = tables_of(trace, Redactor() if redact else None)
    remarks = remarks_on(summary)
    if json:
        overlap = msgspec.to_builtins(together(summary, remarks))
        data = {"remarks": msgspec.to_builtins(remarks), "together": overlap}
        print_json(data | msgspec.to_builtins(summary))
    else:
        show(summary, remarks)
    if page is not None or not (no_page or json):
        named = page is not None
        page = page or _usual_page(trace)
        size = write_page(summary, opened, page, named=named)
        if not json:
            print(f"\n{page} ({format_bytes(size, decimal=True)})")


def _usual_page(trace: Path) -> Path:
    """Other tools' logs lie where only their owner writes."""
    return trace / "page.html" if trace.is_dir() else Path(f"{trace.name}.html")


def show(summary: TraceSummary, remarks: Sequence[Remark]) -> None:
    """Print what was recorded, what stands out, and the tables."""
    from weir.explain.remark import nothing_stands_out
    from weir.explain.together import together

    print_lines(head_lines(summary))
    print("\nWhat stands out")
    for remark in remarks:
        print_lines(remark_lines(remark, summary.head))
    if overlap := together(summary, remarks):
        print_lines([f"  {overlap.words(summary.head)}"])
    if not remarks:
        print_lines([f"  {nothing_stands_out(summary)}"])
    print()
    _show_operations(summary)
    _show_transfers(summary)
    _show_marks(summary)
    _show_profile(summary)
    _show_files(summary)
    print_lines(f"Note: {note}" for note in (*summary.head.notes, *summary.head.cannot_tell))


def head_lines(summary: TraceSummary) -> list[str]:
    """What ran, where and how long."""
    head = summary.head
    where = head.hosts[0] if len(head.hosts) == 1 else f"{len(head.hosts) or 'unknown'} hosts"
    return [
        head.command or head.name,
        f"{head.who} on {where}, {head.how_long}, {head.how_many}" + _share(summary),
    ]


def _share(summary: TraceSummary) -> str:
    """How much of the run is I/O: what all that follows is a share of."""

    share = summary.share_of_run
    if share is None:
        return ""
    what = (
        ": those recorded took {} of the run" if summary.head.calls_lost else "; {} of the run in I/O calls"
    )
    path = summary.share_of_path
    of_path = "" if path is None else f", {format_share(path)} of its critical path"
    return what.format(format_share(share)) + of_path


def remark_lines(remark: Remark, head: Head) -> list[str]:
    """A remark with what it may explain; why that costs time, and what helps, indented below."""
    bound = remark.bound(head)
    more = " ".join(words for words in (remark.why, remark.advice) if words)
    return [f"  * {remark.text}" + (f" [{bound}]" if bound else "")] + ([f"    {more}"] if more else [])


def _show_operations(summary: TraceSummary) -> None:
    """Table 1 of Thakur et al. (1996), by interface; the run's time is the sum over all ranks. Marks, whose
    times are those of phases, have a table of their own."""
    from weir.trace.model import MARK

    calls = (row for row in summary.operations if row.kind != MARK)
    rows = sorted(calls, key=lambda row: (row.interface, row.for_io, row.kind))
    groups = [
        (key, list(group)) for key, group in groupby(rows, lambda row: (row.interface, row.for_io, row.kind))
    ]
    groups.sort(key=lambda one: -sum(row.total_s for row in one[1]))
    whole = summary.head.whole_s
    table = [_operation_cells(*key, group, whole) for key, group in groups]
    print_table(
        [
            "Interface",
            "Operation",
            ">Count",
            ">Failed",
            ">Total time",
            f">Mean per {summary.head.one}",
            ">Share of run",
            "~Calls",
        ],
        table,
        f"Operations, over {summary.head.all}",
    )
    print()


def _operation_cells(
    interface: str, for_io: bool, kind: str, group: list[OperationRow], whole: float
) -> list[str]:
    total = sum(row.total_s for row in group)
    names = sorted(group, key=lambda row: -row.count)
    calls = ", ".join(f"{row.name} {row.count:,}" for row in names[:4]) + (", …" if len(names) > 4 else "")
    failed = sum(row.failed for row in group)
    return [
        interface,
        f"{kind} (for I/O)" if for_io else kind,
        f"{sum(row.count for row in group):,}",
        f"{failed:,}" if failed else "",
        format_seconds(total),
        format_seconds(sum(row.per_rank_s for row in group)),
        format_share(total / whole) if whole > 0 else "",
        calls,
    ]


def _show_transfers(summary: TraceSummary) -> None:
    """Table 2 of Thakur et al. (1996)."""
    if not summary.transfers:
        return
    several = summary.head.several
    print_table(
        [
            *("Interface", "", ">Requests", ">Data", ">Bandwidth"),
            *([">Mean bandwidth"] if several else []),
            *(">Longest", ">Consecutive", "~Sizes: requests"),
        ],
        [_transfer_cells(row, several=several) for row in summary.transfers],
        f"Requests; {summary.bandwidth}",
    )
    print()


def _transfer_cells(row: TransferRow, *, several: bool) -> list[str]:
    from weir.explain.sections.requests import bandwidth_cells

    sizes = ", ".join(f"{format_bytes(one.bytes)}: {one.requests:,}" for one in row.common[:5])
    more = "" if not sizes or (row.sizes is not None and row.sizes <= 5) else ", …"
    return [
        row.interface,
        row.kind,
        f"{row.requests:,}",
        format_bytes(row.bytes),
        *bandwidth_cells(row, several=several),
        "" if row.longest_s is None else format_seconds(row.longest_s),
        "" if row.consecutive is None else format_share(row.consecutive / row.requests),
        sizes + more,
    ]


def _show_marks(summary: TraceSummary) -> None:
    if summary.marks:
        rows = [
            [row.name, f"{row.times:,}", format_seconds(row.total_s), format_seconds(row.longest_s)]
            for row in summary.marks[:MOST_FILES]
        ]
        print_table(
            ["~Phase", ">Times", ">Total time", ">Longest"],
            rows,
            f"Its phases, over {summary.head.all}",
        )
        print()


def _show_profile(summary: TraceSummary) -> None:
    from weir.explain.sections.profile import HEADINGS, phase_cells, who

    profile = summary.profile
    if not profile.phases:
        return
    longest = sorted(profile.phases, key=lambda phase: -phase.mean_s)[:MOST_PHASES]
    shown = [phase for phase in profile.phases if phase in longest]
    left = len(profile.phases) - len(shown)
    name = "Profile by phase" if profile.marked else "Profile"
    more = f", the longest ({left:,} more)" if left else ""
    print_table(
        [
            heading[:1] + heading[1:].capitalize() if heading[:1] == ">" else heading.capitalize()
            for heading in HEADINGS
        ],
        [cells for phase in shown for cells in phase_cells(profile, phase)],
        f"{name}{more}, over {who(summary)}; each call without those inside it",
    )
    print()


def _show_files(summary: TraceSummary) -> None:
    if not summary.files:
        return
    shown = summary.files[:MOST_FILES]
    folders = [str(PurePath(row.file).parent) for row in shown if row.file.startswith("/")]
    folder = os.path.commonpath(folders) if folders else ""
    rows = [
        [
            _below(folder, row.file) + (f" : {row.dataset}" if row.dataset else ""),
            row.interface,
            f"{row.ranks:,}",
            f"{row.opens:,}",
            format_bytes(row.bytes_read) if row.reads else "",
            format_bytes(row.bytes_written) if row.writes else "",
            format_seconds(row.read_s),
            format_seconds(row.write_s),
            format_seconds(row.other_s),
        ]
        for row in shown
    ]
    left = len(summary.files) - len(rows)
    title = f"Files below {folder}" if folder else "Files"
    print_table(
        [
            "~File",
            "Interface",
            ">Ranks" if summary.head.ranked else ">Processes",
            ">Opens",
            ">Read",
            ">Written",
            ">Reading",
            ">Writing",
            ">Other",
        ],
        rows,
        f"{title}, those of the longest time first{f' ({left:,} more)' if left else ''}",
    )


def _below(folder: str, path: str) -> str:
    """Standard output and the like are in no folder."""
    return os.path.relpath(path, folder) if folder and path.startswith("/") else path

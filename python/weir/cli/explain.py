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
from weir.printable import shell_word
from weir.units import count_words, format_bytes, format_seconds, format_share, more_words

if TYPE_CHECKING:
    from weir.answers.answer import Answer, Caveat, Evidence
    from weir.explain.first_screen import Explained
    from weir.explain.summary import OperationRow, TraceSummary, TransferRow

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
AllOption = Annotated[
    bool, typer.Option("--all", help="All that stands out with its numbers, and all tables.")
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
    everything: AllOption = False,
    page: PageOption = None,
    no_page: NoPageOption = False,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Show what stands out in TRACE and what may explain its time; with --all, the numbers below that, and
    tables of operations, request sizes and files. Write one HTML page with all of it, figures, and a zoomable
    timeline of every call.

    The page works offline. With --json, nothing is written unless --page names a file.
    """
    from weir.errors import WeirError
    from weir.trace.open import import_numpy

    if page is not None and no_page:
        raise WeirError("--page and --no-page contradict each other", "", "leave one of them away")
    import_numpy()
    import msgspec

    from weir.explain.first_screen import explained
    from weir.explain.page.render import write_page
    from weir.explain.summarise import tables_of
    from weir.redaction import Redactor

    summary, opened = tables_of(trace, Redactor() if redact else None)
    found = explained(summary)
    if json:
        print_json(msgspec.to_builtins(found.data()) | msgspec.to_builtins(summary))
    elif everything:
        show_all(summary, found)
    else:
        show(summary, found, f"weir explain {shell_word(str(trace))} --all")
    if page is not None or not (no_page or json):
        named = page is not None
        page = page or _usual_page(trace)
        size = write_page(summary, opened, page, named=named)
        if not json:
            print_lines([f"{page} ({format_bytes(size, decimal=True)})"])


def _usual_page(trace: Path) -> Path:
    """Other tools' logs lie where only their owner writes."""
    return trace / "page.html" if trace.is_dir() else Path(f"{trace.name}.html")


def show(summary: TraceSummary, found: Explained, more: str) -> None:
    """Print the first screen; `more`: the command that shows the rest. A line more is for the page."""
    from weir.cli._screen import MOST_LINES, print_screen

    notes = len(summary.head.notes) + len(summary.head.cannot_tell)
    told = [
        *([more_words(found.screen.others, "row")] if found.screen.others else []),
        "all numbers and tables",
        *([count_words(notes, "note")] if notes else []),
    ]
    apart = [] if found.screen.caveats else [""]
    print_screen(found.screen, *apart, f"{', '.join(told)}: {more}", more=more, most=MOST_LINES - 1)


def show_all(summary: TraceSummary, found: Explained) -> None:
    """Print what was recorded, what stands out with the numbers below it, and the tables."""
    head = summary.head
    print_lines([head.command or head.name, found.screen.verdict, ""])
    for answer in found.answers:
        print_lines(_answer_lines(answer))
    for caveat in found.screen.caveats:
        print_lines(_caveat_lines(caveat))
    print_lines([f"{fact.label}: {fact.value}" for fact in found.screen.machine])
    print()
    _show_operations(summary)
    _show_transfers(summary)
    _show_marks(summary)
    _show_profile(summary)
    _show_files(summary)
    print_lines(f"Note: {note}" for note in (*head.notes, *head.cannot_tell))


def _answer_lines(answer: Answer) -> list[str]:
    """An answer with its reason and action, and its numbers below it."""
    from weir.answers.words import DOTS, action_of, reason_of, title_of, value_of

    lines = [f"{DOTS[answer.certainty]} {title_of(answer)}: {value_of(answer)}"]
    lines += [f"    {words}" for words in (reason_of(answer), action_of(answer)) if words]
    return [*lines, *_evidence_lines(answer.evidence), ""]


def _caveat_lines(caveat: Caveat) -> list[str]:
    from weir.answers.words import action_of, caveat_words

    action = action_of(caveat)
    lines = [f"! {caveat_words(caveat)}", *([f"    {action}"] if action else [])]
    return [*lines, *_evidence_lines(caveat.evidence), ""]


def _evidence_lines(evidence: Sequence[Evidence]) -> list[str]:
    from weir.answers.evidence import evidence_words

    wide = max((len(one.label) for one in evidence), default=0)
    return [f"        {one.label.ljust(wide)}  {evidence_words(one)}" for one in evidence]


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
    names = sorted(group, key=lambda row: (-row.count, row.name))
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

"""`weir status`: how far a run and its jobs are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import JsonOption, RunArgument
from weir.errors import ExitCode

if TYPE_CHECKING:
    from weir.jobs.status import Carriers, JobStanding, Standing

WaitOption = Annotated[bool, typer.Option("--wait", help="Come back when nothing of it runs any more.")]
HEADINGS = ("job", "state", "on", "began", "ended", "exit code")
LOOK_EVERY_S = 5.0
MOST_SILENT = 60
"""As often a batch system may give no answer, one after the other: controllers start anew in minutes."""


def command(run: RunArgument, wait: WaitOption = False, json: JsonOption = False) -> ExitCode:
    """Show how far RUN is: its cases, and the jobs that `weir submit` handed in.

    Exit codes: 0 it is complete, or goes on; 3 no job is left, and cases are open or failed.
    """
    from weir.cli._streams import print_json
    from weir.jobs.status import standing_of

    found = standing_of(run, _when_over(run) if wait else None)
    if json:
        print_json(found.as_data())
    else:
        _show(run, found)
    return _exit_code(found)


def _when_over(run: Path) -> Carriers:
    """What carries the run out, once none of it is left; asks again and again, and reads no samples."""
    import time

    from weir.jobs.status import carriers_of

    found, silent = carriers_of(run), 0
    while not found.are_over:
        silent = silent + 1 if found.no_answer else 0
        if silent > MOST_SILENT:
            break
        time.sleep(LOOK_EVERY_S)
        found = carriers_of(run)
    return found


def _exit_code(found: Standing) -> ExitCode:
    from weir.jobs.status import Course

    if found.course is Course.STOPPED or (found.course is Course.COMPLETE and found.failed):
        return ExitCode.CASE_FAILED
    return ExitCode.FINE


def _show(run: Path, found: Standing) -> None:
    from weir.cli._streams import print_lines, print_table
    from weir.jobs.screen import advice_words, verdict_words

    print_lines([verdict_words(found), ""])
    if found.jobs:
        print_table(HEADINGS, [_row(one) for one in found.jobs])
        print_lines([""])
    print_lines(advice_words(run, found))


def _row(one: JobStanding) -> tuple[str, ...]:
    from weir.jobs.screen import state_words

    begun, ended = one.job.begun, one.job.ended
    return (
        one.job.submitted.id,
        state_words(one),
        one.nodes,
        _clock(begun[-1].at) if begun else "",
        _clock(ended.at) if ended else "",
        str(ended.exit_code) if ended else "",
    )


def _clock(at: str) -> str:
    """The local time of an instant: "14:05:10", with its date where that is not today's."""
    import datetime

    local = datetime.datetime.fromisoformat(at).astimezone()
    today = local.date() == datetime.datetime.now().astimezone().date()
    return f"{local:%H:%M:%S}" if today else f"{local:%Y-%m-%d %H:%M}"

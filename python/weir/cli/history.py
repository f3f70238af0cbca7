"""`weir history`: many runs of one study as a series."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, writes
from weir.cli._site import threshold_of
from weir.cli._streams import print_json, print_table, tell_no_pictures
from weir.cli.compare import ASSUME, MATTERS, FailOnOption, MattersOption, PageOption, fails_on_worse
from weir.errors import ExitCode
from weir.handed.takes import Takes
from weir.printable import printable

StudyArgument = Annotated[
    str,
    typer.Argument(metavar="STUDY", help="The name of a study, or its file."),
    Takes(("study",), named=True),
]
InOption = Annotated[
    Path | None,
    typer.Option("--in", metavar="FOLDER", help="The folder of the runs. Default: the site's, else runs."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="Print only what the last run has changed; else nothing.")
]
AllOption = Annotated[bool, typer.Option("--all", help="A line a row, with all its levels.")]


@writes
def command(
    study: StudyArgument,
    folder: InOption = None,
    matters: MattersOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    page: PageOption = None,
    all: AllOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Show the runs of STUDY as a series: when a level changed, and whether the last one is worse.

    A level is sure after some five runs, of many rows after more; before that the screen says perhaps. The
    last level is compared with that of the run that `weir baseline` marked, else with the one before.
    """
    from weir.compare.history_rows import course_headings, course_rows, history_data
    from weir.compare.history_screen import history_screen
    from weir.compare.read_history import before_last, name_of, news, read_history, runs_of
    from weir.compare.rules import rules_of
    from weir.store.run_directory import runs_folder

    rules = rules_of(threshold_of("matters", matters, MATTERS), ASSUME)
    name = name_of(study)
    runs, broken = runs_of(name, folder or runs_folder())
    found = read_history(name, runs, rules.matters, broken)
    is_news = not (quiet or json) or news(found, before_last(found, rules.matters))
    if page is not None:
        from weir.compare.page import write_history

        tell_no_pictures(write_history(found, page))
    if json:
        print_json({"page": str(page) if page else None, "news": is_news, **history_data(found)})
    elif is_news:
        from weir.cli._screen import print_screen

        below = ["", printable(str(page))] if page else []
        print_screen(history_screen(found), *below, more="weir history --all")
        if all:
            print()
            print_table(course_headings(), course_rows(found))
    from weir.compare.standings import Verdict

    if not fails_on_worse(fail_on):
        return ExitCode.FINE
    if found.verdict is Verdict.WORSE:
        return ExitCode.THRESHOLD
    return ExitCode.INCONCLUSIVE if found.is_open else ExitCode.FINE

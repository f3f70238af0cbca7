"""`weir compare`: runs side by side, with a verdict a row."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._site import threshold_of
from weir.cli._streams import print_json, print_lines, print_table, tell_no_pictures
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes
from weir.printable import printable

if TYPE_CHECKING:
    from weir.compare.comparison import Comparison, Rules

SidesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUN...",
        help="Runs, profiles, folders of runs that repeat each other, or names of `weir list machines`; all "
        "others are compared with the first.",
        autocompletion=completion.runs_and_machines,
    ),
    Takes(("run", "profile")),
]
MattersOption = Annotated[
    str | None,
    typer.Option(
        "--matters", metavar="SHARE", help="The least difference that counts. Default: the site's, else 10%."
    ),
]
AssumeOption = Annotated[
    str | None,
    typer.Option(
        "--assume",
        metavar="SHARE",
        help="The standard deviation from run to run, where each side is one run and cannot show it. "
        "Default: the site's, else 5%.",
    ),
]


MATTERS, ASSUME = "10%", "5%"


class FailOn(StrEnum):
    """What ends with 1."""

    worse = "worse"
    never = "never"


class Against(StrEnum):
    """Which earlier run."""

    last = "last"
    baseline = "baseline"


AgainstOption = Annotated[
    Against | None,
    typer.Option(
        "--against",
        help="Compare one RUN with an earlier one of its study, machine and folder: the last, or that which "
        "`weir baseline` marked.",
    ),
]
BackgroundOption = Annotated[
    Path | None,
    typer.Option(
        "--background",
        metavar="FOLDER",
        help="Show where one RUN stands among the submissions that `weir read --io500` put into a folder.",
    ),
]
FailOnOption = Annotated[
    FailOn | None,
    typer.Option(
        "--fail-on",
        help="End with 1 where any row is worse, with 5 where that is open. Default: the site's, else never.",
    ),
]
PageOption = Annotated[
    Path | None,
    typer.Option(
        "--page",
        metavar="FILE",
        help="Also write a page that needs no network; one of A4 where it ends in .pdf.",
    ),
]
AllOption = Annotated[
    bool,
    typer.Option(
        "--all",
        help="A line a row, and in which facts machines differ. Of a folder of profiles: rank and draw them, "
        "with further profiles and machines that are named.",
    ),
]


@writes
def command(
    sides: SidesArgument,
    against: AgainstOption = None,
    background: BackgroundOption = None,
    matters: MattersOption = None,
    assume: AssumeOption = None,
    fail_on: FailOnOption = None,
    page: PageOption = None,
    all: AllOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Compare runs row by row with the first: better, worse, the same, or cannot be told.

    Each verdict knows which direction is better, and what runs differ by anyway: from a folder's repeated
    runs, or as --assume says. All verdicts hold together with 95 %.
    """
    if background is not None:
        from weir.cli._standing import show_standing

        if len(sides) > 1 or against is not None:
            raise WeirError("--background goes with one run alone", "", "name one, without --against")
        return show_standing(sides[0], background, page, all=all, as_json=json)
    from weir.compare.rules import rules_of
    from weir.ratios.collection import is_collection

    if is_collection(sides[0]):
        if not all or against is not None or fail_on is FailOn.worse:
            advice = f"write `weir compare --all {shlex.quote(str(sides[0]))}`"
            raise WeirError(
                f"'{sides[0]}' is a folder of profiles", "they are ranked, and not judged", advice
            )
        return _show_collection(sides[0], sides[1:], page, as_json=json)
    rules = rules_of(threshold_of("matters", matters, MATTERS), threshold_of("assume", assume, ASSUME))
    found = _compared(sides, against, rules)
    if page is not None:
        from weir.compare.page import write_comparison
        from weir.ratios.beside_printed import figures_beside_printed

        tell_no_pictures(write_comparison(found, page, figures_beside_printed(found)))
    _show(found, page, all=all, as_json=json)
    if not any(one.standings for one in found.compared):
        return ExitCode.INCONCLUSIVE  # there was nothing to compare
    return _exit_code(found) if fails_on_worse(fail_on) else ExitCode.FINE


def fails_on_worse(asked: FailOn | None) -> bool:
    """Whether a row that is worse is to end with 1."""
    return threshold_of("fail_on", asked, FailOn.never) == FailOn.worse


def _compared(paths: list[Path], against: Against | None, rules: Rules) -> Comparison:
    from weir.compare.comparison import compare
    from weir.compare.series import earlier
    from weir.compare.sides import apart_from_each_other, side_of
    from weir.ratios.derived import with_balances

    if against is None:
        if len(paths) < 2:
            side_of(paths[0])  # says what it is not
            advice = "name another one, or say --against last"
            raise WeirError("one run alone cannot be compared", "", advice)
        return compare(with_balances(apart_from_each_other(paths)), rules)
    if len(paths) > 1:
        raise WeirError(f"--against {against} goes with one run", f"{len(paths)} are named", "name one")
    before = earlier(paths[0], against)
    history = [side_of(one) for one in before.history]
    return compare([side_of(before.reference), side_of(paths[0])], rules, history)


def _show_collection(folder: Path, others: list[Path], page: Path | None, *, as_json: bool) -> ExitCode:
    from weir.ratios.collection import collection_data, read_collection
    from weir.ratios.collection_face import problems, screen, tables, write_collection

    found = read_collection(folder, others)
    if page is not None:
        tell_no_pictures(write_collection(found, page))
    if as_json:
        print_json({"page": str(page) if page else None, **collection_data(found)})
    else:
        print_lines([screen(found).place[0], ""])
        for headings, lines in tables(found):
            print_table(headings, lines)
        print_lines([*problems(found), *([str(page)] if page else [])])
    return ExitCode.FINE if found.columns else ExitCode.INCONCLUSIVE


def _show(found: Comparison, page: Path | None, *, all: bool, as_json: bool) -> None:
    from weir.answers.words import caveat_words
    from weir.cli._screen import print_screen
    from weir.compare.first_screen import facts_that_differ, first_screen
    from weir.compare.rows import alone_rows, comparison_data, headings, table_rows

    if as_json:
        print_json({"page": str(page) if page else None, **comparison_data(found)})
        return
    below = ["", printable(str(page))] if page else []
    screen = first_screen(found)
    print_screen(screen, *below, more="weir compare --all")
    if not all:
        return
    print_lines(["", *(f"! {caveat_words(one)}" for one in screen.caveats)])
    for one in found.compared:
        print()
        print_table(headings(one), table_rows(one))
        if alone := alone_rows(one):
            print_table(("~row", "only in"), alone)
        if facts := facts_that_differ(one):
            print_table(("fact", f"~{one.names[0]}", f"~{one.names[1]}"), facts)


def _exit_code(found: Comparison) -> ExitCode:
    from weir.compare.standings import Verdict

    if found.verdict is Verdict.WORSE:
        return ExitCode.THRESHOLD
    return ExitCode.INCONCLUSIVE if any(one.is_open for one in found.compared) else ExitCode.FINE

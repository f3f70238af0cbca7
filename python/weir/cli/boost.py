"""`weir boost`: collective MPI-IO of unmodified programs by the two-phase exchange."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from weir.cli._options import JsonOption, ProgressOption
from weir.errors import ExitCode, Interrupted
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.answers.answer import Quantity
    from weir.boost.comparison import Comparison, Row, Trial
    from weir.boost.turns import Ran, Turns

CommandArgument = Annotated[
    list[str],
    typer.Argument(metavar="-- PROGRAM ...", help="The program with its arguments, or a launcher with them."),
    Takes(("program",), first=True),
]
CompareOption = Annotated[
    bool, typer.Option("--compare", help="Run it without and boosted in turns; print what that brings.")
]
RepetitionsOption = Annotated[
    int,
    typer.Option("--repetitions", min=1, help="Runs of each with --compare; an interval needs 6 or more."),
]
TAKES_A_COMMAND = {"ignore_unknown_options": True, "allow_interspersed_args": False}


def command(
    ctx: typer.Context,
    program: CommandArgument,
    compare: CompareOption = False,
    repetitions: RepetitionsOption = 11,
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> int:
    """Run PROGRAM unchanged with faster collective MPI-IO: weir boost -- mpirun -np 8 ./app INPUT.

    Its files, input, output and exit status are the same. At its end, a line on standard error says which
    calls Weir carried out and which it left to MPI.

    With --compare, PROGRAM runs 11 times without and 11 times boosted, in turns, with no input; what it
    prints is shown only if it fails. It must be repeatable: each run writes its files again, and Weir removes
    none.

    Exit codes: those of PROGRAM; with --compare 0 fine; 1 slower in I/O; 3 it failed; 5 undecided, or nothing
    to compare; 130 interrupted.
    """
    if not compare:
        from weir.boost.run import boost
        from weir.cli._given import refuse_others

        refuse_others(ctx, {"program"}, "{} needs --compare", "the program runs once")
        boost(program)

    from weir.boost.turns import ProgramFailed, Turns
    from weir.cli._progress import progress_kind
    from weir.launch.process import signals_interrupt

    kind = progress_kind(progress)
    turns = Turns(program, repetitions)
    try:
        with signals_interrupt(), _watching(kind, repetitions) as watcher:
            for ran in turns.run():
                watcher.tell(ran)
    except ProgramFailed as error:
        for line in error.last_words:
            print(line, file=sys.stderr)
        raise
    except (Interrupted, KeyboardInterrupt):
        if turns.pairs:
            _show(turns, as_json=json)
        raise
    return _show(turns, as_json=json)


command.context_settings = TAKES_A_COMMAND  # type: ignore[attr-defined]


def _show(turns: Turns, *, as_json: bool) -> ExitCode:
    from weir.boost.comparison import compare
    from weir.cli._streams import OutputLost, print_json

    found = compare(turns.pairs)
    try:
        if as_json:
            print_json(_data(found))
        else:
            _print(found)
    except OutputLost as lost:
        if not lost.reader_gone:
            raise  # what was measured is told by the code, even if nobody reads it
    return found.exit_code


def _print(found: Comparison) -> None:
    from weir.cli._streams import print_lines, print_table

    print_lines([found.verdict, ""])
    headings = ("", ">without", ">boosted", ">times as fast", ">n")
    print_table(headings, [_cells(row) for row in (found.io, found.whole)])
    last = found.last
    counts = f"{last.taken:,} of {last.calls:,} collective calls taken over"
    print_lines(["", f"{counts}; {last.pieces:,} pieces in {last.requests:,} requests"])


def _cells(row: Row) -> tuple[str, ...]:
    from weir.answers.words import title_of
    from weir.boost.comparison import ends_of
    from weir.units import significant

    ratio = row.ratio
    times = f"{significant(ratio.median, 2)}{ends_of(ratio)}" if ratio else "none"
    both = map(_seconds, (row.without, row.boosted))
    return (title_of(row.answer), *both, times, str(row.without.n))


def _seconds(one: Quantity) -> str:
    """ "332 ms ±12 %": how far its interval reaches to the farther side; the ends alone where that is far."""
    from weir.answers.words import WIDEST
    from weir.units import format_seconds

    if one.low is None or one.high is None or not one.median:
        return format_seconds(one.median)
    reach = max(one.high - one.median, one.median - one.low) / one.median
    if reach > WIDEST:
        return f"{format_seconds(one.low)} to {format_seconds(one.high)}"
    return f"{format_seconds(one.median)} ±{max(1, round(100 * reach))} %"


def _data(found: Comparison) -> dict[str, Any]:
    from weir.answers.data import answer_data

    return {
        "verdict": found.verdict,
        "standing": str(found.standing),
        "answers": [answer_data(row.answer) for row in (found.io, found.whole)],
        "pairs": [
            {"without": _trial_data(one.without), "boosted": _trial_data(one.boosted)} for one in found.pairs
        ],
    }


def _trial_data(trial: Trial) -> dict[str, Any]:
    import msgspec

    launches = [msgspec.to_builtins(one) for one in trial.launches]
    return {"whole_s": trial.whole_s, "io_s": trial.io_s, "launches": launches}


class _Watcher(Protocol):
    def tell(self, ran: Ran) -> None: ...


@contextmanager
def _watching(kind: str, repetitions: int) -> Iterator[_Watcher]:
    """On standard error: a bar on a terminal, else a line a run."""
    from weir.cli._progress import ProgressKind

    if kind == ProgressKind.NONE:
        yield _Silent()
    elif kind == ProgressKind.JSON:
        yield _JsonLines()
    elif kind == ProgressKind.AUTO and sys.stderr.isatty():
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        from weir.cli._streams import console

        columns = (
            TextColumn("runs {task.completed}/{task.total}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[detail]}", markup=False),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console(stderr=True)) as bar:
            yield _Bar(bar, bar.add_task("runs", total=2 * repetitions, detail=""))
    else:
        yield _Lines(2 * repetitions)


class _Silent:
    def tell(self, ran: Ran) -> None:
        pass


class _JsonLines:
    def tell(self, ran: Ran) -> None:
        from weir.cli._progress import print_event

        data = {"event": "run", "run": ran.number, "side": ran.side, **_trial_data(ran.trial)}
        print_event(sys.stderr, data)


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total

    def tell(self, ran: Ran) -> None:
        print(f"[{ran.number}/{self._total}] {_words(ran)}", file=sys.stderr, flush=True)


class _Bar:
    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task = bar, task

    def tell(self, ran: Ran) -> None:
        self._bar.update(self._task, advance=1, detail=_words(ran))


def _words(ran: Ran) -> str:
    from weir.units import format_seconds

    return f"{ran.side}: {format_seconds(ran.trial.io_s)} in I/O, {format_seconds(ran.trial.whole_s)} in all"

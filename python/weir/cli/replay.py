"""`weir replay`: a pattern as a program."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import DirOption, JsonOption, LauncherOption
from weir.cli._writing import writes
from weir.exit_codes import ExitCode


class Gaps(StrEnum):
    """What becomes of the time that the program computes between its requests."""

    KEEP = "keep"
    NONE = "none"


PatternArgument = Annotated[Path, typer.Argument(metavar="PATTERN", help="A pattern (JSON).")]
BackendOption = Annotated[
    str, typer.Option("--backend", help="The way to storage; `weir list` shows the choices.")
]
RanksOption = Annotated[
    int | None,
    typer.Option("--ranks", min=1, help="Other than the pattern's, if it says how it scales."),
]
GapsOption = Annotated[
    Gaps, typer.Option("--gaps", help="Keep the time the program computes between requests, or none.")
]
RepetitionsOption = Annotated[
    int, typer.Option("--repetitions", min=1, help="How often; an interval needs 6 or more.")
]
BudgetOption = Annotated[str, typer.Option("--budget", help='Time for all repetitions, as "90s" or "5m".')]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="The run directory. Default: a new one in runs/."),
]
KeepOption = Annotated[bool, typer.Option("--keep", help="Keep the test files.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")]
ProgressOption = Annotated[str, typer.Option("--progress", help="auto, plain, json or none.")]


@writes
def command(
    pattern: PatternArgument,
    backend: BackendOption = "posix",
    dir: DirOption = None,
    ranks: RanksOption = None,
    gaps: GapsOption = Gaps.KEEP,
    repetitions: RepetitionsOption = 6,
    budget: BudgetOption = "1h",
    out: OutOption = None,
    keep: KeepOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = "mpirun",
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Do what PATTERN says, through any back-end: each phase's time and bandwidth, and every sample in a run
    directory. Files that the pattern only reads are made first, unmeasured.

    Exit codes: 0 fine; 2 nothing ran; 3 it could not run; 4 data read back wrong; 130 interrupted, what was
    finished is kept.
    """
    from weir.cli._replay.carry_out import replay_and_show
    from weir.replay.prepare import ReplayRequest
    from weir.units import parse_seconds

    request = ReplayRequest(
        pattern,
        backend=backend,
        directory=dir,
        ranks=ranks,
        gaps=gaps is Gaps.KEEP,
        repetitions=repetitions,
        budget_s=parse_seconds(budget),
        out=out,
        keep=keep,
        launcher=launcher,
    )
    return replay_and_show(request, progress, dry_run=dry_run, as_json=json, command=sys.argv)

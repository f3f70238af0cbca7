"""`weir baseline`: the run that others are compared with."""

from typing import Annotated

import typer

from weir.cli._options import RunArgument, writes
from weir.errors import ExitCode, WeirError

RemoveOption = Annotated[bool, typer.Option("--remove", help="Take the mark away.")]


@writes
def command(run: RunArgument, remove: RemoveOption = False) -> ExitCode:
    """Mark RUN as the one that `weir compare --against baseline` takes.

    It holds for runs of the same study and machine in the same folder. The mark is a file in the run.
    """
    from weir.compare.series import mark_baseline, unmark_baseline

    if not remove:
        mark_baseline(run)
    elif not unmark_baseline(run):
        raise WeirError(f"'{run}' is not marked as a baseline", "", "")
    return ExitCode.FINE

"""`weir calibrate`: how large files must be here to measure storage, not memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, LauncherOption
from weir.cli._writing import writes
from weir.exit_codes import ExitCode

DirectoryArgument = Annotated[Path, typer.Argument(metavar="[DIR]", help="A directory on the storage.")]
RanksOption = Annotated[
    int | None, typer.Option("--ranks", min=1, help="Ranks on this node. Default: one a core, at most 4.")
]
TransferOption = Annotated[str, typer.Option("--transfer", help="Bytes of one request.")]
BudgetOption = Annotated[str, typer.Option("--budget", help="Time for it all, nearly.")]
MostOption = Annotated[
    str | None,
    typer.Option("--most", help='The largest files of all ranks together, as "8GiB". Default: what fits.'),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")]
ProgressOption = Annotated[str, typer.Option("--progress", help="auto, plain, json or none.")]


@writes
def command(
    directory: DirectoryArgument = Path(),
    ranks: RanksOption = None,
    transfer: TransferOption = "1MiB",
    budget: BudgetOption = "5m",
    most: MostOption = None,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = "mpirun",
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Find the file size from which on bandwidth in DIR no longer depends on it, for writing and reading.

    That is where the page cache ends (Shan and Shalf 2007, section 5.2). The result is kept; a study takes
    it by block = "calibrated". At most a third of what an exhaustive sweep writes is written.

    Exit codes: 0 a size was found; 2 nothing ran; 3 a case could not run; 5 inconclusive; 130 interrupted.
    """
    from weir.calibrate.situation import Wish
    from weir.cli._calibrate.carry_out import calibrate_and_show
    from weir.units import parse_bytes, parse_seconds

    wish = Wish(
        directory,
        ranks=ranks,
        transfer=parse_bytes(transfer),
        budget_s=parse_seconds(budget),
        most_bytes=parse_bytes(most) if most is not None else None,
        launcher_name=launcher,
    )
    return calibrate_and_show(wish, progress, dry_run=dry_run, as_json=json)

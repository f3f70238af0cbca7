"""Options that several verbs share, so that they read alike everywhere."""

from pathlib import Path
from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
DirOption = Annotated[
    Path | None,
    typer.Option("--dir", help="The storage to measure: a directory on it. Default: the current one."),
]
CalibrationOption = Annotated[
    Path | None,
    typer.Option(
        "--calibration", metavar="FILE", help='Take block = "calibrated" from this. Default: the kept one.'
    ),
]
RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run directory, as `weir run --out` makes it.")
]
RedactOption = Annotated[
    bool, typer.Option("--redact", help="Put hashes in place of arguments, paths and host names.")
]
StudyArgument = Annotated[
    str, typer.Argument(metavar="STUDY", help="A study file, or the name of one of Weir's own.")
]
BudgetOption = Annotated[
    str | None,
    typer.Option("--budget", help='Time for all samples, as "90s" or "5m". Default: the study\'s.'),
]
LauncherOption = Annotated[
    str, typer.Option("--launcher", help="How ranks are started; `weir list` shows the choices.")
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="COMPARISON",
        help="Run this optional comparison too; may stand several times.",
    ),
]

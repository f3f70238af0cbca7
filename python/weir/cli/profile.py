"""`weir profile`: a run's results as one small file, or a machine as a model."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._given import refuse_given
from weir.cli._options import (
    RUN_HELP,
    BudgetOption,
    DirOption,
    LauncherOption,
    ProgressOption,
    RedactOption,
    StudyRequest,
    writes,
)
from weir.cli._streams import check_output_file, output_file
from weir.errors import ExitCode, WeirError, system_errors
from weir.handed.takes import Takes
from weir.printable import printable

if TYPE_CHECKING:
    from weir.report.gather import Contents

RunOrNothing = Annotated[
    Path | None,
    typer.Argument(metavar="[RUN]", help=RUN_HELP, autocompletion=completion.runs),
    Takes(("run",)),
]
OutOption = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="FILE", help="Default: NAME.profile.json here.")
]
NameOption = Annotated[
    str | None, typer.Option("--name", help="What the machine is called. Default: its host's name.")
]
ModelOption = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="FILE",
        help="Write a model of the machine for `weir predict --on`, from a run of the study `model`; without "
        "RUN that is made first, in four minutes.",
    ),
]
OF_MEASURING = {"dir", "budget", "launcher", "progress"}
"""Those that mean something where a run is made."""


@writes
def command(
    ctx: typer.Context,
    run: RunOrNothing = None,
    out: OutOption = None,
    name: NameOption = None,
    model: ModelOption = None,
    dir: DirOption = None,
    budget: BudgetOption = None,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    redact: RedactOption = False,
) -> ExitCode:
    """Write the results of RUN and what machine it was as one file, which `weir compare` takes; or, with
    --model, a model of the machine, on which `weir predict --on` simulates.

    Every sample is in a profile, and no path of the run; with --redact no name of a host either.
    """
    from weir.report.gather import gather
    from weir.store.run_directory import open_run

    if model is not None:
        if out is not None:
            raise WeirError("--model and --out name two files", "one is written", "leave out one of them")
        check_output_file(model, "--model")
    if run is not None:
        refuse_given(ctx, OF_MEASURING, "{} says how a run is made", "one is named", "leave out one of them")
    elif model is None:
        raise WeirError("nothing says of which run", "", "write for example: weir profile latest")
    else:
        from weir.launch.base import launcher_name

        run, code = _measure(StudyRequest("model", dir, launcher_name(launcher), budget=budget), progress)
        if code not in (ExitCode.FINE, ExitCode.INCONCLUSIVE):
            return code
    contents = gather(open_run(run, redact=redact))
    if model is None:
        _write_profile(contents, run, out, printable(name or ""))
    else:
        _write_model(contents, run, model, name or "")
    return ExitCode.FINE


def _measure(request: StudyRequest, progress: str) -> tuple[Path, ExitCode]:
    """The run that was made, and how it ended."""
    from weir.cli.run import carry_out
    from weir.store.run_directory import new_run

    run = new_run(request.study, datetime.datetime.now())
    return run, carry_out(request, run, progress)


def _write_model(contents: Contents, run: Path, path: Path, name: str) -> None:
    from weir.simulate.here.machine import machine_of
    from weir.simulate.write import machine_text

    text = machine_text(machine_of(contents, run, name))
    with output_file(path, option="--model") as file:
        file.write(text.encode())
    print(printable(str(path)))


def _write_profile(contents: Contents, run: Path, out: Path | None, name: str) -> None:
    from weir.compare.profile import encode
    from weir.files.write import written
    from weir.ratios.derived import whole_profile

    made = whole_profile(contents, run, name)
    path = out or Path(f"{_file_name(made.name)}.profile.json")
    with system_errors(f"cannot write '{path}'", "choose another file with --out"), written(path) as file:
        file.write(encode(made))
    print(printable(str(path)))


def _file_name(name: str) -> str:
    return "".join(one if one.isalnum() or one in "-_." else "-" for one in name).lstrip(".") or "machine"

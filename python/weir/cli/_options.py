"""Options that several verbs share, so that they read alike everywhere, and what they ask for."""

import functools
import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from weir.cli import _completion as completion
from weir.errors import WeirError
from weir.files.permission import permitted
from weir.files.refusals import OPTION
from weir.handed.takes import Takes

EverythingOption = Annotated[bool, typer.Option("--all", help="Below it all tables and what they mean.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
DirOption = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        help="The storage to measure: a directory on it. Default: the site's, else the current directory.",
    ),
]
CalibrationOption = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        metavar="FILE",
        help='Use this calibration for block = "calibrated". Default: the kept one.',
    ),
]
RUN_HELP = "A run directory, as `weir run --out` makes it; latest: the last one in the folder of runs."
RunArgument = Annotated[
    Path,
    typer.Argument(metavar="RUN", help=RUN_HELP, autocompletion=completion.runs),
    Takes(("run",)),
]
PatternArgument = Annotated[
    Path, typer.Argument(metavar="PATTERN", help="A pattern (JSON)."), Takes(("pattern",))
]
PatternRanksOption = Annotated[
    int | None,
    typer.Option("--ranks", min=1, help="Ranks, if the pattern says how it scales. Default: the pattern's."),
]
BackendOption = Annotated[
    str, typer.Option("--backend", help="The back-end that performs the I/O; `weir list` shows the choices.")
]
RepetitionsOption = Annotated[
    int, typer.Option("--repetitions", min=1, help="Number of repetitions; an interval needs 6 or more.")
]
RepetitionsBudgetOption = Annotated[
    str, typer.Option("--budget", help='Time for all repetitions, as "90s" or "5m".')
]
NewRunOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="The run directory. Default: a new one in the folder of runs."),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="Take this named choice of parameters: shan-2007.",
        autocompletion=completion.presets,
    ),
]
RedactOption = Annotated[
    bool, typer.Option("--redact", help="Replace arguments, paths and host names by hashes.")
]
StudyArgument = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="A study file, or the name of one of Weir's own.",
        autocompletion=completion.studies,
    ),
    Takes(("study",)),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget", help='Time for all samples, as "90s" or "5m"; it cuts no launch. Default: the study\'s.'
    ),
]
LauncherOption = Annotated[
    str | None,
    typer.Option(
        "--launcher",
        metavar="NAME",
        help="The launcher of ranks; `weir list` shows the choices. Default: the site's, else mpirun.",
        autocompletion=completion.launchers,
    ),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="COMPARISON",
        help="Run this optional comparison too; repeatable.",
        autocompletion=completion.comparisons,
    ),
]
NodesOption = Annotated[
    str | None,
    typer.Option(
        "--nodes",
        metavar="LIST",
        help="Nodes of a study that is run on each by itself: n1,n2 or n[01-16]. Default: the job's.",
    ),
]
HostfileOption = Annotated[
    Path | None,
    typer.Option("--hostfile", metavar="FILE", help="The same from a file, as mpirun takes it."),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show the plan, run nothing.")]
KeepOption = Annotated[bool, typer.Option("--keep", help="Keep the test files.")]
ProgressOption = Annotated[
    str,
    typer.Option(
        "--progress",
        help="auto, plain, json or none.",
        autocompletion=completion.one_of("auto", "plain", "json", "none"),
    ),
]
ShareOption = Annotated[
    bool, typer.Option("--share", help="Let others read the output, as the umask says. Default: owner only.")
]
ForeignOption = Annotated[
    bool,
    typer.Option(OPTION, help="Also write to folders and files of other users, and follow their links."),
]
R = TypeVar("R")
_OPTIONS = {"share": ShareOption, "foreign_folder": ForeignOption}


@dataclass(frozen=True)
class StudyRequest:
    """Which study `weir plan`, `weir run` and `weir evaluate` are to plan or carry out, and how."""

    study: str
    """A file, or the name of one of Weir's own."""
    directory: Path | None = None
    launcher: str = "mpirun"
    asked: tuple[str, ...] = ()
    """Optional comparisons that are to be run."""
    budget: str | None = None
    """As written; None: the study's."""
    keep: bool = False
    calibration: Path | None = None
    nodes: str | None = None
    """A list of nodes, as written."""
    hostfile: Path | None = None
    only_nodes: int | None = None
    """Only the cases of so many nodes; 0: those that say nothing of nodes."""

    @property
    def budget_s(self) -> float | None:
        """The budget. Raises WeirError where that is no time."""
        from weir.units import parse_seconds

        return None if self.budget is None else parse_seconds(self.budget)


def writes(command: Callable[..., R]) -> Callable[..., R]:
    """Decorator of a verb: gives it --share and --foreign-folder, and holds it to them."""

    @functools.wraps(command)
    def run(*arguments: Any, share: bool = False, foreign_folder: bool = False, **options: Any) -> R:
        _keep_what_is_read(options)
        with permitted(share=share, foreign=foreign_folder):
            return command(*arguments, **options)

    signature = inspect.signature(command, eval_str=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in _OPTIONS.items()
    ]
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *added])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, **_OPTIONS}
    return run


def _keep_what_is_read(options: dict[str, Any]) -> None:
    """Raises WeirError where the verb would replace a file that it is to read, or a part of any run, trace or
    folder of dumps."""
    from weir.handed.kind import is_part_of

    flag = next((one for one in ("out", "page") if options.get(one)), "")
    for name, value in options.items() if flag else ():
        given = value if isinstance(value, list) else [value]
        if name != flag and any(isinstance(one, Path) and _holds(one, options[flag]) for one in given):
            raise WeirError(f"cannot write '{options[flag]}'", "it is read", f"choose another --{flag}")
    if flag and isinstance(options[flag], Path) and is_part_of(options[flag], options[flag].parent):
        raise WeirError(
            f"cannot write '{options[flag]}'", "it is a part of a run", f"choose another --{flag}"
        )


def _holds(one: Path, other: Path) -> bool:
    from weir.handed.kind import is_part_of

    with suppress(OSError, ValueError):
        if one.is_file() and one.samefile(other):
            return True
        return os.path.lexists(one) and is_part_of(other, one if one.is_dir() else one.parent)
    return False

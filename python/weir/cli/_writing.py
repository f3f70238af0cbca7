"""What all verbs that write files have in common."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from weir.files.permission import permitted
from weir.files.refusals import OPTION

ShareOption = Annotated[
    bool, typer.Option("--share", help="Let others read what is written, as the umask says. Default: nobody.")
]
ForeignOption = Annotated[
    bool,
    typer.Option(OPTION, help="Write also to folders and files of other users, and go through their links."),
]
R = TypeVar("R")
_OPTIONS = {"share": ShareOption, "foreign_folder": ForeignOption}


def writes(command: Callable[..., R]) -> Callable[..., R]:
    """Decorator of a verb: gives it --share and --foreign-folder, and holds it to them."""

    @functools.wraps(command)
    def run(*arguments: Any, share: bool = False, foreign_folder: bool = False, **options: Any) -> R:
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

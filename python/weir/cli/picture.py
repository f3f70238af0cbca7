"""`weir picture`: a dump of an application as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._given import refuse_others
from weir.cli._options import JsonOption, writes
from weir.cli._streams import output_file, print_json
from weir.errors import WeirError
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.dumps.kind import DumpKind

FileArgument = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A dump; `weir list` shows the kinds."),
    Takes(("dump",)),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="PICTURE",
        help="A .png, .svg, .pdf or .html, which is replaced if it exists. Default: a .png next to the file.",
    ),
]
VariableOption = Annotated[
    list[str] | None,
    typer.Option(
        "--variable", metavar="NAME", help="What to draw; repeatable where a picture has several panels."
    ),
]
AxisOption = Annotated[
    str | None,
    typer.Option(
        "--axis",
        help="The axis that the slice is perpendicular to: x, y or z.",
        autocompletion=completion.one_of("x", "y", "z"),
    ),
]
AtOption = Annotated[
    float | None, typer.Option("--at", metavar="PLACE", help="Where on that axis. Default: the middle.")
]
CellOption = Annotated[
    int | None,
    typer.Option("--cell", metavar="N", help="The same by the cell's number on that axis, from 0."),
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time", metavar="T", help="The output at this time, in the file's unit. Default: the last."
    ),
]
StepOption = Annotated[
    int | None, typer.Option("--step", metavar="N", help="The output of this number, from 0.")
]
ColourOption = Annotated[
    str | None,
    typer.Option(
        "--colour",
        help="variable, or level: that of the blocks.",
        autocompletion=completion.one_of("variable", "level"),
    ),
]
AsStoredOption = Annotated[
    bool,
    typer.Option(
        "--as-stored", help="Begin at cell 0, even if the edge of the periodic box then cuts a clump."
    ),
]
LinesOption = Annotated[bool, typer.Option("--no-lines", help="Draw no contours and no flow lines.")]
OF_ALL = {"out", "json", "share", "foreign_folder"}
"""The options that every kind takes."""


@writes
def command(
    ctx: typer.Context,
    file: FileArgument,
    out: OutOption = None,
    variable: VariableOption = None,
    axis: AxisOption = None,
    at: AtOption = None,
    cell: CellOption = None,
    time: TimeOption = None,
    step: StepOption = None,
    colour: ColourOption = None,
    as_stored: AsStoredOption = False,
    no_lines: LinesOption = False,
    json: JsonOption = False,
) -> None:
    """Draw a slice through FILE, an application's dump, by what it is.

    `weir list` shows the kinds of dumps, and which of the options each takes. Each cell has its own colour
    and nothing is smoothed. Prints the picture's path.
    """
    from weir.dumps.kind import Wishes, known_kind_of
    from weir.figures.render import check_drawing, draw

    kind = known_kind_of(file)
    _refuse_useless(ctx, kind, file)
    kind.check_packages(*kind.to_draw)
    check_drawing(out)
    variables = tuple(dict.fromkeys(variable or ()))
    if len(variables) > kind.most_variables:
        why = f"of {kind.what} at most {kind.most_variables}"
        raise WeirError(
            f"cannot draw {len(variables)} variables in one picture", why, "draw several pictures"
        )
    wishes = Wishes(variables, axis, at, cell, time, step, colour, as_stored, no_lines)
    drawn = kind.draw(file, wishes)
    path = out or drawn.beside
    content = draw(drawn.spec, path.suffix.lower())
    with output_file(path, named=out is not None) as picture:
        picture.write(content)
    if json:
        print_json({"picture": str(path), **drawn.told})
    else:
        print(path)


def _refuse_useless(ctx: typer.Context, kind: DumpKind, file: Path) -> None:
    """Raises WeirError for options of other kinds."""
    refuse_others(
        ctx,
        kind.options | OF_ALL,
        f"'{file}' is {kind.what}, which has no use for {{}}",
        f"it takes {', '.join(kind.flags())}",
    )

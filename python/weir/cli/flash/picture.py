"""`weir flash picture`: a slice through the blocks of a file."""

from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._picture import OutOption, check_drawing, write_picture
from weir.cli.flash import FileArgument, open_file
from weir.errors import WeirError

VariableOption = Annotated[
    str | None,
    typer.Option("--variable", metavar="NAME", help="What to draw. Default: dens, or the file's first."),
]
AxisOption = Annotated[
    str,
    typer.Option(
        "--axis",
        help="The axis that the slice is perpendicular to: x, y or z.",
        autocompletion=completion.one_of("x", "y", "z"),
    ),
]
AtOption = Annotated[
    float | None,
    typer.Option("--at", metavar="PLACE", help="Where on that axis. Default: the middle of the domain."),
]
ColourOption = Annotated[
    str,
    typer.Option(
        "--colour",
        help="variable, or level: that of the blocks.",
        autocompletion=completion.one_of("variable", "level"),
    ),
]


@writes
def command(
    file: FileArgument,
    out: OutOption = None,
    variable: VariableOption = None,
    axis: AxisOption = "z",
    at: AtOption = None,
    colour: ColourOption = "variable",
    json: JsonOption = False,
) -> None:
    """Draw a slice through FILE, with the borders of its leaf blocks.

    Each cell has its own colour, whatever its size; nothing is smoothed. Colours are logarithmic if values
    span more than a factor of ten. Prints the picture's path.
    """
    if colour not in ("variable", "level"):
        raise WeirError(f"there is no colour by '{colour}'", "", "use variable or level")
    if variable and colour == "level":
        raise WeirError("--variable has no part in a picture of levels", "", "leave one of the two away")
    with open_file(file) as source:
        from weir.flash.picture import as_data, picture_of, spec_of

        check_drawing(out)
        drawn = variable or ("dens" if "dens" in source.variables else source.variables[0])
        picture = picture_of(source, None if colour == "level" else drawn, axis, at)
        told, spec = as_data(picture), spec_of(picture)
    beside = file.with_name(f"{file.name}-{told['variable'] or 'level'}-{axis}.png")
    write_picture(spec, out, beside, told if json else None)

"""`weir aquifer picture`: a slice through the fields of a file."""

from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._picture import OutOption, check_drawing, write_picture
from weir.cli.aquifer import DRAWING, check_packages, open_file
from weir.errors import WeirError
from weir.handed.takes import Takes

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A file of PFLOTRAN on a structured grid, or of the aquifer, in HDF5."
    ),
    Takes(("hdf5",)),
]
VariableOption = Annotated[
    list[str] | None,
    typer.Option(
        "--variable",
        metavar="NAME",
        help="What to draw; repeatable, a panel each. Default: pressure, saturation and the first tracer.",
    ),
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
AxisOption = Annotated[
    str | None,
    typer.Option(
        "--axis",
        help="The axis that the slice is perpendicular to: x, y or z. Default: y, a vertical slice; z where "
        "there are fewer than four layers.",
        autocompletion=completion.one_of("x", "y", "z"),
    ),
]
AtOption = Annotated[
    float | None,
    typer.Option("--at", metavar="PLACE", help="Where on that axis, in metres. Default: the middle."),
]
CellOption = Annotated[
    int | None,
    typer.Option("--cell", metavar="N", help="The same by the cell's number on that axis, from 0."),
]
LinesOption = Annotated[bool, typer.Option("--no-lines", help="Draw no contours and no flow lines.")]


@writes
def command(
    file: FileArgument,
    out: OutOption = None,
    variable: VariableOption = None,
    time: TimeOption = None,
    step: StepOption = None,
    axis: AxisOption = None,
    at: AtOption = None,
    cell: CellOption = None,
    no_lines: LinesOption = False,
    json: JsonOption = False,
) -> None:
    """Draw a slice through FILE: pressure with contours, saturation, and a tracer with flow lines.

    Each cell has its own colour and nothing is smoothed; colours are linear. A very flat slice is stretched,
    and the picture says by how much. Prints the picture's path.
    """
    for first, second, both in (("--time", "--step", (time, step)), ("--at", "--cell", (at, cell))):
        if None not in both:
            raise WeirError(f"{first} and {second} name one thing twice", "", "leave one of the two away")
    check_packages(DRAWING)
    with open_file(file) as source:
        from weir.aquifer.file import time_in
        from weir.aquifer.picture import MOST_PANELS, as_data, default_quantities, picture_of, spec_of
        from weir.aquifer.slice import plane_in

        check_drawing(out)
        number, chosen = time_in(source, time, step)
        output = source.output(chosen)
        wanted = list(dict.fromkeys(variable or []))
        if len(wanted) > MOST_PANELS:
            raise WeirError(
                f"cannot draw {len(wanted)} variables", f"{MOST_PANELS} are the most", "draw several pictures"
            )
        quantities = [output.quantity(name) for name in wanted] or default_quantities(output)
        plane = plane_in(source, axis, at, cell)
        picture = picture_of(output, number, plane, quantities, with_lines=not no_lines)
        told, spec = as_data(picture), spec_of(picture)
    beside = file.with_name(f"{file.name}-{number:03d}-{plane.axis}.png")
    write_picture(spec, out, beside, told if json else None)

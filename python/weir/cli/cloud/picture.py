"""`weir cloud picture`: a dump as a picture."""

from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._picture import OutOption, check_drawing, write_picture
from weir.cli.cloud import DumpArgument, open_dump_of

FieldOption = Annotated[
    str | None,
    typer.Option(
        "--field",
        help="density, pressure, speed or potential. Default: density, or the file's own.",
        autocompletion=completion.one_of("density", "pressure", "speed", "potential"),
    ),
]
AlongOption = Annotated[
    str,
    typer.Option(
        "--along",
        help="The line of sight, perpendicular to the slice: x, y or z.",
        autocompletion=completion.one_of("x", "y", "z"),
    ),
]
AtOption = Annotated[
    int | None,
    typer.Option("--at", metavar="CELL", help="Slice through this cell, from 0. Default: the densest."),
]
AsStoredOption = Annotated[
    bool,
    typer.Option(
        "--as-stored", help="Begin at cell 0, even if the edge of the periodic box then cuts a clump."
    ),
]


@writes
def command(
    dump: DumpArgument,
    out: OutOption = None,
    field: FieldOption = None,
    along: AlongOption = "z",
    at: AtOption = None,
    as_stored: AsStoredOption = False,
    json: JsonOption = False,
) -> None:
    """Draw the gas in DUMP: its column density, and a slice.

    For another field than the density, the mean along the line of sight replaces the column density.
    Colours are logarithmic if values span more than a factor of ten. The box is periodic: if its edge would
    cut dense gas, the picture begins where the edge cuts the least. Prints the picture's path.
    """
    source = open_dump_of(dump)
    from weir.cloud.picture import View, as_data, picture_of, spec_of

    check_drawing(out)
    picture = picture_of(source, View(field, along, at, as_stored))
    beside = source.path.with_name(f"{source.path.name}-{picture.field}-{along}.png")
    write_picture(spec_of(picture), out, beside, as_data(picture) if json else None)

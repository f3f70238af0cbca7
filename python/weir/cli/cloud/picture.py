"""`weir cloud picture`: a dump as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._streams import output_file, print_json
from weir.cli.cloud import DumpArgument, open_dump_of

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="PICTURE",
        help="A .png, .svg, .pdf or .html. Default: a .png next to the dump.",
    ),
]
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
    from weir.figures.render import check_ending, draw, load_converter

    load_converter()
    if out is not None:
        check_ending(out)
    picture = picture_of(source, View(field, along, at, as_stored))
    path = out or source.path.with_name(f"{source.path.name}-{picture.field}-{along}.png")
    content = draw(spec_of(picture), path.suffix.lower())
    with output_file(path, named=out is not None) as file:
        file.write(content)
    if json:
        print_json({"picture": str(path), **as_data(picture)})
    else:
        print(path)

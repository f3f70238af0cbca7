"""`weir cloud picture`: a dump as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._cloud import DumpArgument, opened
from weir.cli._options import JsonOption
from weir.cli._writing import writes

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="PICTURE", help="A .png, .svg, .pdf or .html. Default: a .png beside the dump."
    ),
]
FieldOption = Annotated[
    str | None,
    typer.Option(
        "--field", help="density, pressure, speed or potential. Default: density, or the file's own."
    ),
]
AlongOption = Annotated[
    str, typer.Option("--along", help="The line of sight, and the axis that the slice is across: x, y or z.")
]
AtOption = Annotated[
    int | None,
    typer.Option("--at", metavar="CELL", help="Slice through this cell, from 0. Default: the densest."),
]
AsStoredOption = Annotated[
    bool,
    typer.Option(
        "--as-stored", help="Begin at cell 0, also where the edge of the periodic box then cuts a clump."
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

    Of another field than the density, the mean along the line of sight takes the column density's place.
    Colours are logarithmic where values span more than a factor of ten. The box is periodic: where its edge
    would cut through dense gas, it is drawn from where it cuts the least. Prints the picture's path.
    """
    from weir.cli._export.output import opened as written
    from weir.cli._output import print_json

    source = opened(dump)
    from weir.cloud.draw import check_ending, draw
    from weir.cloud.picture import Wish, as_data, picture_of
    from weir.cloud.spec import spec_of
    from weir.figures.export import load_converter

    load_converter()
    if out is not None:
        check_ending(out)
    picture = picture_of(source, Wish(field, along, at, as_stored))
    path = out or source.path.with_name(f"{source.path.name}-{picture.field}-{along}.png")
    content = draw(spec_of(picture), path.suffix.lower())
    with written(path, named=out is not None) as file:
        file.write(content)
    if json:
        print_json({"picture": str(path), **as_data(picture)})
    else:
        print(path)

"""What verbs that draw one file share: `--out`, and the picture's file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._streams import output_file, print_json

if TYPE_CHECKING:
    from weir.figures.figure import Spec

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="PICTURE",
        help="A .png, .svg, .pdf or .html, which is replaced if it exists. Default: a .png next to the file.",
    ),
]


def check_drawing(out: Path | None) -> None:
    """To be called before a picture is computed. Raises WeirError where nothing draws, or no file with such a
    name."""
    from weir.figures.engine import engine
    from weir.figures.render import check_ending

    engine()
    if out is not None:
        check_ending(out)


def write_picture(spec: "Spec", out: Path | None, beside: Path, told: dict[str, Any] | None) -> None:
    """Draws into `out`, or into the file `beside` the one that is drawn. Prints the picture's path; with
    `told` it prints that as JSON, and the path with it."""
    from weir.figures.render import draw

    path = out or beside
    content = draw(spec, path.suffix.lower())
    with output_file(path, named=out is not None) as file:
        file.write(content)
    if told is None:
        print(path)
    else:
        print_json({"picture": str(path), **told})
